// options: -cl-std=CL3.0
// How the functions of pipes are called (OpenCL C 3.0, 6.15.13).
typedef struct { char a; int b[3]; float4 c; } packet_t;

kernel void calls(read_only pipe int in, write_only pipe packet_t out, global packet_t *packets, global float *floats,
                  constant packet_t *constants)
{
    int i;
    packet_t packet;
    pipe int inside;
    in = in;
    in + 1;
    read_pipe(in);
    read_pipe(in, &i, 1);
    read_pipe(i, &i);
    read_pipe(out, &packet);
    write_pipe(in, &i);
    read_pipe(in, floats);
    read_pipe(in, i);
    write_pipe(out, constants);
    reserve_id_t id = 0;
    id = reserve_read_pipe(in, packets);
    write_pipe(out, 1, 0, &packet);
    commit_read_pipe(out, id);
    work_group_commit_write_pipe(in, id);
    id + 1;
    id == id;
    get_pipe_num_packets(i);
    is_valid_reserve_id(1);
    if (get_local_id(0) > 2) id = work_group_reserve_read_pipe(in, 1);
    const int k = 0;
    read_pipe(in, &k);
}

/* What is right. */
void helper(read_only pipe int in, global int *to) { read_pipe(in, to); }

kernel void right(pipe int in, __write_only pipe packet_t out, global packet_t *packets, global int *counts)
{
    packet_t packet;
    int i;
    local reserve_id_t shared;
    reserve_id_t ids[4] = {CLK_NULL_RESERVE_ID};
    global reserve_id_t *kept = (global reserve_id_t *)counts;
    helper(in, counts);
    counts[1] = read_pipe(in, &i) + write_pipe(out, packets) + write_pipe(out, &packet);
    ids[0] = reserve_read_pipe(in, 2u);
    if (is_valid_reserve_id(ids[0])) {
        read_pipe(in, ids[0], 1, counts + 2);
        commit_read_pipe(in, ids[0]);
    }
    shared = work_group_reserve_write_pipe(out, get_local_size(0));
    if (is_valid_reserve_id(shared)) {
        write_pipe(out, shared, get_local_id(0), &packet);
        work_group_commit_write_pipe(out, shared);
    }
    *kept = sub_group_reserve_read_pipe(in, 1);
    sub_group_commit_read_pipe(in, *kept);
    counts[3] = get_pipe_num_packets(in) + get_pipe_max_packets(out) + sizeof(reserve_id_t);
}
