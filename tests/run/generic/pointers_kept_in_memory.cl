// Generic pointers in structs, arrays and local memory, and as values across a barrier.
// RUN: kernel=k local=* groups=2 std=CL3.0
// ARG: buffer long[G] = 5*i
// ARG: buffer long[G] out
// EXPECT: 1[i] = 5*i + 2*(i/L*L + (i%L+1)%L) + 3*i
struct pair { long *first, *second; };

long total(struct pair *p) { return *p->first + *p->second; }

kernel void k(global long *a, global long *out) {
    local long l[1024];
    local long *local shared[1024];
    int g = get_global_id(0), n = get_local_id(0), size = get_local_size(0);
    long own = 3 * g;
    l[n] = 2 * g;
    shared[n] = &l[n];
    barrier(CLK_LOCAL_MEM_FENCE);
    long *list[3] = { &a[g], shared[(n + 1) % size], &own };
    struct pair p = { list[0], list[1] };
    long sum = total(&p);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 2; j < 3; j++)
        sum += *list[j];
    out[g] = sum;
}
