//! A built program as bytes: what a second process needs so that it compiles nothing.
//!
//! ```text
//! program = text(log) variables count:u32 kernel*                 a cache entry; each kernel's object is another one
//! variables = size:u64 bytes(first) count:u32 (at:u64 to:u64)*
//! image   = key:32 bytes(program) bytes(object)* count:u32 variant*       a part of a program binary
//! variant = kernel:u32 count:u32 word:u32* bytes(program) count:u32 (part:u32 bytes(object))*
//! ```
//!
//! Whoever reads one has seen that its checksum fits: the objects in it are run as they are.

use super::abi::{Merging, Sharing, Streams, Tiles};
use super::deferred::Deferred;
use super::key::Key;
use super::store::Part;
use super::wire::{Reader, Writer};
use super::{Access, ImageKind, KernelInfo, ParamInfo, ParamKind};
use crate::codegen::DataImage;
use crate::ir::AtomicOp;
use crate::ir::names::Words;
use crate::ir::types::{I32, I64};
use std::sync::Arc;

/// A program without its machine code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProgramImage {
    pub log: String,
    pub variables: DataImage,
    pub kernels: Vec<KernelInfo>,
}

/// A program with the object of each kernel, and variants of its kernels.
pub(super) struct Image {
    pub program: ProgramImage,
    pub objects: Vec<Arc<[u8]>>,
    pub variants: Vec<VariantImage>,
}

/// A variant of a kernel (`variants.rs`), and those of its objects that there are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct VariantImage {
    pub kernel: usize,
    pub words: Vec<u32>,
    pub info: KernelInfo,
    pub objects: Vec<(Part, Arc<[u8]>)>,
}

pub(super) fn encode_program<'a>(
    log: &str,
    variables: &DataImage,
    kernels: impl ExactSizeIterator<Item = &'a KernelInfo>,
) -> Vec<u8> {
    let mut out = Writer::default();
    out.text(log);
    encode_variables(&mut out, variables);
    out.word(kernels.len() as u32);
    for kernel in kernels {
        encode_kernel(&mut out, kernel);
    }
    out.0
}

pub(super) fn decode_program(bytes: &[u8]) -> Option<ProgramImage> {
    let mut reader = Reader(bytes);
    let log = reader.text()?;
    let variables = decode_variables(&mut reader)?;
    let mut kernels = Vec::new();
    for _ in 0..reader.word()? {
        kernels.push(decode_kernel(&mut reader)?);
    }
    reader.at_end().then_some(ProgramImage {
        log,
        variables,
        kernels,
    })
}

fn encode_variables(out: &mut Writer, variables: &DataImage) {
    out.size(variables.size as usize);
    out.bytes(&variables.bytes);
    out.word(variables.addresses.len() as u32);
    for &(at, to) in &variables.addresses {
        out.size(at as usize);
        out.size(to as usize);
    }
}

fn decode_variables(reader: &mut Reader) -> Option<DataImage> {
    let mut variables = DataImage {
        size: reader.size()? as u64,
        bytes: reader.bytes()?.to_vec(),
        addresses: Vec::new(),
    };
    for _ in 0..reader.word()? {
        let pair = (reader.size()? as u64, reader.size()? as u64);
        variables.addresses.push(pair);
    }
    Some(variables)
}

pub(super) fn encode(
    key: &Key,
    program: &[u8],
    objects: &[Arc<[u8]>],
    variants: &[VariantImage],
) -> Vec<u8> {
    let mut out = Writer(key.bytes().to_vec());
    out.bytes(program);
    for object in objects {
        out.bytes(object);
    }
    out.word(variants.len() as u32);
    for variant in variants {
        out.word(variant.kernel as u32);
        out.word(variant.words.len() as u32);
        variant.words.iter().for_each(|&word| out.word(word));
        let kernels = std::iter::once(&variant.info);
        out.bytes(&encode_program("", &DataImage::default(), kernels));
        out.word(variant.objects.len() as u32);
        for (part, object) in &variant.objects {
            out.word(part.number() as u32);
            out.bytes(object);
        }
    }
    out.0
}

/// The image if it was made of what `key` stands for: the same sources, compiler and machine.
pub(super) fn decode(bytes: &[u8], key: &Key) -> Option<Image> {
    let mut reader = Reader(bytes);
    if reader.take(key.bytes().len())? != key.bytes() {
        return None;
    }
    let program = decode_program(reader.bytes()?)?;
    let objects = program.kernels.iter();
    let objects = objects
        .map(|_| reader.bytes().map(Arc::from))
        .collect::<Option<_>>()?;
    let variants = (0..reader.word()?).map(|_| decode_variant(&mut reader));
    let variants = variants.collect::<Option<_>>()?;
    reader.at_end().then_some(Image {
        program,
        objects,
        variants,
    })
}

