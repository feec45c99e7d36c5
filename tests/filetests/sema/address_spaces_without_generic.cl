// options: -cl-std=CL1.2
kernel void conversions(global int *gp, local int *lp) {
    int own = 1;
    int *p = &own;
    int generic = 3;
    p = gp;
    p = (int *)gp;
    p = NULL;
    to_local(p);
}
