//! The image types of OpenCL C (OpenCL C 3.0, 6.3.3 and 6.15.15): what kind of image a value names, and what a kernel may do
//! with it.

/// The kinds of images that have types of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ImageKind {
    D1,
    D1Array,
    D1Buffer,
    D2,
    D2Array,
    D2Depth,
    D2ArrayDepth,
    D3,
}

/// The access qualifiers (OpenCL C 3.0, 6.8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Access {
    ReadOnly,
    WriteOnly,
    ReadWrite,
}

impl ImageKind {
    pub const ALL: [ImageKind; 8] = [
        ImageKind::D1,
        ImageKind::D1Array,
        ImageKind::D1Buffer,
        ImageKind::D2,
        ImageKind::D2Array,
        ImageKind::D2Depth,
        ImageKind::D2ArrayDepth,
        ImageKind::D3,
    ];

    /// The type's name.
    pub fn name(self) -> &'static str {
        match self {
            ImageKind::D1 => "image1d_t",
            ImageKind::D1Array => "image1d_array_t",
            ImageKind::D1Buffer => "image1d_buffer_t",
            ImageKind::D2 => "image2d_t",
            ImageKind::D2Array => "image2d_array_t",
            ImageKind::D2Depth => "image2d_depth_t",
            ImageKind::D2ArrayDepth => "image2d_array_depth_t",
            ImageKind::D3 => "image3d_t",
        }
    }

    pub fn of_name(name: &str) -> Option<ImageKind> {
        ImageKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Width; width and height; or width, height and depth.
    pub fn dimensions(self) -> u8 {
        match self {
            ImageKind::D1 | ImageKind::D1Array | ImageKind::D1Buffer => 1,
            ImageKind::D2 | ImageKind::D2Array | ImageKind::D2Depth | ImageKind::D2ArrayDepth => 2,
            ImageKind::D3 => 3,
        }
    }

    pub fn is_array(self) -> bool {
        matches!(
            self,
            ImageKind::D1Array | ImageKind::D2Array | ImageKind::D2ArrayDepth
        )
    }

    /// A read gives one float.
    pub fn is_depth(self) -> bool {
        matches!(self, ImageKind::D2Depth | ImageKind::D2ArrayDepth)
    }

    /// Lanes of a coordinate's type: `int`, `int2` or `int4`.
    pub fn coordinates(self) -> u8 {
        match self.dimensions() + u8::from(self.is_array()) {
            1 => 1,
            2 => 2,
            _ => 4,
        }
    }
}

impl Access {
    pub const ALL: [Access; 3] = [Access::ReadOnly, Access::WriteOnly, Access::ReadWrite];

    pub fn name(self) -> &'static str {
        match self {
            Access::ReadOnly => "read_only",
            Access::WriteOnly => "write_only",
            Access::ReadWrite => "read_write",
        }
    }
}
