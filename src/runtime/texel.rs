//! Image formats: which there are, how large a texel is, and the bytes of a colour.
//!
//! Source: OpenCL API 5.3.1.1; OpenCL C 3.0, 8.3 for the conversions, which `builtins/image_texel.cl` does for kernels.

// The names of CL.
#![allow(non_upper_case_globals)]

use crate::cl::*;

/// What memory holds of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texel {
    pub channels: usize,
    /// In bytes: 1, 2, 4, 8 or 16.
    pub size: usize,
}

const NORMALIZED: [cl_channel_type; 4] =
    [CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16];
const FLOATS: [cl_channel_type; 2] = [CL_HALF_FLOAT, CL_FLOAT];
const INTEGERS: [cl_channel_type; 6] = [
    CL_SIGNED_INT8,
    CL_SIGNED_INT16,
    CL_SIGNED_INT32,
    CL_UNSIGNED_INT8,
    CL_UNSIGNED_INT16,
    CL_UNSIGNED_INT32,
];
const BYTES: [cl_channel_type; 4] = [
    CL_UNORM_INT8,
    CL_SNORM_INT8,
    CL_SIGNED_INT8,
    CL_UNSIGNED_INT8,
];
const PACKED: [cl_channel_type; 3] = [CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010];

/// Channels of an order; none for an order that there is not.
fn channels(order: cl_channel_order) -> Option<usize> {
    Some(match order {
        CL_R | CL_A | CL_INTENSITY | CL_LUMINANCE | CL_DEPTH | CL_Rx => 1,
        CL_RG | CL_RA | CL_RGx => 2,
        CL_RGB | CL_RGBx | CL_sRGB => 3,
        CL_RGBA | CL_BGRA | CL_ARGB | CL_ABGR | CL_sRGBA | CL_sBGRA | CL_sRGBx => 4,
        _ => return None,
    })
}

/// The data types that go with an order, on this device.
fn types(order: cl_channel_order) -> Vec<cl_channel_type> {
    match order {
        CL_R | CL_A | CL_RG | CL_RA => [&NORMALIZED[..], &FLOATS, &INTEGERS].concat(),
        CL_RGBA => [
            &NORMALIZED[..],
            &FLOATS,
            &INTEGERS,
            &[CL_UNORM_INT_101010_2],
        ]
        .concat(),
        CL_INTENSITY | CL_LUMINANCE => [&NORMALIZED[..], &FLOATS].concat(),
        CL_BGRA | CL_ARGB | CL_ABGR => BYTES.to_vec(),
        CL_RGB => PACKED.to_vec(),
        CL_DEPTH => vec![CL_UNORM_INT16, CL_FLOAT],
        CL_sRGBA | CL_sBGRA => vec![CL_UNORM_INT8],
        _ => Vec::new(),
    }
}

const ORDERS: [cl_channel_order; 14] = [
    CL_R,
    CL_A,
    CL_RG,
    CL_RA,
    CL_RGB,
    CL_RGBA,
    CL_BGRA,
    CL_ARGB,
    CL_ABGR,
    CL_INTENSITY,
    CL_LUMINANCE,
    CL_DEPTH,
    CL_sRGBA,
    CL_sBGRA,
];

/// Whether an image of a type may have an order: depths are two-dimensional, and buffers hold no sRGB.
fn suits(kind: cl_mem_object_type, order: cl_channel_order) -> bool {
    match order {
        CL_DEPTH => matches!(kind, CL_MEM_OBJECT_IMAGE2D | CL_MEM_OBJECT_IMAGE2D_ARRAY),
        CL_sRGBA | CL_sBGRA => kind != CL_MEM_OBJECT_IMAGE1D_BUFFER,
        _ => true,
    }
}

/// All formats of images of a type.
pub fn formats(kind: cl_mem_object_type) -> Vec<cl_image_format> {
    ORDERS
        .into_iter()
        .filter(|&order| suits(kind, order))
        .flat_map(|order| {
            types(order).into_iter().map(move |ty| cl_image_format {
                image_channel_order: order,
                image_channel_data_type: ty,
            })
        })
        .collect()
}