fn decode_variant(reader: &mut Reader) -> Option<VariantImage> {
    let kernel = reader.word()? as usize;
    let words = (0..reader.word()?).map(|_| reader.word());
    let words = words.collect::<Option<_>>()?;
    let info = decode_program(reader.bytes()?)?.kernels.pop()?;
    let objects = (0..reader.word()?).map(|_| {
        let number = reader.word()? as usize;
        let part = Part::all(0, &info).find(|part| part.number() == number)?;
        Some((part, reader.bytes()?.into()))
    });
    Some(VariantImage {
        kernel,
        words,
        objects: objects.collect::<Option<_>>()?,
        info,
    })
}

fn encode_kernel(out: &mut Writer, kernel: &KernelInfo) {
    let KernelInfo {
        name,
        params,
        args_size,
        attributes,
        reqd_work_group_size,
        work_group_size_hint,
        local_mem_size,
        private_mem_size,
        scratch_per_item,
        scratch_fixed,
        merging,
        sharing,
        streams,
        sized,
        in_lanes,
        prompt,
        tiles,
        deferred,
        by_objects,
        full_rows,
        sub_group_size,
        reqd_sub_group_size,
    } = kernel;
    out.text(name);
    out.text(attributes);
    for sizes in [reqd_work_group_size, work_group_size_hint] {
        out.flag(sizes.is_some());
        sizes.iter().flatten().for_each(|&size| out.size(size));
    }
    for &size in [
        args_size,
        local_mem_size,
        private_mem_size,
        scratch_per_item,
        scratch_fixed,
    ] {
        out.size(size);
    }
    out.word(*merging as u32);
    out.flag(sharing.joins);
    out.flag(sharing.rows);
    out.flag(sharing.x);
    out.flag(sharing.y);
    out.word(streams.stored);
    out.word(streams.updated);
    out.word(streams.all);
    out.flag(*sized);
    out.flag(*in_lanes);
    out.flag(*prompt);
    out.word(tiles.rows);
    out.flag(tiles.down);
    encode_deferred(out, *deferred);
    out.flag(*by_objects);
    out.word(*full_rows);
    out.word(*sub_group_size);
    out.word(*reqd_sub_group_size);
    out.word(params.len() as u32);
    for param in params {
        out.text(&param.name);
        out.text(&param.type_name);
        out.word(encode_kind(param.kind));
        out.flag(param.is_const);
        out.flag(param.is_restrict);
        out.flag(param.is_volatile);
        out.size(param.offset);
        out.size(param.size);
    }
}

fn decode_kernel(reader: &mut Reader) -> Option<KernelInfo> {
    let mut kernel = KernelInfo {
        name: reader.text()?,
        attributes: reader.text()?,
        reqd_work_group_size: decode_sizes(reader)?,
        work_group_size_hint: decode_sizes(reader)?,
        args_size: reader.size()?,
        local_mem_size: reader.size()?,
        private_mem_size: reader.size()?,
        scratch_per_item: reader.size()?,
        scratch_fixed: reader.size()?,
        merging: decode_merging(reader.word()?)?,
        sharing: Sharing {
            joins: reader.flag()?,
            rows: reader.flag()?,
            x: reader.flag()?,
            y: reader.flag()?,
        },
        streams: Streams {
            stored: reader.word()?,
            updated: reader.word()?,
            all: reader.word()?,
        },
        sized: reader.flag()?,
        in_lanes: reader.flag()?,
        prompt: reader.flag()?,
        tiles: Tiles {
            rows: reader.word()?,
            down: reader.flag()?,
        },
        deferred: decode_deferred(reader)?,
        by_objects: reader.flag()?,
        full_rows: reader.word()?,
        sub_group_size: reader.word()?,
        reqd_sub_group_size: reader.word()?,
        params: Vec::new(),
    };
    for _ in 0..reader.word()? {
        kernel.params.push(ParamInfo {
            name: reader.text()?,
            type_name: reader.text()?,
            kind: decode_kind(reader.word()?)?,
            is_const: reader.flag()?,
            is_restrict: reader.flag()?,
            is_volatile: reader.flag()?,
            offset: reader.size()?,
            size: reader.size()?,
        });
    }
    Some(kernel)
}

fn decode_sizes(reader: &mut Reader) -> Option<Option<[usize; 3]>> {
    if !reader.flag()? {
        return Some(None);
    }
    Some(Some([reader.size()?, reader.size()?, reader.size()?]))
}

fn encode_deferred(out: &mut Writer, deferred: Option<Deferred>) {
    out.flag(deferred.is_some());
    if let Some(Deferred { op, bytes }) = deferred {
        out.text(op.name());
        out.word(bytes.into());
    }
}

fn decode_deferred(reader: &mut Reader) -> Option<Option<Deferred>> {
    if !reader.flag()? {
        return Some(None);
    }
    let op = AtomicOp::from_word(&reader.text()?)?;
    let ty = match reader.word()? {
        4 => I32,
        8 => I64,
        _ => return None,
    };
    Deferred::of(op, ty).map(Some)
}

fn decode_merging(word: u32) -> Option<Merging> {
    let ways = [Merging::Never, Merging::Short, Merging::Rows];
    ways.into_iter().find(|&way| way as u32 == word)
}

