//! Type names that need no declaration (OpenCL C 3.0, 6.3): the parser asks whether a name is one, sema what it means.

use super::image::ImageKind;
use super::types::Scalar;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predefined {
    /// A scalar (one lane) or a vector.
    Arith(Scalar, u8),
    /// `atomic_int` and its kin.
    Atomic(Scalar),
    Event,
    Sampler,
    ReserveId,
    Queue,
    ClkEvent,
    NdRange,
    /// Without the access that a declaration adds.
    Image(ImageKind),
    /// A name of the specification whose feature this device does not have: why.
    Unsupported(&'static str),
}

/// What a predefined type name means; `None` if it is not one.
pub fn lookup(name: &str) -> Option<Predefined> {
    use Predefined::*;
    Some(match name {
        "uchar" => Arith(Scalar::UChar, 1),
        "ushort" => Arith(Scalar::UShort, 1),
        "uint" | "cl_mem_fence_flags" => Arith(Scalar::UInt, 1),
        "ulong" | "size_t" | "uintptr_t" => Arith(Scalar::ULong, 1),
        "ptrdiff_t" | "intptr_t" => Arith(Scalar::Long, 1),
        "memory_order" | "memory_scope" => Arith(Scalar::Int, 1),
        "event_t" => Event,
        "atomic_int" | "atomic_flag" => Atomic(Scalar::Int),
        "atomic_uint" => Atomic(Scalar::UInt),
        "atomic_long" | "atomic_intptr_t" | "atomic_ptrdiff_t" => Atomic(Scalar::Long),
        "atomic_ulong" | "atomic_uintptr_t" | "atomic_size_t" => Atomic(Scalar::ULong),
        "atomic_float" => Atomic(Scalar::Float),
        "atomic_double" => Atomic(Scalar::Double),
        "sampler_t" => Sampler,
        "queue_t" => Queue,
        "clk_event_t" => ClkEvent,
        "ndrange_t" => NdRange,
        "kernel_enqueue_flags_t" | "clk_profiling_info" => Arith(Scalar::Int, 1),
        "reserve_id_t" => ReserveId,
        _ if name.starts_with("image") && name.ends_with("_t") => image(name)?,
        _ => vector(name)?,
    })
}

fn image(name: &str) -> Option<Predefined> {
    const MULTISAMPLED: [&str; 4] = [
        "image2d_msaa_t",
        "image2d_array_msaa_t",
        "image2d_msaa_depth_t",
        "image2d_array_msaa_depth_t",
    ];
    if MULTISAMPLED.contains(&name) {
        return Some(Predefined::Unsupported(
            "this device has no multi-sample images",
        ));
    }
    ImageKind::of_name(name).map(Predefined::Image)
}

/// `float4`, `ulong16`...
fn vector(name: &str) -> Option<Predefined> {
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (base, lanes) = name.split_at(digits);
    let lanes = match lanes {
        "2" => 2,
        "3" => 3,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    Scalar::ALL
        .into_iter()
        .filter(|&s| s != Scalar::Bool)
        .find(|s| s.name() == base)
        .map(|scalar| Predefined::Arith(scalar, lanes))
}