impl Texel {
    /// The texel of a format that images of a type may have.
    /// # Errors
    /// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR when order and type are none, or don't go together;
    /// CL_IMAGE_FORMAT_NOT_SUPPORTED when this device does not have the format.
    pub fn of(kind: cl_mem_object_type, format: &cl_image_format) -> Result<Texel> {
        let (order, ty) = (format.image_channel_order, format.image_channel_data_type);
        let channels = channels(order).ok_or(Error::INVALID_IMAGE_FORMAT_DESCRIPTOR)?;
        let size = match ty {
            CL_SNORM_INT8 | CL_UNORM_INT8 | CL_SIGNED_INT8 | CL_UNSIGNED_INT8 => channels,
            CL_SNORM_INT16 | CL_UNORM_INT16 | CL_SIGNED_INT16 | CL_UNSIGNED_INT16
            | CL_HALF_FLOAT => 2 * channels,
            CL_SIGNED_INT32 | CL_UNSIGNED_INT32 | CL_FLOAT => 4 * channels,
            CL_UNORM_SHORT_565 | CL_UNORM_SHORT_555 => 2,
            CL_UNORM_INT_101010 | CL_UNORM_INT_101010_2 => 4,
            _ => return Err(Error::INVALID_IMAGE_FORMAT_DESCRIPTOR),
        };
        let packed = PACKED.contains(&ty);
        // "CL_UNORM_SHORT_565 [...]: the channel order must be CL_RGB or CL_RGBx", and so for its kin.
        if packed && !matches!(order, CL_RGB | CL_RGBx) {
            return Err(Error::INVALID_IMAGE_FORMAT_DESCRIPTOR);
        }
        if !types(order).contains(&ty) || !suits(kind, order) {
            return Err(Error::IMAGE_FORMAT_NOT_SUPPORTED);
        }
        Ok(Texel { channels, size })
    }

    /// The bytes of a colour given as four 32-bit words, as clEnqueueFillImage takes it: floats, or integers for the integer
    /// types.
    pub fn bytes(&self, format: &cl_image_format, color: [u32; 4]) -> Vec<u8> {
        let [r, g, b, a] = color;
        let order = match format.image_channel_order {
            CL_A => [a, 0, 0, 0],
            CL_RA => [r, a, 0, 0],
            CL_BGRA | CL_sBGRA => [b, g, r, a],
            CL_ARGB => [a, r, g, b],
            CL_ABGR => [a, b, g, r],
            _ => color,
        };
        let is_srgb = matches!(format.image_channel_order, CL_sRGBA | CL_sBGRA);
        let mut out = Vec::with_capacity(self.size);
        let float = |n: usize| f32::from_bits(order[n]);
        match format.image_channel_data_type {
            CL_UNORM_SHORT_565 => {
                let word = nearest(float(0), 31.0) << 11
                    | nearest(float(1), 63.0) << 5
                    | nearest(float(2), 31.0);
                out.extend((word as u16).to_ne_bytes());
            }
            CL_UNORM_SHORT_555 => {
                let word = nearest(float(0), 31.0) << 10
                    | nearest(float(1), 31.0) << 5
                    | nearest(float(2), 31.0);
                out.extend((word as u16).to_ne_bytes());
            }
            CL_UNORM_INT_101010 => {
                let [x, y, z] = [0, 1, 2].map(|n| nearest(float(n), 1023.0));
                out.extend((x << 20 | y << 10 | z).to_ne_bytes());
            }
            CL_UNORM_INT_101010_2 => {
                let [x, y, z] = [0, 1, 2].map(|n| nearest(float(n), 1023.0));
                let w = nearest(float(3), 3.0);
                out.extend((x << 22 | y << 12 | z << 2 | w).to_ne_bytes());
            }
            ty => {
                for (n, &bits) in order.iter().enumerate().take(self.channels) {
                    let encode = is_srgb && n < 3;
                    channel(ty, bits, encode, &mut out);
                }
            }
        }
        out
    }
}

/// The nearest of 0 to `top` for 0.0 to 1.0, even if between two; what is no number is 0.
fn nearest(value: f32, top: f32) -> u32 {
    (value.clamp(0.0, 1.0) * top).round_ties_even() as u32
}

fn signed_nearest(value: f32, top: f32) -> i32 {
    (value.clamp(-1.0, 1.0) * top).round_ties_even() as i32
}

