// options: -cl-std=CL1.2
// Blocks came with OpenCL C 2.0.
kernel void k(global int *out)
{
    void (^block)(void) = ^{ out[0] = 1; };
    ^{ out[0] = 1; }();
}
