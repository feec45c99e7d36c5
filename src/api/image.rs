//! Entry points of image objects: creating them, their queries, and the formats that there are. Source: OpenCL API 5.3.

use super::memory::{KERNEL_ACCESS, check_flags, sub_buffer_flags};
use super::ptr::{Answer, In, Out, properties};
use crate::cl::*;
use crate::runtime::image::{MAX_2D, MAX_3D, MAX_ARRAY, MAX_BUFFER, Shape, Texel};
use crate::runtime::transfer::{Held, Side, Transfer};
use crate::runtime::{Context, Handle, Memory, Object, object};

/// clCreateImage.
pub fn create(
    context: cl_context,
    flags: cl_mem_flags,
    format: In<cl_image_format>,
    desc: In<cl_image_desc>,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    make(context, Vec::new(), flags, format, desc.get(), host_ptr)
}

/// clCreateImageWithProperties.
pub fn create_with_properties(
    context: cl_context,
    property_list: In<cl_mem_properties>,
    flags: cl_mem_flags,
    format: In<cl_image_format>,
    desc: In<cl_image_desc>,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    object::lookup::<Context>(context)?;
    let list = properties(property_list)?;
    // "if a property name in properties is not a supported property name": there is none yet.
    if list.len() > 1 {
        return Err(Error::INVALID_PROPERTY);
    }
    make(context, list, flags, format, desc.get(), host_ptr)
}

/// clCreateImage2D.
pub fn create_2d(
    context: cl_context,
    flags: cl_mem_flags,
    format: In<cl_image_format>,
    [width, height]: [usize; 2],
    row_pitch: usize,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    let desc = cl_image_desc {
        image_width: width,
        image_height: height,
        image_row_pitch: row_pitch,
        ..plain(CL_MEM_OBJECT_IMAGE2D)
    };
    make(context, Vec::new(), flags, format, Some(desc), host_ptr)
}

/// clCreateImage3D.
pub fn create_3d(
    context: cl_context,
    flags: cl_mem_flags,
    format: In<cl_image_format>,
    [width, height, depth]: [usize; 3],
    [row_pitch, slice_pitch]: [usize; 2],
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    let desc = cl_image_desc {
        image_width: width,
        image_height: height,
        image_depth: depth,
        image_row_pitch: row_pitch,
        image_slice_pitch: slice_pitch,
        ..plain(CL_MEM_OBJECT_IMAGE3D)
    };
    make(context, Vec::new(), flags, format, Some(desc), host_ptr)
}

fn plain(kind: cl_mem_object_type) -> cl_image_desc {
    cl_image_desc {
        image_type: kind,
        image_width: 0,
        image_height: 0,
        image_depth: 0,
        image_array_size: 0,
        image_row_pitch: 0,
        image_slice_pitch: 0,
        num_mip_levels: 0,
        num_samples: 0,
        buffer: std::ptr::null_mut(),
    }
}

