// Groups that run as one larger group: what decides how long they go on lies in local memory; halves that take turns; jumps
// into loops; vectors, structs and casts over local arrays; what changes places over barriers; copies that the whole group makes.
// RUN: kernel=flag local=16 global=64 std=CL3.0
// ARG: buffer int[64] = i%7 == 5 ? 0 : i+1
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
// RUN: kernel=flag_of_group local=16 global=64 std=CL3.0
// ARG: buffer int[64] = i%7 == 5 ? 0 : i+1
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
// RUN: kernel=turns local=16 global=64 std=CL3.0
// ARG: buffer int[64] = i*3+1
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
// RUN: kernel=jumps local=16,2 global=64,4 std=CL3.0
// ARG: buffer int[64] = i*3+1
// ARG: buffer int[G] out
// ARG: scalar int 3
// EXPECT: 1 as interpreted
// RUN: kernel=vectors local=16,2 global=64,4 std=CL3.0
// ARG: buffer int[256] = i*3+1
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
// RUN: kernel=places local=16,4 global=64,8 std=CL3.0
// ARG: buffer int[256] = i*3+1
// ARG: buffer int[G] out
// ARG: scalar int 5
// EXPECT: 1 as interpreted
// RUN: kernel=copied local=16 global=64 std=CL3.0
// ARG: buffer int[256] = i*3+1
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
// RUN: kernel=nested local=16,4 global=64,8 std=CL3.0
// ARG: buffer int[256] = i*3+1
// ARG: buffer int[G] out
// ARG: local 256
// ARG: local 64
// ARG: scalar int 3
// EXPECT: 1 as interpreted
// RUN: kernel=product local=16,8 global=64,16 std=CL3.0
// ARG: buffer int[4096] = i*40503%1000
// ARG: buffer int[4096] = i*2654435%777
// ARG: buffer int[G] out
// EXPECT: 2 as interpreted
// RUN: kernel=choosing local=16,2 global=64,4 std=CL3.0
// ARG: buffer int[256] = i*3+1
// ARG: buffer int[G] out
// ARG: scalar int 1
// EXPECT: 1 as interpreted

