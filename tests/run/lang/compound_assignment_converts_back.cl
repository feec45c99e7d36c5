// uchar += float computes in float, and stores an uchar.
// RUN: kernel=k local=16
// ARG: buffer uchar[G] = i*3
// EXPECT: 0[i] = i*3 + 2.75
kernel void k(global uchar *data) { data[get_global_id(0)] += 2.75f; }
