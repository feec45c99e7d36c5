// options: -cl-std=CL3.0
// How blocks are enqueued, and what the functions of device-side enqueue take (OpenCL C 3.0, 6.15.18).
kernel void enqueues(queue_t q, global int *out)
{
    size_t sizes[2] = {1, 2};
    clk_event_t event;
    void (^plain)(void) = ^{ out[0] = 1; };
    enqueue_kernel(q, 0, ndrange_1D(1));
    enqueue_kernel(q, 0, 1, plain);
    enqueue_kernel(q, 0, ndrange_1D(1), plain, 4u);
    enqueue_kernel(q, 0, ndrange_1D(1), ^(local int *p) { p[0] = 1; }, 4u);
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ return 1; });
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &q, &event, plain);
    ndrange_2D(1);
    ndrange_1D(1, 2, 3, 4);
    get_kernel_work_group_size(out);
    set_user_event_status(q, 0);
    q + 1;
}
kernel void event_parameter(clk_event_t event) {}
// What an enqueued block may not capture, and what it had better not.
kernel void captures(queue_t q, global int *out, local int *pointer, read_only image2d_t image, sampler_t sampler)
{
    local int variable;
    int array[2] = {1, 2}, value = 3, *to_value = &value;
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = read_imagei(image, sampler, (int2)(value)).x; });
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = variable; });
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ ^{ out[0] = variable; }(); });
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = pointer[0]; });
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = array[0]; });
    enqueue_kernel(q, 0, ndrange_1D(1), ^{ private int *own = (private int *)to_value; out[0] = *own; });
}
