// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i + 1 + 20 + 300
kernel void k(global int *out) {
    int x = 1, total = 0;
    {
        int x = 20;
        total += x;
        for (int x = 300; x == 300; x++)
            total += x;
    }
    total += x;
    out[get_global_id(0)] = total + get_global_id(0);
}