kernel void flag(global const int *in, global int *out)
{
    local int done, tile[16];
    int l = get_local_id(0), total = 0;
    for (int k = 0; k < 64; k++) {
        if (l == 0)
            done = in[k] == 0;
        tile[l] = in[(l + k) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        total = total * 3 + tile[15 - l];
        if (done)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total + get_group_id(0);
}

kernel void flag_of_group(global const int *in, global int *out)
{
    local int done, tile[16];
    int l = get_local_id(0), total = 0;
    for (int k = 0; k < 64; k++) {
        if (l == 0)
            done = in[(k + get_group_id(0)) & 63] == 0;
        tile[l] = in[(l + k) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        total = total * 3 + tile[15 - l];
        if (done)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total + get_group_id(0);
}

kernel void turns(global const int *in, global int *out)
{
    local int both[2][16], once[16];
    int l = get_local_id(0), total = 0;
    for (int k = 0; k < 8; k++) {
        both[k & 1][l] = in[(l + k * 5) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        total = total * 3 + both[k & 1][15 - l];
        once[(l + k) & 15] = both[k & 1][(l + 3) & 15] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        total += once[(l * 3) & 15];
    }
    out[get_global_id(0)] = total;
}

kernel void jumps(global const int *in, global int *out, int n)
{
    local int a[32], b[32];
    int l = get_local_linear_id(), total = 0, k = 0;
    a[l] = in[l];
    b[l] = in[l + 7] + get_group_id(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n == 3)
        goto inside;
    for (k = 0; k < 5; k++) {
        total += a[31 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    inside:
        switch ((k + n) % 4) {
        case 0:
            a[l] = k;
        case 1:
            b[l] = in[k + get_group_id(0)];
            break;
        case 2:
            if (l & 1)
                break;
            a[l] = in[l + k];
            break;
        default:
            b[l] = l;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        total = total * 5 + b[(l + k) & 31];
    }
    out[get_global_linear_id()] = total;
}

struct pair {
    int first;
    short second[2];
};

kernel void vectors(global const int *in, global int *out)
{
    local int4 wide[32];
    local int flat[128] __attribute__((aligned(8)));
    local struct pair pairs[32];
    int l = get_local_linear_id(), total = 0;
    for (int k = 0; k < 3; k++) {
        wide[l] = vload4((l + k) & 31, in);
        vstore2((int2)(l, k), l * 2, flat);
        ((local long *)flat)[l * 2 + 1] = in[(l + get_group_id(1)) & 255] * 0x100000003L;
        pairs[l].first = l * k;
        pairs[l].second[k & 1] = in[l & 7];
        pairs[l].second[~k & 1] = 7;
        barrier(CLK_LOCAL_MEM_FENCE);
        local const int *as_ints = (local const int *)wide;
        total = total * 3 + as_ints[(l * 5 + k) & 127] + wide[31 - l].y + vload4(31 - l, flat).s2 + flat[(l * 7) & 127];
        total += pairs[31 - l].first * pairs[(l + 5) & 31].second[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_linear_id()] = total;
}

kernel void places(global const int *in, global int *out, int n)
{
    local int tile[64], other[64];
    int l = get_local_linear_id(), a = l, b = l * 3 + get_group_id(0), c = in[l], d = 1, e = get_global_id(1);
    for (int k = 0; k < n; k++) {
        tile[l] = in[(l + k * 16) & 255];
        barrier(CLK_LOCAL_MEM_FENCE);
        int t = a;
        a = b;
        b = c;
        c = t + tile[63 - l];
        other[l] = tile[(l * 3) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l & 1) {
            t = d;
            d = e;
            e = t;
        }
        a += other[(l + k) & 63] * d;
        for (int m = 0; m < (k & 1) + 1; m++) {
            t = a;
            a = e;
            e = t;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[get_global_linear_id()] = a + 3 * b + 5 * c + 7 * d + 11 * e;
}

kernel void copied(global const int *in, global int *out)
{
    local int tile[16];
    int l = get_local_id(0), total = 0;
    for (int k = 0; k < 4; k++) {
        event_t e = async_work_group_copy(tile, in + k * 16, 16, 0);
        wait_group_events(1, &e);
        total = total * 3 + tile[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = total;
}

int sum_of(local const int *tile, int from, int n)
{
    int sum = 0;
    for (int z = 0; z < n; z++)
        sum = sum * 3 + tile[from + z];
    return sum;
}

kernel void nested(global const int *in, global int *out, local int *rows, local int *line, int n)
{
    int x = get_local_id(0), y = get_local_id(1), total = 0;
    for (int i = 0; i < n; i++) {
        rows[y * 16 + x] = in[(get_group_id(1) * 4 + y + x * i) & 255];
        for (int j = 0; j < n - i; j++) {
            if (y == j)
                line[x] = in[(get_group_id(0) * 16 + x + j) & 255] + j;
            barrier(CLK_LOCAL_MEM_FENCE);
            total += line[15 - x] + sum_of(rows, y * 16, 16);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i + j == 3)
                goto out;
        }
    }
out:
    out[get_global_linear_id()] = total;
}

kernel void product(global const int *a, global const int *b, global int *c)
{
    local int ta[8][16], tb[16][16];
    int x = get_local_id(0), y = get_local_id(1), sum = 0;
    for (int k = 0; k < 64; k += 16) {
        ta[y][x] = a[get_global_id(1) * 64 + k + x];
        tb[y][x] = b[(k + y) * 64 + get_global_id(0)];
        tb[y + 8][x] = b[(k + y + 8) * 64 + get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int z = 0; z < 16; z++)
            sum += ta[y][z] * tb[z][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * 64 + get_global_id(0)] = sum;
}

kernel void choosing(global const int *in, global int *out, int n)
{
    local int a[32], b[32];
    int l = get_local_linear_id(), total = 0;
    local int *p = n ? a : b, *q = n ? b : a;
    for (int k = 0; k < 4; k++) {
        p[l] = in[l + k];
        q[l] = in[l + get_group_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        total = total * 3 + a[31 - l] - b[(l + 3) & 31];
        barrier(CLK_LOCAL_MEM_FENCE);
        local int *t = p;
        p = q;
        q = t;
    }
    out[get_global_linear_id()] = total;
}