fn make(
    context: cl_context,
    properties: Vec<cl_mem_properties>,
    flags: cl_mem_flags,
    format: In<cl_image_format>,
    desc: Option<cl_image_desc>,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    let context = object::lookup::<Context>(context)?;
    // "if values specified in image_format are not valid or if image_format is NULL", "if image_desc is NULL".
    let format = format.get().ok_or(Error::INVALID_IMAGE_FORMAT_DESCRIPTOR)?;
    let desc = desc.ok_or(Error::INVALID_IMAGE_DESCRIPTOR)?;
    check_desc(&desc)?;
    if !desc.buffer.is_null() {
        return make_on(&context, properties, flags, format, &desc, host_ptr);
    }
    // "mem_object must be a buffer for CL_MEM_OBJECT_IMAGE1D_BUFFER".
    if desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER {
        return Err(Error::INVALID_IMAGE_DESCRIPTOR);
    }
    let flags = check_flags(flags)?;
    let texel = Texel::of(desc.image_type, &format)?;
    let shape = shape(&desc, texel, !host_ptr.is_null())?;
    // "if host_ptr in image_desc is NULL and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set", and the other way round.
    let wants_host_ptr = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    if host_ptr.is_null() == wants_host_ptr {
        return Err(Error::INVALID_HOST_PTR);
    }
    let too_large = |size: usize| {
        let mut devices = context.devices.iter();
        devices.all(|device| size as u64 > device.max_alloc_size)
    };
    // "if image dimensions specified in image_desc exceed the maximum image dimensions [...] for all devices".
    let size = shape.bytes(texel.size).filter(|&size| !too_large(size));
    let size = size.ok_or(Error::INVALID_IMAGE_SIZE)?;
    let memory = if flags & CL_MEM_COPY_HOST_PTR != 0 {
        // The copy has no gaps.
        let tight = with_pitches(shape, texel, [0, 0])?;
        let size = tight.bytes(texel.size).ok_or(Error::INVALID_IMAGE_SIZE)?;
        let own = flags & !CL_MEM_COPY_HOST_PTR;
        let mut memory = Memory::buffer(context, own, size, std::ptr::null_mut(), properties)?;
        memory.flags = flags;
        let memory = memory.with_image(format, texel, tight);
        copy_in(&memory, &shape, host_ptr.cast());
        memory
    } else {
        Memory::buffer(context, flags, size, host_ptr, properties)?.with_image(format, texel, shape)
    };
    Ok(Object::new(memory).raw())
}

/// Fills a new image from the host's texels, which have the pitches of `shape`.
fn copy_in(memory: &Memory, shape: &Shape, host: *mut u8) {
    let Some(image) = &memory.image else {
        return;
    };
    let [row_pitch, slice_pitch] = shape.pitches();
    let from = Side {
        address: host,
        row_pitch,
        slice_pitch,
    };
    let (to, bytes) = image.region(memory.data(), [0; 3], image.shape.extent());
    // SAFETY: the application gives the rows that its description of the image tells of; the image is new and has room for
    // each of its own; both outlive this call, in which the copy is made.
    let copy = unsafe { Transfer::rectangle(from, to, bytes, Held::new()) };
    copy.run(0..copy.parts());
}

/// What holds whatever the image is made on.
fn check_desc(desc: &cl_image_desc) -> Result<()> {
    let known = (CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER).contains(&desc.image_type);
    // "num_mip_levels and num_samples must be 0".
    if !known || desc.num_mip_levels != 0 || desc.num_samples != 0 {
        return Err(Error::INVALID_IMAGE_DESCRIPTOR);
    }
    Ok(())
}

/// Sizes and pitches of an image. A pitch may only be given where `has_pitches`.
/// # Errors
/// CL_INVALID_IMAGE_SIZE for a size that is 0 or too large, CL_INVALID_IMAGE_DESCRIPTOR for a pitch that can't be.
fn shape(desc: &cl_image_desc, texel: Texel, has_pitches: bool) -> Result<Shape> {
    let kind = desc.image_type;
    let [mut height, mut depth, mut layers] = [1; 3];
    let limit = match kind {
        CL_MEM_OBJECT_IMAGE3D => MAX_3D,
        CL_MEM_OBJECT_IMAGE1D_BUFFER => MAX_BUFFER,
        _ => MAX_2D,
    };
    let check = |size: usize, limit: usize| {
        if size == 0 || size > limit {
            return Err(Error::INVALID_IMAGE_SIZE);
        }
        Ok(size)
    };
    let width = check(desc.image_width, limit)?;
    if matches!(
        kind,
        CL_MEM_OBJECT_IMAGE2D | CL_MEM_OBJECT_IMAGE2D_ARRAY | CL_MEM_OBJECT_IMAGE3D
    ) {
        height = check(desc.image_height, limit)?;
    }
    if kind == CL_MEM_OBJECT_IMAGE3D {
        depth = check(desc.image_depth, limit)?;
    }
    if matches!(
        kind,
        CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE2D_ARRAY
    ) {
        layers = check(desc.image_array_size, MAX_ARRAY)?;
    }
    let shape = Shape {
        kind,
        width,
        height,
        depth,
        layers,
        row_pitch: 0,
        slice_pitch: 0,
    };
    let pitches = [desc.image_row_pitch, desc.image_slice_pitch];
    // "image_row_pitch must be 0 if host_ptr is NULL", and so for image_slice_pitch.
    if !has_pitches && pitches != [0, 0] {
        return Err(Error::INVALID_IMAGE_DESCRIPTOR);
    }
    with_pitches(shape, texel, pitches)
}

