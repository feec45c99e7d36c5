// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: buffer int[4*G] = i
// EXPECT: 0[i] = i + (i + 1) * 10 + i*100 - 200
kernel void k(global int4 *data) {
    int4 v = data[get_global_id(0)];
    int4 before = v++;
    int4 n = before;
    --n;
    n--;
    data[get_global_id(0)] = before + 10 * v + 100 * n;
}
