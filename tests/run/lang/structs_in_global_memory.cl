// Members stand where C puts them.
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[4*G] = i
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%4 == 0 ? (i & -256) | uchar(i+1) : i%4 == 1 ? i*2 : i%4 == 2 ? (i & -65536) | (i+7) : i
// EXPECT: 1[i] = 16
typedef struct { uchar a; int b; short c; int d; } row;
kernel void k(global row *rows, global int *size) {
    global row *r = &rows[get_global_id(0)];
    r->a += 1;
    r->b *= 2;
    r->c += 7;
    size[get_global_id(0)] = sizeof(row);
}