/// The shape with its pitches filled in.
fn with_pitches(shape: Shape, texel: Texel, [row, slice]: [usize; 2]) -> Result<Shape> {
    let least = shape.width * texel.size;
    let row_pitch = if row == 0 { least } else { row };
    // "can be either 0 or >= image_width x size of element in bytes", "must be a multiple of the image element size".
    if row_pitch < least || !row_pitch.is_multiple_of(texel.size) {
        return Err(Error::INVALID_IMAGE_DESCRIPTOR);
    }
    let least = row_pitch
        .checked_mul(shape.height)
        .ok_or(Error::INVALID_IMAGE_DESCRIPTOR)?;
    let slice_pitch = if slice == 0 || !shape.has_slices() {
        least
    } else {
        slice
    };
    // "can be either 0 or >= image_row_pitch x image_height", "must be a multiple of the image row pitch".
    if slice_pitch < least || !slice_pitch.is_multiple_of(row_pitch) {
        return Err(Error::INVALID_IMAGE_DESCRIPTOR);
    }
    Ok(Shape {
        row_pitch,
        slice_pitch,
        ..shape
    })
}

/// An image on a buffer (5.3.1.4) or on another image.
fn make_on(
    context: &Handle<Context>,
    properties: Vec<cl_mem_properties>,
    flags: cl_mem_flags,
    format: cl_image_format,
    desc: &cl_image_desc,
    host_ptr: *mut c_void,
) -> Result<cl_mem> {
    // "a valid buffer memory object if image_type is CL_MEM_OBJECT_IMAGE1D_BUFFER or CL_MEM_OBJECT_IMAGE2D [...], an image
    // object if image_type is CL_MEM_OBJECT_IMAGE2D. Otherwise it must be NULL."
    let parent = object::lookup::<Memory>(desc.buffer);
    let parent = parent.map_err(|_| Error::INVALID_IMAGE_DESCRIPTOR)?;
    let fits = match desc.image_type {
        CL_MEM_OBJECT_IMAGE1D_BUFFER => parent.is_buffer(),
        CL_MEM_OBJECT_IMAGE2D => true,
        _ => false,
    };
    if !fits || parent.context.raw() != context.raw() {
        return Err(Error::INVALID_IMAGE_DESCRIPTOR);
    }
    let flags = sub_buffer_flags(parent.flags, flags)?;
    if !host_ptr.is_null() {
        return Err(Error::INVALID_HOST_PTR);
    }
    let texel = Texel::of(desc.image_type, &format)?;
    let shape = match &parent.image {
        None => {
            // An image buffer has one row, whose pitch changes nothing: the specification wants it to be 0, the conformance
            // tests give it all the same.
            let shape = shape(desc, texel, true)?;
            let bytes = shape.bytes(texel.size);
            // "image_row_pitch x image_height [...] must be <= the size in bytes of the buffer".
            if bytes.is_none_or(|bytes| bytes > parent.size) {
                return Err(if desc.image_type == CL_MEM_OBJECT_IMAGE2D {
                    Error::INVALID_IMAGE_SIZE
                } else {
                    Error::INVALID_IMAGE_DESCRIPTOR
                });
            }
            shape
        }
        Some(image) => {
            // "image_width and image_height must be equal to those of the image", the formats "compatible".
            let same = desc.image_width == image.shape.width
                && desc.image_height == image.shape.height
                && image.shape.kind == CL_MEM_OBJECT_IMAGE2D
                && [0, image.shape.row_pitch].contains(&desc.image_row_pitch)
                && desc.image_slice_pitch == 0;
            if !same {
                return Err(Error::INVALID_IMAGE_DESCRIPTOR);
            }
            if !may_view(&image.format, &format) {
                return Err(Error::INVALID_IMAGE_FORMAT_DESCRIPTOR);
            }
            image.shape
        }
    };
    let memory = Memory::image_on(parent, flags, properties, (format, texel, shape));
    Ok(Object::new(memory).raw())
}

