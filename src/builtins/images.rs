//! The image functions of the table (OpenCL C 3.0, 6.15.15). An image type in a signature has its access in front.

use super::table::Table;
use super::{Channels, ImageQuery, Lowering, Special};

/// Image types with the lanes of their coordinates' type.
const KINDS: [(&str, u32); 6] = [
    ("image1d_t", 1),
    ("image1d_buffer_t", 1),
    ("image1d_array_t", 2),
    ("image2d_t", 2),
    ("image2d_array_t", 4),
    ("image3d_t", 4),
];

const DEPTH_KINDS: [(&str, u32); 2] = [("image2d_depth_t", 2), ("image2d_array_depth_t", 4)];

pub(super) fn add(t: &mut Table) {
    for (suffix, texel, channels) in [
        ("f", "float4", Channels::Float),
        ("h", "half4", Channels::Half),
        ("i", "int4", Channels::Signed),
        ("ui", "uint4", Channels::Unsigned),
    ] {
        let depth: &[(&str, u32)] = match channels {
            Channels::Float => &DEPTH_KINDS,
            _ => &[],
        };
        let kinds = || {
            let colors = KINDS.into_iter().map(|(name, lanes)| (name, lanes, texel));
            colors.chain(depth.iter().map(|&(name, lanes)| (name, lanes, "float")))
        };
        let reads: Vec<String> = kinds().flat_map(read_forms).collect();
        t.since(
            100,
            &format!("read_image{suffix}"),
            &reads.join(" | "),
            Lowering::Special(Special::ReadImage(channels)),
        );
        let writes: Vec<String> = kinds().flat_map(write_forms).collect();
        t.since(
            100,
            &format!("write_image{suffix}"),
            &writes.join(" | "),
            Lowering::Special(Special::WriteImage(channels)),
        );
    }
    queries(t);
}

fn vector(scalar: &str, lanes: u32) -> String {
    match lanes {
        1 => scalar.to_string(),
        _ => format!("{scalar}{lanes}"),
    }
}

/// 6.15.15.2 and 6.15.15.3: with a sampler, which a buffer has no use for, and without one.
fn read_forms((kind, lanes, texel): (&str, u32, &str)) -> Vec<String> {
    let (ints, floats) = (vector("int", lanes), vector("float", lanes));
    let mut forms = vec![
        format!("{texel}(read_only {kind},{ints})"),
        format!("{texel}(read_write {kind},{ints})"),
    ];
    if kind != "image1d_buffer_t" {
        forms.push(format!("{texel}(read_only {kind},sampler_t,{ints})"));
        forms.push(format!("{texel}(read_only {kind},sampler_t,{floats})"));
    }
    forms
}

/// 6.15.15.4
fn write_forms((kind, lanes, texel): (&str, u32, &str)) -> Vec<String> {
    let ints = vector("int", lanes);
    ["write_only", "read_write"]
        .map(|access| format!("void({access} {kind},{ints},{texel})"))
        .into()
}

/// 6.15.15.5
fn queries(t: &mut Table) {
    let every = |result: &str, wanted: &dyn Fn(&str) -> bool| -> String {
        let names = KINDS.iter().chain(&DEPTH_KINDS).map(|kind| kind.0);
        let forms: Vec<String> = names
            .filter(|name| wanted(name))
            .flat_map(|name| {
                ["read_only", "write_only", "read_write"]
                    .map(|access| format!("{result}({access} {name})"))
            })
            .collect();
        forms.join(" | ")
    };
    let all = |_: &str| true;
    let flat = |name: &str| name.starts_with("image2d");
    let deep = |name: &str| name == "image3d_t";
    let sizes = [every("int2", &flat), every("int4", &deep)].join(" | ");
    for (name, signatures, query) in [
        ("get_image_width", every("int", &all), ImageQuery::Width),
        (
            "get_image_height",
            every("int", &|name| flat(name) || deep(name)),
            ImageQuery::Height,
        ),
        ("get_image_depth", every("int", &deep), ImageQuery::Depth),
        ("get_image_dim", sizes, ImageQuery::Size),
        (
            "get_image_array_size",
            every("size_t", &|name| name.contains("array")),
            ImageQuery::ArraySize,
        ),
        (
            "get_image_channel_data_type",
            every("int", &all),
            ImageQuery::ChannelDataType,
        ),
        (
            "get_image_channel_order",
            every("int", &all),
            ImageQuery::ChannelOrder,
        ),
    ] {
        t.since(
            100,
            name,
            &signatures,
            Lowering::Special(Special::QueryImage(query)),
        );
    }
}
