//! Images and samplers of run tests: `image KIND ORDER TYPE W[,H[,D]] ELEM[COUNT] = EXPR` names the constants of CL/cl.h
//! without their prefixes.

use clotho::ir::abi::{ImageDescriptor, image_format};

/// An image without gaps, and what its texels are.
#[derive(Clone, Debug)]
pub struct ImageType {
    /// A `cl_mem_object_type`.
    pub kind: u32,
    pub order: u32,
    pub data_type: u32,
    /// Texels in a row, rows, slices; the layers of an array come last.
    pub size: [usize; 3],
}

const KINDS: [(&str, u32); 5] = [
    ("2d", 0x10f1),
    ("3d", 0x10f2),
    ("2d_array", 0x10f3),
    ("1d", 0x10f4),
    ("1d_array", 0x10f5),
];

const ORDERS: [(&str, u32); 14] = [
    ("R", 0x10b0),
    ("A", 0x10b1),
    ("RG", 0x10b2),
    ("RA", 0x10b3),
    ("RGB", 0x10b4),
    ("RGBA", 0x10b5),
    ("BGRA", 0x10b6),
    ("ARGB", 0x10b7),
    ("INTENSITY", 0x10b8),
    ("LUMINANCE", 0x10b9),
    ("DEPTH", 0x10bd),
    ("sRGBA", 0x10c1),
    ("sBGRA", 0x10c2),
    ("ABGR", 0x10c3),
];

const TYPES: [(&str, u32); 16] = [
    ("SNORM_INT8", 0x10d0),
    ("SNORM_INT16", 0x10d1),
    ("UNORM_INT8", 0x10d2),
    ("UNORM_INT16", 0x10d3),
    ("UNORM_SHORT_565", 0x10d4),
    ("UNORM_SHORT_555", 0x10d5),
    ("UNORM_INT_101010", 0x10d6),
    ("SIGNED_INT8", 0x10d7),
    ("SIGNED_INT16", 0x10d8),
    ("SIGNED_INT32", 0x10d9),
    ("UNSIGNED_INT8", 0x10da),
    ("UNSIGNED_INT16", 0x10db),
    ("UNSIGNED_INT32", 0x10dc),
    ("HALF_FLOAT", 0x10dd),
    ("FLOAT", 0x10de),
    ("UNORM_INT_101010_2", 0x10e0),
];

impl ImageType {
    /// `KIND ORDER TYPE W[,H[,D]]`, and the text behind it.
    pub fn parse(text: &str) -> Result<(ImageType, &str), String> {
        let mut words = text.splitn(5, ' ');
        let mut next = || words.next().ok_or("incomplete image");
        let kind = find(&KINDS, next()?)?;
        let order = find(&ORDERS, next()?)?;
        let data_type = find(&TYPES, next()?)?;
        let mut size = [1; 3];
        let sizes = next()?.split(',');
        for (to, from) in size.iter_mut().zip(sizes) {
            *to = from.parse().map_err(|_| format!("`{from}` is no size"))?;
        }
        let image = ImageType {
            kind,
            order,
            data_type,
            size,
        };
        Ok((image, next()?))
    }

    /// What a kernel gets for `bytes` of texels at `address`.
    pub fn descriptor(&self, address: u64, bytes: usize) -> ImageDescriptor {
        let [width, rows, slices] = self.size;
        let row = bytes / (rows * slices);
        let (height, depth, layers, slice) = match self.kind {
            0x10f5 => (1, 1, rows, row),
            0x10f3 => (rows, 1, slices, row * rows),
            _ => (rows, slices, 1, row * rows),
        };
        ImageDescriptor {
            data: address,
            row_pitch: row as u64,
            slice_pitch: slice as u64,
            width: width as u32,
            height: height as u32,
            depth: depth as u32,
            layers: layers as u32,
            format: image_format(self.order, self.data_type),
        }
    }
}

fn find(list: &[(&str, u32)], name: &str) -> Result<u32, String> {
    let found = list.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("unknown image constant `{name}`"))
}

/// The bytes of a descriptor.
pub fn bytes(descriptor: &ImageDescriptor) -> Vec<u8> {
    let ImageDescriptor {
        data,
        row_pitch,
        slice_pitch,
        width,
        height,
        depth,
        layers,
        format,
    } = descriptor;
    let mut out = Vec::new();
    for word in [data, row_pitch, slice_pitch] {
        out.extend(word.to_le_bytes());
    }
    for word in [width, height, depth, layers, format] {
        out.extend(word.to_le_bytes());
    }
    out.resize(size_of::<ImageDescriptor>(), 0);
    out
}
