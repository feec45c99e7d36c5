// RUN: kernel=k local=4 options="-D SIZE=12 -DNAMED -DEXPR=(1+2)"
// RUN: kernel=k local=37 options="-D SIZE=12 -DNAMED -DEXPR=(1+2)"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 12 + 1 + 6
kernel void k(global int *out) {
#ifdef NAMED
    out[get_global_id(0)] = SIZE + NAMED + EXPR * 2;
#endif
}
