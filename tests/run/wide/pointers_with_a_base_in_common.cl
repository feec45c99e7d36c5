// Lanes of pointers into one private array are compared and subtracted, where its size is known in the end and LLVM sees all:
// its instcombine made invalid code of these (codegen/vector.rs).
// RUN: kernel=compared local=16 groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = 1000*(i%5) + i + 10*((4-i%5)) + (i%5 < 2) + 2*(i%5 == 4)
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void compared(global int *out) {
    int g = get_global_id(0), a[5];
    int *p = &a[g % 5];
    for (int j = 0; j < 5; j++)
        a[j] = 1000 * j + g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = *p++;
    out[g] = x + 10 * (int)(a + 5 - p) + (p < a + 3) + 2 * (p == a + 5);
}

// The same in a loop that ends at a pointer.
// RUN: kernel=walked local=16 groups=2
// ARG: buffer int[G] out
// EXPECT: 0[i] = 15 - i%5*(i%5-1)/2 + 100*(6-i%5)
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void walked(global int *out) {
    int g = get_global_id(0), a[6], sum = 0;
    for (int j = 0; j < 6; j++)
        a[j] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = a + g % 5;
    for (; p != a + 6; p++)
        sum += *p + 100;
    out[g] = sum;
}
