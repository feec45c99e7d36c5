kernel void k(global int *a) {
    if (a[0]) {
        a[1] = 2;
