// Ids that are cut to 32 bits wrap in the middle of a row, as signed or as unsigned numbers.
// RUN: kernel=k global=64 local=64 offset=2147483616
// RUN: kernel=k global=64 local=64 offset=4294967264
// RUN: kernel=k global=48 local=16 offset=2147483640
// RUN: kernel=k global=37 local=37 offset=4294967290
// RUN: kernel=k global=64 local=64 offset=2147483584
// ARG: buffer long[G] out
// ARG: buffer ulong[G] out
// EXPECT: 0[i] = int(i + OX)
// EXPECT: 1[i] = uint(i + OX)
kernel void k(global long *s, global ulong *u) {
    size_t at = get_global_id(0) - get_global_offset(0);
    int i = get_global_id(0);
    uint j = get_global_id(0);
    s[at] = i;
    u[at] = j;
}
