// Groups that run as one larger group keep apart what is their own: local memory that they change in place, that is filled by
// what depends on the group (its number, a branch, the end of a loop), ids and sizes.
// RUN: kernel=in_place local=16 global=64 std=CL3.0
// ARG: buffer int[32] = i*3+1
// ARG: buffer int[G] out
// EXPECT: 1[i] = sum(k, 0, 4, (i%16 + k + 2) * a0[i%16]) + i/16
// RUN: kernel=by_branch local=16 global=64 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = 3 * (i/16%2 ? 100 + (15-i%16) : 7*(15-i%16))
// RUN: kernel=by_loop local=16 global=64 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = 2*(i/16) + 15 - i%16 + 5
// RUN: kernel=places local=16,4 global=64,8 offset=3,5 std=CL3.0
// ARG: buffer int[G*8] out
// EXPECT: 0[i] = i%8==0 ? i/8%GX%16 : i%8==1 ? i/8/GX%4 : i%8==2 ? i/8%GX/16 : i%8==3 ? i/8/GX/4 : i%8==4 ? 16*4 : i%8==5 ? 4*2 : i%8==6 ? i/8/GX%4*16 + i/8%GX%16 : 1000*(i/8/GX+5) + i/8%GX + 3

kernel void in_place(global const int *in, global int *out)
{
    local int sums[16], factors[16];
    int l = get_local_id(0), total = 0;
    for (int k = 0; k < 4; k++) {
        factors[l] = in[l];
        if (k == 0)
            sums[l] = l + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += 1;
        total += sums[l] * factors[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total + get_group_id(0);
}

kernel void by_branch(global int *out)
{
    local int tile[16];
    int l = get_local_id(0), total = 0;
    for (int k = 0; k < 3; k++) {
        if (get_group_id(0) % 2)
            tile[l] = 100 + l;
        else
            tile[l] = 7 * l;
        barrier(CLK_LOCAL_MEM_FENCE);
        total += tile[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total;
}

kernel void by_loop(global int *out)
{
    local int tile[16];
    int l = get_local_id(0), total = 0;
    for (int k = 0; k < 2; k++) {
        int rounds = 0;
        while (rounds < get_group_id(0))
            rounds++;
        tile[l] = rounds;
        barrier(CLK_LOCAL_MEM_FENCE);
        total += tile[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total + 15 - l + 5;
}

kernel void places(global int *out)
{
    local int shared[16];
    int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1), ids = 0;
    for (int k = 0; k < 2; k++) {
        shared[get_local_id(0)] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        ids += shared[15 - get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    global int *own = out + 8 * (y * get_global_size(0) + x);
    own[0] = get_local_id(0);
    own[1] = get_local_id(1);
    own[2] = get_group_id(0);
    own[3] = get_group_id(1);
    own[4] = get_local_size(0) * get_enqueued_local_size(1);
    own[5] = get_num_groups(0) * get_num_groups(1);
    own[6] = get_local_linear_id();
    own[7] = 1000 * get_global_id(1) + get_global_id(0) + ids - 1;
}
