// RUN: kernel=k local=1
// RUN: kernel=k local=7
// RUN: kernel=k local=37
// ARG: buffer ulong[G] out
// EXPECT: 0 as interpreted

// All ways on from the condition end: there is no block where they meet again.
kernel void k(global ulong *out)
{
    uint lid = get_local_id(0);
    out[get_global_id(0)] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = 0;
    do {
        if (!(lid & 3)) {
            out[get_global_id(0)] = 1;
            return;
        }
    } while (++i < 0);
}
