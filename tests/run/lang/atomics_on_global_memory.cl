// Every work-item takes part; the old values of an increment are all different.
// RUN: kernel=k local=16 groups=4
// ARG: buffer int[8] = i == 3 ? -1 : i == 6 ? 1000 : 0
// ARG: buffer int[G] = 0
// ARG: buffer float[1] = 0
// EXPECT: 0[i] = i == 0 ? G*(G-1)/2 : i == 1 ? -G : i == 2 ? G : i == 3 ? 64 : i == 4 ? G-1 : i == 5 ? 127 : i == 6 ? 5 : 64*3
// EXPECT: 1[i] = 1
// EXPECT: 2[i] = 2.5
kernel void k(volatile global int *a, global int *seen, volatile global float *f) {
    int g = get_global_id(0);
    atomic_add(&a[0], g);
    atomic_sub(&a[1], 1);
    seen[atomic_inc(&a[2])]++;
    atomic_and(&a[3], g | 64);
    atomic_max(&a[4], g);
    atomic_or(&a[5], g | 64);
    atomic_min(&a[6], g + 5);
    int old = a[7], found;
    while ((found = atomic_cmpxchg(&a[7], old, old + 3)) != old)
        old = found;
    atomic_xchg(f, 2.5f);
}
