// RUN: kernel=k local=1 groups=1
// ARG: buffer float[12] out
// ARG: scalar float 0
// ARG: scalar float nan
// EXPECT: 0[i] = i == 0 ? inf : i == 1 ? -inf : i == 2 || i == 3 ? nan : i == 4 ? 0 : i == 5 ? 1 : i == 6 ? 0 : i == 7 ? 1 : i == 8 ? 2 : i == 9 ? nan : i == 10 ? inf : -inf
kernel void k(global float *out, float zero, float not_a_number) {
    float infinite = 1 / zero;
    out[0] = infinite;
    out[1] = -1 / zero;
    out[2] = zero / zero;
    out[3] = infinite - infinite;
    out[4] = not_a_number < 1 || not_a_number >= 1 || not_a_number == not_a_number;
    out[5] = not_a_number != not_a_number;
    out[6] = 1 / infinite;
    out[7] = exp(zero);
    out[8] = fmax(not_a_number, 2.0f);
    out[9] = sqrt(-1.0f - zero);
    out[10] = INFINITY + zero;
    out[11] = log(zero);
}
