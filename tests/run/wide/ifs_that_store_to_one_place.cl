// What the arms of ifs store to one place is stored once, behind them: in rims, nests, switches, behind early returns, with other
// stores in between, where only some of the ways store, and where what is read depends on what has been stored.
// RUN: kernel=rim local=16,4 global=32,8
// ARG: buffer float[G] = i
// ARG: buffer float[G] = -1
// ARG: scalar int 32
// EXPECT: 1[i] = i%32 == 0 || i%32 == 31 || i/32 == 0 || i/32 == 7 ? i : 2*i + 1
// RUN: kernel=nest local=* groups=3
// ARG: buffer int[G] = i
// ARG: buffer int[G] = -1
// ARG: scalar int 5
// EXPECT: 1[i] = i >= G-3 ? -1 : i%5 == 0 ? 7 : i%5 == 1 ? -i : i%2 ? 3*i : i+100
// RUN: kernel=cases local=* groups=3
// ARG: buffer int[G] = i
// ARG: buffer int[G] = -1
// EXPECT: 1[i] = i%6 == 0 ? i : i%6 == 1 ? 2*i : i%6 == 2 ? 3*i : i%6 == 3 ? -1 : 9
// RUN: kernel=pairs local=* groups=3
// ARG: buffer int[G] = i
// ARG: buffer int[G] = -1
// ARG: buffer int[G] = -1
// EXPECT: 1[i] = i%3 ? 2*i : i
// EXPECT: 2[i] = i%3 ? 3*i : i+1
// RUN: kernel=overlap local=* groups=3
// ARG: buffer int[G] = i
// EXPECT: 0[i] = i%3 ? 2*i + 1 : i%2 ? i+5 : i+10
// RUN: kernel=across local=* groups=3
// ARG: buffer int[G] = i
// ARG: local 4*L
// EXPECT: 0[i] = (i/L*L + (i%L+1)%L) * (((i%L+1)%L) % 2 ? 2 : 3)

kernel void rim(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == (int)get_global_size(1) - 1)
        out[at] = in[at];
    else
        out[at] = 2 * in[at] + 1;
}

kernel void nest(global const int *in, global int *out, int k)
{
    int i = get_global_id(0);
    if (i >= (int)get_global_size(0) - 3)
        return;
    if (i % k == 0)
        out[i] = 7;
    else if (i % k == 1)
        out[i] = -in[i];
    else if (i % 2)
        out[i] = 3 * in[i];
    else
        out[i] = in[i] + 100;
}

kernel void cases(global const int *in, global int *out)
{
    int i = get_global_id(0);
    switch (i % 6) {
    case 0:
        out[i] = in[i];
        break;
    case 1:
        out[i] = 2 * in[i];
        break;
    case 2:
        out[i] = 3 * in[i];
        break;
    case 3:
        break;
    default:
        out[i] = 9;
    }
}

kernel void pairs(global const int *in, global int *a, global int *b)
{
    int i = get_global_id(0);
    if (i % 3) {
        a[i] = 2 * in[i];
        b[i] = 3 * in[i];
    } else {
        a[i] = in[i];
        b[i] = in[i] + 1;
    }
}

kernel void overlap(global int *all)
{
    int i = get_global_id(0), was = all[i];
    if (i % 3) {
        all[i] = was;
        all[i] = all[i] * 2 + 1;
    } else if (i % 2) {
        all[i] = was + 4;
        all[i] = all[i] + 1;
    } else {
        all[i] = was + 10;
    }
}

kernel void across(global int *all, local int *kept)
{
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    if (l % 2)
        kept[l] = 2 * all[i];
    else
        kept[l] = 3 * all[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    all[i] = kept[(l + 1) % n];
}
