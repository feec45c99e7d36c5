// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = (i%4+1)*(i%4+1) + 12 + (i%4 == 0 ? 97 : i%4 == 1 ? 98 : i%4 == 2 ? 99 : 0) + 5
constant int SIDE = 3;
constant int AREA = SIDE * 4;
constant int squares[] = { 1, 4, 9, 16 };
constant char text[] = "abc";
constant struct { int a; float b; } pair = { 2, 2.5f };
kernel void k(global int *out) {
    int n = get_global_id(0) % 4;
    out[get_global_id(0)] = squares[n] + AREA + text[n] + (int)(pair.a * pair.b);
}