fn channel(ty: cl_channel_type, bits: u32, is_srgb: bool, out: &mut Vec<u8>) {
    let float = f32::from_bits(bits);
    match ty {
        CL_UNORM_INT8 if is_srgb => out.push(nearest(srgb(float), 255.0) as u8),
        CL_UNORM_INT8 => out.push(nearest(float, 255.0) as u8),
        CL_SNORM_INT8 => out.push(signed_nearest(float, 127.0) as u8),
        CL_UNORM_INT16 => out.extend((nearest(float, 65535.0) as u16).to_ne_bytes()),
        CL_SNORM_INT16 => out.extend((signed_nearest(float, 32767.0) as i16).to_ne_bytes()),
        CL_HALF_FLOAT => out.extend(half::f16::from_f32(float).to_ne_bytes()),
        CL_SIGNED_INT8 => out.push((bits as i32).clamp(-128, 127) as u8),
        CL_SIGNED_INT16 => {
            out.extend(((bits as i32).clamp(-32768, 32767) as i16).to_ne_bytes());
        }
        CL_UNSIGNED_INT8 => out.push(bits.min(255) as u8),
        CL_UNSIGNED_INT16 => out.extend((bits.min(65535) as u16).to_ne_bytes()),
        // CL_FLOAT, CL_SIGNED_INT32, CL_UNSIGNED_INT32
        _ => out.extend(bits.to_ne_bytes()),
    }
}

/// The sRGB transfer function (OpenCL C 3.0, 8.3.1.3).
fn srgb(linear: f32) -> f32 {
    let c = f64::from(linear);
    let encoded = match c {
        c if c.is_nan() || c <= 0.0 => 0.0,
        c if c >= 1.0 => 1.0,
        c if c < 0.0031308 => 12.92 * c,
        c => 1.055 * c.powf(1.0 / 2.4) - 0.055,
    };
    encoded as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(order: cl_channel_order, ty: cl_channel_type) -> cl_image_format {
        cl_image_format {
            image_channel_order: order,
            image_channel_data_type: ty,
        }
    }

    fn bytes(order: cl_channel_order, ty: cl_channel_type, color: [f32; 4]) -> Vec<u8> {
        let format = format(order, ty);
        let texel = Texel::of(CL_MEM_OBJECT_IMAGE2D, &format).expect("a supported format");
        let bytes = texel.bytes(&format, color.map(f32::to_bits));
        assert_eq!(bytes.len(), texel.size);
        bytes
    }

    #[test]
    fn the_formats_that_the_full_profile_asks_for_are_there() {
        // OpenCL API, table "Minimum list of required image formats: kernel read or write".
        let all = formats(CL_MEM_OBJECT_IMAGE2D);
        let has = |order, ty| all.contains(&format(order, ty));
        for order in [CL_R, CL_RG, CL_RGBA] {
            for ty in [&NORMALIZED[..], &FLOATS, &INTEGERS].concat() {
                assert!(has(order, ty), "{order:x} {ty:x}");
            }
        }
        assert!(has(CL_BGRA, CL_UNORM_INT8) && has(CL_sRGBA, CL_UNORM_INT8));
        assert!(has(CL_DEPTH, CL_UNORM_INT16) && has(CL_DEPTH, CL_FLOAT));
    }

    #[test]
    fn formats_that_can_not_be_differ_from_those_that_are_not_there() {
        let of = |order, ty| Texel::of(CL_MEM_OBJECT_IMAGE2D, &format(order, ty)).err();
        assert_eq!(
            of(0, CL_FLOAT),
            Some(Error::INVALID_IMAGE_FORMAT_DESCRIPTOR)
        );
        assert_eq!(
            of(CL_R, CL_UNORM_SHORT_565),
            Some(Error::INVALID_IMAGE_FORMAT_DESCRIPTOR)
        );
        assert_eq!(
            of(CL_RGB, CL_FLOAT),
            Some(Error::IMAGE_FORMAT_NOT_SUPPORTED)
        );
    }

    #[test]
    fn colours_become_bytes_in_the_order_of_the_channels() {
        let color = [1.0, 0.5, 0.0, 0.2];
        assert_eq!(bytes(CL_BGRA, CL_UNORM_INT8, color), [0, 128, 255, 51]);
        assert_eq!(bytes(CL_ARGB, CL_UNORM_INT8, color), [51, 255, 128, 0]);
        assert_eq!(bytes(CL_A, CL_UNORM_INT8, color), [51]);
        assert_eq!(bytes(CL_R, CL_SNORM_INT8, [-2.0, 0.0, 0.0, 0.0]), [0x81]);
        assert_eq!(bytes(CL_R, CL_UNORM_INT8, [f32::NAN, 0.0, 0.0, 0.0]), [0]);
        let word = bytes(CL_RGB, CL_UNORM_SHORT_565, [1.0, 0.0, 1.0, 0.0]);
        assert_eq!(u16::from_ne_bytes([word[0], word[1]]), 0xf81f);
        assert_eq!(
            bytes(CL_sRGBA, CL_UNORM_INT8, [0.5, 0.0, 1.0, 0.5]),
            [188, 0, 255, 128]
        );
    }
}