/// Whether an image of one format may be seen as one of the other (5.3.1.3, the table of compatible channel orders).
fn may_view(parent: &cl_image_format, view: &cl_image_format) -> bool {
    const PAIRS: [[cl_channel_order; 2]; 3] =
        [[CL_sBGRA, CL_BGRA], [CL_sRGBA, CL_RGBA], [CL_DEPTH, CL_R]];
    let orders = [parent.image_channel_order, view.image_channel_order];
    let paired = |pair: &[cl_channel_order; 2]| orders == *pair || orders == [pair[1], pair[0]];
    parent.image_channel_data_type == view.image_channel_data_type
        && (orders[0] == orders[1] || PAIRS.iter().any(paired))
}

/// clGetSupportedImageFormats.
pub fn get_supported_formats(
    context: cl_context,
    flags: cl_mem_flags,
    image_type: cl_mem_object_type,
    num_entries: cl_uint,
    formats: Out<cl_image_format>,
    num_formats: Out<cl_uint>,
) -> Result<()> {
    object::lookup::<Context>(context)?;
    // "if flags or image_type are not valid"; CL_MEM_KERNEL_READ_AND_WRITE is for this call alone.
    let flags = match flags & CL_MEM_KERNEL_READ_AND_WRITE {
        0 => flags,
        _ => flags & !(CL_MEM_KERNEL_READ_AND_WRITE | KERNEL_ACCESS),
    };
    check_flags(flags)?;
    let is_image = (CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER).contains(&image_type);
    // "if num_entries is zero and image_formats is not NULL".
    if !is_image || (num_entries == 0 && !formats.is_null()) {
        return Err(Error::INVALID_VALUE);
    }
    let list = crate::runtime::image::formats(image_type);
    num_formats.put(list.len() as cl_uint);
    formats.put_list(list, num_entries as usize);
    Ok(())
}

/// clGetImageInfo.
pub fn get_info(
    image: cl_mem,
    name: cl_image_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let memory = object::lookup::<Memory>(image)?;
    let image = memory.image.as_ref().ok_or(Error::INVALID_MEM_OBJECT)?;
    let answer = Answer::new(room, value, size_ret);
    let shape = &image.shape;
    // What the type does not have is told as 0.
    let if_any = |has: bool, size: usize| if has { size } else { 0 };
    let is_flat = matches!(
        shape.kind,
        CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE1D_ARRAY | CL_MEM_OBJECT_IMAGE1D_BUFFER
    );
    match name {
        CL_IMAGE_FORMAT => answer.list(&[
            image.format.image_channel_order,
            image.format.image_channel_data_type,
        ]),
        CL_IMAGE_ELEMENT_SIZE => answer.value(image.texel.size),
        CL_IMAGE_ROW_PITCH => answer.value(shape.row_pitch),
        CL_IMAGE_SLICE_PITCH => answer.value(if_any(shape.has_slices(), shape.slice_pitch)),
        CL_IMAGE_WIDTH => answer.value(shape.width),
        CL_IMAGE_HEIGHT => answer.value(if_any(!is_flat, shape.height)),
        CL_IMAGE_DEPTH => answer.value(if_any(shape.kind == CL_MEM_OBJECT_IMAGE3D, shape.depth)),
        CL_IMAGE_ARRAY_SIZE => answer.value(if_any(shape.is_array(), shape.layers)),
        CL_IMAGE_BUFFER => answer.value::<cl_mem>(match &memory.parent {
            Some(parent) if parent.is_buffer() => parent.raw(),
            _ => std::ptr::null_mut(),
        }),
        CL_IMAGE_NUM_MIP_LEVELS | CL_IMAGE_NUM_SAMPLES => answer.value::<cl_uint>(0),
        _ => Err(Error::INVALID_VALUE),
    }
}
