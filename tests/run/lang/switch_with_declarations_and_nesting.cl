// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%3 == 0 ? (i%2 ? 11 : 12) : i%3 == 1 ? 7 : -1
kernel void k(global int *out) {
    int g = get_global_id(0), x = -1;
    switch (g % 3) {
    case 0: {
        int y = 10;
        switch (g % 2) {
        case 1: x = y + 1; break;
        default: x = y + 2;
        }
        break;
    }
    case 1:
        for (x = 0; x < 100; x++)
            if (x == 7)
                break;
        break;
    }
    out[g] = x;
}
