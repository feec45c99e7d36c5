// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[4*G] out
// EXPECT: 0[i] = i%4 == 0 ? i/4 : i%4 == 1 ? i/4+2 : i%4 == 2 ? i/4+2 : i/4
kernel void k(global int *out) {
    int x = get_global_id(0);
    global int *p = out + 4 * x;
    *p++ = x++;
    *p++ = ++x;
    *p++ = x--;
    x--;
    *p = x;
}
