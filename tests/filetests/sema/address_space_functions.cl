// options: -cl-std=CL3.0
kernel void queries(global int *gp, constant int *cp, int *p) {
    int own;
    to_local(cp);
    to_global(own);
    get_fence(p, p);
    global int *found = to_global(p);
    found = to_local(p);
    atomic_add(p, 1);
    atomic_fetch_add((atomic_int *)p, 1);
    vstore2((int2)(1), 0, p);
    vload2(0, cp);
}
kernel void needs_a_space(int *p) {}
kernel void pointers_to_pointers(global int *global *p, local char *global *q) {}
kernel void nor_to_these(int *global *p, int **q) {}
