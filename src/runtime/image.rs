//! Images: a memory object's bytes as rows and slices of texels.
//!
//! Source: OpenCL API 5.3. An image of our own is laid out without gaps; one on the application's memory
//! (CL_MEM_USE_HOST_PTR) or on a buffer keeps the pitches given. Kernels reach it by its [`ImageDescriptor`], whose address
//! is their argument.

use super::transfer::Side;
use crate::cl::*;
use crate::compiler::abi::{IMAGE_LARGE, ImageDescriptor, image_format};
use crate::compiler::{Access, ImageKind};

pub use super::texel::{Texel, formats};

/// Limits in texels (CL_DEVICE_IMAGE2D_MAX_WIDTH and the like).
pub const MAX_2D: usize = 16384;
pub const MAX_3D: usize = 2048;
pub const MAX_ARRAY: usize = 2048;
pub const MAX_BUFFER: usize = 1 << 26;

/// Sizes and pitches of an image; what its type does not have is 1 texel, or a pitch like the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub kind: cl_mem_object_type,
    /// In texels; layers of an array.
    pub width: usize,
    pub height: usize,
    pub depth: usize,
    pub layers: usize,
    /// In bytes.
    pub row_pitch: usize,
    pub slice_pitch: usize,
}

pub struct Image {
    pub format: cl_image_format,
    pub texel: Texel,
    pub shape: Shape,
    /// On the heap, so that its address stays.
    descriptor: Box<ImageDescriptor>,
}

impl Shape {
    /// Texels in a row, rows, slices: what origins and regions of commands count (5.3.2). The layers of an array stand in the
    /// dimension behind those of its images.
    pub fn extent(&self) -> [usize; 3] {
        match self.kind {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => [self.width, self.layers, 1],
            CL_MEM_OBJECT_IMAGE2D_ARRAY => [self.width, self.height, self.layers],
            _ => [self.width, self.height, self.depth],
        }
    }

    /// Bytes from a row to the next, and from a slice to the next, as [`Shape::extent`] counts them.
    pub fn pitches(&self) -> [usize; 2] {
        match self.kind {
            CL_MEM_OBJECT_IMAGE1D_ARRAY => [self.slice_pitch, self.slice_pitch],
            _ => [self.row_pitch, self.slice_pitch],
        }
    }

    pub fn is_array(&self) -> bool {
        matches!(
            self.kind,
            CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D_ARRAY
        )
    }

    /// Whether it has slices or layers, and so a slice pitch.
    pub fn has_slices(&self) -> bool {
        self.is_array() || self.kind == CL_MEM_OBJECT_IMAGE3D
    }

    /// Bytes from the first texel to behind the last, with the pitches; none if they can't be counted.
    pub fn bytes(&self, texel: usize) -> Option<usize> {
        let [width, height, depth] = self.extent();
        let [row, slice] = self.pitches();
        let rows = (height - 1).checked_mul(row)?;
        let slices = (depth - 1).checked_mul(slice)?;
        width
            .checked_mul(texel)?
            .checked_add(rows)?
            .checked_add(slices)
    }
}

impl Image {
    /// `data` is the first texel. The shape's bytes must be countable and in memory.
    pub fn new(format: cl_image_format, texel: Texel, shape: Shape, data: *mut u8) -> Image {
        let mut word = image_format(format.image_channel_order, format.image_channel_data_type);
        let bytes = shape.bytes(texel.size).unwrap_or(usize::MAX);
        if bytes >= 1 << 31 {
            word |= IMAGE_LARGE;
        }
        let descriptor = ImageDescriptor {
            data: data as u64,
            row_pitch: shape.row_pitch as u64,
            slice_pitch: shape.slice_pitch as u64,
            width: shape.width as u32,
            height: shape.height as u32,
            depth: shape.depth as u32,
            layers: shape.layers as u32,
            format: word,
        };
        Image {
            format,
            texel,
            shape,
            descriptor: Box::new(descriptor),
        }
    }

    /// What a kernel's argument is: valid as long as the image lives.
    pub fn descriptor(&self) -> &ImageDescriptor {
        &self.descriptor
    }

    /// Whether a parameter of this type may take it.
    pub fn fits(&self, kind: ImageKind) -> bool {
        let is_depth = self.format.image_channel_order == CL_DEPTH;
        let wanted = match kind {
            ImageKind::D1 => CL_MEM_OBJECT_IMAGE1D,
            ImageKind::D1Array => CL_MEM_OBJECT_IMAGE1D_ARRAY,
            ImageKind::D1Buffer => CL_MEM_OBJECT_IMAGE1D_BUFFER,
            ImageKind::D2 | ImageKind::D2Depth => CL_MEM_OBJECT_IMAGE2D,
            ImageKind::D2Array | ImageKind::D2ArrayDepth => CL_MEM_OBJECT_IMAGE2D_ARRAY,
            ImageKind::D3 => CL_MEM_OBJECT_IMAGE3D,
        };
        self.shape.kind == wanted && kind.is_depth() == is_depth
    }

    /// The bytes of a region, from its first texel on, and its rows' bytes, rows and slices.
    pub fn region(
        &self,
        data: *mut u8,
        origin: [usize; 3],
        region: [usize; 3],
    ) -> (Side, [usize; 3]) {
        let [row_pitch, slice_pitch] = self.shape.pitches();
        let side = Side {
            address: data.wrapping_add(self.offset(origin)),
            row_pitch,
            slice_pitch,
        };
        let bytes = [region[0] * self.texel.size, region[1], region[2]];
        (side, bytes)
    }

    /// Bytes from the first texel to that at `origin`.
    pub fn offset(&self, origin: [usize; 3]) -> usize {
        let [row_pitch, slice_pitch] = self.shape.pitches();
        origin[0] * self.texel.size + origin[1] * row_pitch + origin[2] * slice_pitch
    }
}

/// Whether an image of these flags may be the argument of a parameter with this access (clSetKernelArg).
pub fn may_be(flags: cl_mem_flags, access: Access) -> bool {
    match access {
        Access::ReadOnly => flags & CL_MEM_WRITE_ONLY == 0,
        Access::WriteOnly => flags & CL_MEM_READ_ONLY == 0,
        Access::ReadWrite => flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY) == 0,
    }
}
