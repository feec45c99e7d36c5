// Blocks use images, samplers and variables in the local address space of the kernel around them: the handles are captured as
// arguments are passed, local variables are used as they are, also by blocks within blocks.
// RUN: kernel=captures local=16 global=64 std=CL3.0
// RUN: kernel=captures local=16 global=64 std=CL3.0 options="-cl-opt-disable"
// ARG: buffer int[G] out
// ARG: image 1d R FLOAT 64 float[64] = i+1
// ARG: image 1d RGBA UNSIGNED_INT8 64 uchar[256] = i
// ARG: sampler 0x12
// EXPECT: 0[i] = (i+1) + (4*i+2) + (i/16*16 + (15-i%16)) + 100*(i/16*16 + (i+1)%16) + 64
// SKIP-PEER: PoCL 3.1 has no blocks
kernel void captures(global int *out, read_only image1d_t floats, read_only image1d_t bytes, sampler_t nearest)
{
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    local int mirrored[16], one;
    const sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | CLK_ADDRESS_NONE;
    int (^reads)(int) = ^(int at) {
        int (^inner)(void) = ^{ return (int)read_imageui(bytes, own, at).z; };
        return (int)read_imagef(floats, nearest, at + 0.5f).x + inner();
    };
    void (^writes)(int) = ^(int value) {
        mirrored[l] = value;
        void (^last)(void) = ^{
            if (l == n - 1)
                one = get_image_width(floats);
        };
        last();
    };
    writes(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    int (^mirror)(int) = ^(int at) { return mirrored[sizeof(mirrored) / sizeof(int) - 1 - at]; };
    out[i] = reads(i) + mirror(l) + 100 * mirror(n - 1 - (l + 1) % n) + one;
}
