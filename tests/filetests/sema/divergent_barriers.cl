#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
void helper(local int *l) { SYNC; l[0] += 1; }
int choose(int n) { return get_local_id(0) + n; }
void by_parameter(int n, local int *l) { if (n > 2) SYNC; }
kernel void direct(global int *g, local int *l) {
    if (get_local_id(0) < 4) SYNC;
}
kernel void by_variable(global int *g, local int *l) {
    int lid = get_local_id(0);
    int halved = lid / 2;
    if (halved == 1) { l[lid] = 1; SYNC; }
    if (lid < 4) helper(l);
    if (choose(1) > 3) SYNC;
    by_parameter(lid, l);
}
kernel void in_loops(global int *g, local int *l, int n) {
    for (int i = get_local_id(0); i < n; i += get_local_size(0)) SYNC;
    for (int i = 0; i < n; ++i) {
        if (l[get_local_id(0)] == i) break;
        SYNC;
    }
    int count = 0;
    if (g[get_global_id(0)] > 0) count = 1;
    while (count-- > 0) SYNC;
    int old = atomic_inc(g);
    switch (old) { case 0: SYNC; }
}
kernel void uniform(global int *g, local int *l, int n) {
    int lid = get_local_id(0);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s) l[lid] += l[lid + s];
        SYNC;
    }
    if (get_group_id(0) > 1) SYNC;
    if (g[n] == l[0]) SYNC;
    if (lid == 0) l[1] = n;
    SYNC;
    if (l[1]) SYNC;
    if (get_global_id(0) >= n) return;
    SYNC;
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void alone(global int *g) {
    if (get_global_id(0) > 1) SYNC;
}
