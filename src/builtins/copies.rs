//! The part of the table about copies by a work-group, and prefetch (OpenCL C 3.1, 6.15.11).

use super::table::Table;
use super::{Lowering, Special};

pub(super) fn add(t: &mut Table) {
    use Lowering::Special as Sp;
    t.add(
        "async_work_group_copy",
        "event_t(A*l,A*gk,size_t,event_t) | event_t(A*g,A*lk,size_t,event_t)",
        Sp(Special::AsyncCopy),
    );
    t.add(
        "async_work_group_strided_copy",
        "event_t(A*l,A*gk,size_t,size_t,event_t) | event_t(A*g,A*lk,size_t,size_t,event_t)",
        Sp(Special::AsyncStridedCopy),
    );
    t.add(
        "wait_group_events",
        "void(int,event_t*)",
        Sp(Special::WaitGroupEvents),
    );
    t.add("prefetch", "void(A*gk,size_t)", Sp(Special::Prefetch));
    t.add(
        "async_work_group_copy_fence",
        "void(cl_mem_fence_flags)",
        Sp(Special::AsyncCopyFence),
    );
    // (dst, dst_offset, src, src_offset, bytes of an element, elements of a line, lines[, planes], strides, event)
    for (name, numbers) in [
        ("async_work_group_copy_2D2D", 5),
        ("async_work_group_copy_3D3D", 8),
    ] {
        let numbers = "size_t,".repeat(numbers);
        let form =
            |dst, src| format!("event_t(void*{dst},size_t,void*{src}k,size_t,{numbers}event_t)");
        let forms = format!("{} | {}", form('l', 'g'), form('g', 'l'));
        t.add(name, &forms, Sp(Special::AsyncCopyLines));
    }
}
