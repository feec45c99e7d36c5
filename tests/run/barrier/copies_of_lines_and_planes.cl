// A box of 3-byte elements goes from a larger one in global memory to local memory, and back to another place; a fence
// between two copies lets the second read what the first has written.
// RUN: kernel=k local=8 groups=2
// RUN: kernel=k local=33 groups=2
// ARG: buffer uchar[NG*360] = i*7 + 1
// ARG: buffer uchar[NG*360] = 0
// EXPECT: 1[i] = i%360/3%6 >= 1 && i%360/3%6 < 5 && i%360/18%5 >= 1 && i%360/18%5 < 3 && i%360/90 >= 1 ? a0[i] : i%360 < 15 ? a0[i/360*360 + 18*(i%360/3) + i%3] : 0
// SKIP-PEER: needs cl_khr_extended_async_copies
kernel void k(global const uchar *in, global uchar *out) {
    local uchar box[2 + 4 * 2 * 3 * 3], column[15];
    in += 360 * get_group_id(0);
    out += 360 * get_group_id(0);
    event_t e = async_work_group_copy_3D3D(box + 2, 0, in, 30 + 6 + 1, 3, 4, 2, 3, 6, 30, 4, 8, 0);
    e = async_work_group_copy_2D2D(column, 0, in, 0, 3, 1, 5, 6, 1, e);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy_3D3D(out, 30 + 6 + 1, box + 2, 0, 3, 4, 2, 3, 4, 8, 6, 30, e);
    e = async_work_group_copy(out, column, 15, e);
    wait_group_events(1, &e);
}
