//! Image functions (OpenCL C 3.0, 6.15.15): calls of the library with the kind of image as a constant and each
//! coordinate on its own, and loads from the image's descriptor.

use super::super::super::hir::Expr;
use super::super::super::image::ImageKind;
use super::super::function::FunctionLowerer;
use crate::builtins::{Channels, ImageQuery};
use crate::ir::abi::ImageDescriptor;
use crate::ir::types::{F32, I32, I64, Type};
use crate::ir::{BinaryOp, CastOp, Elem, Value};
use std::mem::offset_of;

/// The sampler of a read without one (6.15.15.3): nearest, no addressing, coordinates in texels.
const NO_SAMPLER: u64 = 0x10;

/// The high half of CL's constants for channel orders and channel data types.
const CHANNEL_CONSTANTS: u64 = 0x1000;

impl<'m> FunctionLowerer<'_, 'm> {
    pub(super) fn read_image(&mut self, channels: Channels, args: &'m [Expr]) -> Value {
        let kind = self.image_kind(&args[0]);
        let image = self.value(&args[0]);
        let sampler = match args {
            [_, sampler, _] => self.value(sampler),
            _ => self.b.iconst(I32, NO_SAMPLER),
        };
        let coordinates = self.value(&args[args.len() - 1]);
        let (kind_bits, position, ty) = self.position(kind, coordinates);
        let mut values = vec![image, sampler, kind_bits];
        values.extend(position);
        let (suffix, elem) = texel(channels);
        let name = format!("__clo_read_image{suffix}(__constant void *,uint,uint,{ty},{ty},{ty})");
        let texel = self
            .call_library(&name, values, Some(Type::vector(elem, 4)))
            .expect("it has a result");
        match channels {
            Channels::Half => self
                .b
                .cast(CastOp::FpTrunc, texel, Type::vector(Elem::F16, 4)),
            _ if kind.is_depth() => self.b.extract(texel, 0),
            _ => texel,
        }
    }

    pub(super) fn write_image(&mut self, channels: Channels, args: &'m [Expr]) {
        let kind = self.image_kind(&args[0]);
        let image = self.value(&args[0]);
        let coordinates = self.value(&args[1]);
        let (kind_bits, position, ty) = self.position(kind, coordinates);
        let mut color = self.value(&args[2]);
        if kind.is_depth() {
            color = self.b.splat(color, 4);
        }
        if channels == Channels::Half {
            color = self
                .b
                .cast(CastOp::FpExt, color, Type::vector(Elem::F32, 4));
        }
        let mut values = vec![image, kind_bits];
        values.extend(position);
        values.push(color);
        let texel = match channels {
            Channels::Float | Channels::Half => "float4",
            Channels::Signed => "int4",
            Channels::Unsigned => "uint4",
        };
        let name = format!("__clo_write_image(__constant void *,uint,{ty},{ty},{ty},{texel})");
        self.call_library(&name, values, None);
    }

    pub(super) fn query_image(&mut self, query: ImageQuery, image: &'m Expr) -> Value {
        let kind = self.image_kind(image);
        let image = self.value(image);
        let width = offset_of!(ImageDescriptor, width);
        let height = offset_of!(ImageDescriptor, height);
        let depth = offset_of!(ImageDescriptor, depth);
        match query {
            ImageQuery::Width => self.descriptor_word(image, width),
            ImageQuery::Height => self.descriptor_word(image, height),
            ImageQuery::Depth => self.descriptor_word(image, depth),
            ImageQuery::Size => {
                let mut sizes = vec![
                    self.descriptor_word(image, width),
                    self.descriptor_word(image, height),
                ];
                if kind == ImageKind::D3 {
                    sizes.push(self.descriptor_word(image, depth));
                    sizes.push(self.b.iconst(I32, 0));
                }
                self.b.build_vector(sizes)
            }
            ImageQuery::ArraySize => {
                let layers = self.descriptor_word(image, offset_of!(ImageDescriptor, layers));
                self.b.cast(CastOp::ZExt, layers, I64)
            }
            ImageQuery::ChannelDataType | ImageQuery::ChannelOrder => {
                let format = self.descriptor_word(image, offset_of!(ImageDescriptor, format));
                let low = if query == ImageQuery::ChannelOrder {
                    let byte = self.b.iconst(I32, 0xff);
                    self.b.binary(BinaryOp::And, format, byte)
                } else {
                    let eight = self.b.iconst(I32, 8);
                    self.b.binary(BinaryOp::LShr, format, eight)
                };
                let high = self.b.iconst(I32, CHANNEL_CONSTANTS);
                self.b.binary(BinaryOp::Or, low, high)
            }
        }
    }

    fn image_kind(&self, image: &Expr) -> ImageKind {
        match self.types.as_image(image.ty) {
            Some((kind, _)) => kind,
            None => unreachable!("{} is no image", self.types.display(image.ty)),
        }
    }

    fn descriptor_word(&mut self, image: Value, offset: usize) -> Value {
        let offset = self.b.iconst(I64, offset as u64);
        let address = self.b.ptr_add(image, offset);
        self.b.load(I32, address, 4, false)
    }

    /// What the library's functions take for the kind: the number of dimensions, and 4 for an array, whose layer comes
    /// behind them; three coordinates, zeros behind those that there are; and the name of their type.
    fn position(
        &mut self,
        kind: ImageKind,
        coordinates: Value,
    ) -> (Value, Vec<Value>, &'static str) {
        let ty = self.b.func.ty(coordinates);
        let is_float = ty.elem.is_float();
        let used = u16::from(kind.dimensions()) + u16::from(kind.is_array());
        let position = (0..3)
            .map(|n| match n {
                _ if n >= used && is_float => self.b.fconst(F32, 0.0),
                _ if n >= used => self.b.iconst(I32, 0),
                _ if ty.is_vector() => self.b.extract(coordinates, n),
                _ => coordinates,
            })
            .collect();
        let bits = u64::from(kind.dimensions()) + if kind.is_array() { 4 } else { 0 };
        let name = if is_float { "float" } else { "int" };
        (self.b.iconst(I32, bits), position, name)
    }
}

/// The suffix of a function's name, and the element of a texel.
fn texel(channels: Channels) -> (&'static str, Elem) {
    match channels {
        Channels::Float | Channels::Half => ("f", Elem::F32),
        Channels::Signed => ("i", Elem::I32),
        Channels::Unsigned => ("ui", Elem::I32),
    }
}
