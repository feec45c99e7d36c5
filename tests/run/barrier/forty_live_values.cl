// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: buffer int[G+40] = i*i%101
// EXPECT: 0[i] = sum(k, 0, 40, (k+1) * a1[i+k])
#define EACH(m) m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11) m(12) m(13) m(14) m(15) m(16) m(17) \
    m(18) m(19) m(20) m(21) m(22) m(23) m(24) m(25) m(26) m(27) m(28) m(29) m(30) m(31) m(32) m(33) m(34) m(35) \
    m(36) m(37) m(38) m(39)
#define LOAD(j) int x##j = in[g + j];
#define USE(j) total += (j + 1) * x##j;
kernel void k(global int *out, global const int *in) {
    int g = get_global_id(0), total = 0;
    EACH(LOAD)
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH(USE)
    out[g] = total;
}