/// Kinds of parameters that say no more.
const PLAIN_KINDS: [ParamKind; 6] = [
    ParamKind::Value,
    ParamKind::GlobalPointer,
    ParamKind::ConstantPointer,
    ParamKind::LocalPointer,
    ParamKind::Sampler,
    ParamKind::Queue,
];

/// All kinds of parameters but pipes; a kind's place in them is its number.
fn kinds() -> impl Iterator<Item = ParamKind> {
    let images = ImageKind::ALL.into_iter().flat_map(|kind| {
        Access::ALL
            .into_iter()
            .map(move |access| ParamKind::Image { kind, access })
    });
    PLAIN_KINDS.into_iter().chain(images)
}

/// A bit of a kind's number that says that it is a pipe; above it the access, below it the size of a packet.
const PIPE: u32 = 1 << 20;

fn encode_kind(kind: ParamKind) -> u32 {
    if let ParamKind::Pipe { access, packet } = kind {
        let access = Access::ALL.iter().position(|&a| a == access);
        return (access.expect("every access is among them") as u32) << 24 | PIPE | packet;
    }
    let number = kinds().position(|k| k == kind);
    number.expect("every kind is among them") as u32
}

fn decode_kind(word: u32) -> Option<ParamKind> {
    if word & PIPE != 0 {
        return Some(ParamKind::Pipe {
            access: *Access::ALL.get((word >> 24) as usize)?,
            packet: word & (PIPE - 1),
        });
    }
    kinds().nth(word as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel() -> KernelInfo {
        let param = ParamInfo {
            name: "out".into(),
            type_name: "float*".into(),
            kind: ParamKind::GlobalPointer,
            is_const: true,
            is_restrict: false,
            is_volatile: true,
            offset: 8,
            size: 8,
        };
        let image = ParamInfo {
            kind: ParamKind::Image {
                kind: ImageKind::D2Array,
                access: Access::WriteOnly,
            },
            ..param.clone()
        };
        KernelInfo {
            name: "k".into(),
            params: vec![param, image],
            args_size: 16,
            attributes: "reqd_work_group_size(1,2,3)".into(),
            reqd_work_group_size: Some([1, 2, 3]),
            work_group_size_hint: None,
            local_mem_size: 1,
            private_mem_size: 2,
            scratch_per_item: 3,
            scratch_fixed: 4,
            merging: Merging::Rows,
            sharing: Sharing {
                joins: true,
                rows: false,
                x: true,
                y: false,
            },
            streams: Streams {
                stored: 4,
                updated: 8,
                all: 12,
            },
            sized: true,
            in_lanes: true,
            prompt: true,
            tiles: Tiles {
                rows: 16,
                down: true,
            },
            deferred: Deferred::of(AtomicOp::Add, I64),
            by_objects: true,
            full_rows: 16,
            sub_group_size: 16,
            reqd_sub_group_size: 0,
        }
    }

    #[test]
    fn a_program_comes_back_as_it_was() {
        let kernels = [kernel(), KernelInfo::default()];
        let variables = DataImage {
            size: 64,
            bytes: vec![1, 2, 3],
            addresses: vec![(8, 16)],
        };
        let bytes = encode_program("a warning\n", &variables, kernels.iter());
        let program = decode_program(&bytes).expect("it is whole");
        assert_eq!(program.log, "a warning\n");
        assert_eq!(program.kernels, kernels);
        assert_eq!(program.variables, variables);
    }

    #[test]
    fn damage_is_refused_or_harmless() {
        let good = encode_program("log", &DataImage::default(), [kernel()].iter());
        for cut in 0..good.len() {
            assert_eq!(decode_program(&good[..cut]), None);
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[cut] ^= 1 << bit;
                // The checksum finds it; all that counts here is that nothing panics.
                let _ = decode_program(&bad);
            }
        }
    }

    #[test]
    fn an_image_is_for_its_key_only() {
        let (own, other) = (Key::of_text("one"), Key::of_text("two"));
        let program = encode_program("", &DataImage::default(), [kernel()].iter());
        let object = |text: &[u8]| Arc::<[u8]>::from(text);
        let variant = VariantImage {
            kernel: 0,
            words: vec![0xdeb5, 0x12],
            info: kernel(),
            objects: vec![(Part::of_rows(0, 1), object(b"eight"))],
        };
        let bytes = encode(&own, &program, &[object(b"object")], &[variant]);
        let image = decode(&bytes, &own).expect("it is whole");
        assert_eq!(&*image.objects[0], b"object");
        assert_eq!(image.variants[0].words, [0xdeb5, 0x12]);
        assert_eq!(image.variants[0].info, kernel());
        assert_eq!(
            image.variants[0].objects,
            [(Part::of_rows(0, 1), object(b"eight"))]
        );
        assert!(decode(&bytes, &other).is_none());
        for cut in 0..bytes.len() {
            assert!(decode(&bytes[..cut], &own).is_none());
        }
    }
}
