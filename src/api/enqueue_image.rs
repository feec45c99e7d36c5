//! Commands on images: read, write, copy, fill, to and from buffers, map. Source: OpenCL API 5.3.2 to 5.3.6.

use super::enqueue_buffer::{check_host_access, check_map_flags};
use super::enqueue_sync::{Waits, buffer, host_queue, memory, submit};
use super::ptr::{In, Out};
use crate::cl::*;
use crate::runtime::command::Action;
use crate::runtime::image::Image;
use crate::runtime::memory::Mapping;
use crate::runtime::transfer::{Fill, Side, Transfer};
use crate::runtime::{Handle, Memory, Queue};
use smallvec::smallvec;

/// First corner and size of a region, in texels, rows and slices (or layers).
type Box3 = ([usize; 3], [usize; 3]);

/// A memory object that is an image.
struct ImageRef(Handle<Memory>);

impl ImageRef {
    fn image(&self) -> &Image {
        match &self.0.image {
            Some(image) => image,
            None => unreachable!("`image` saw one"),
        }
    }

    /// The bytes of a region that has been checked.
    fn region(&self, (origin, region): Box3) -> (Side, [usize; 3]) {
        self.image().region(self.0.data(), origin, region)
    }
}

/// An image of the queue's context.
fn image(queue: &Queue, handle: cl_mem) -> Result<ImageRef> {
    let memory = memory(queue, handle)?;
    match memory.image {
        Some(_) => Ok(ImageRef(memory)),
        None => Err(Error::INVALID_MEM_OBJECT),
    }
}

fn triple(list: In<usize>) -> Result<[usize; 3]> {
    <[usize; 3]>::try_from(list.list(3)).map_err(|_| Error::INVALID_VALUE)
}

/// "if the region being read specified by origin and region is out of bounds", "if values in origin and region do not follow
/// rules described in the argument description for origin and region", "if origin or region is NULL".
fn checked(image: &Image, origin: In<usize>, region: In<usize>) -> Result<Box3> {
    let (origin, region) = (triple(origin)?, triple(region)?);
    let extent = image.shape.extent();
    let inside = (0..3).all(|n| {
        let end = origin[n].checked_add(region[n]);
        region[n] > 0 && end.is_some_and(|end| end <= extent[n])
    });
    if inside {
        Ok((origin, region))
    } else {
        Err(Error::INVALID_VALUE)
    }
}

/// The host's side of a read or write: pitches are filled in where they are 0.
fn host_side(
    image: &Image,
    region: [usize; 3],
    pitches: [usize; 2],
    host: *mut u8,
) -> Result<Side> {
    let [row, slice] = pitches;
    let bytes = region[0] * image.texel.size;
    let row_pitch = if row == 0 { bytes } else { row };
    // "must be greater than or equal to the element size in bytes x width".
    if row_pitch < bytes || (!image.shape.has_slices() && slice != 0) {
        return Err(Error::INVALID_VALUE);
    }
    // An array of 1D images has its layers where others have rows.
    let rows = match image.shape.kind {
        CL_MEM_OBJECT_IMAGE1D_ARRAY => 1,
        _ => region[1],
    };
    let least = row_pitch.checked_mul(rows).ok_or(Error::INVALID_VALUE)?;
    let slice_pitch = if slice == 0 { least } else { slice };
    // "must be greater than or equal to row_pitch x height".
    if slice_pitch < least {
        return Err(Error::INVALID_VALUE);
    }
    let row_pitch = match image.shape.kind {
        CL_MEM_OBJECT_IMAGE1D_ARRAY => slice_pitch,
        _ => row_pitch,
    };
    Ok(Side {
        address: host,
        row_pitch,
        slice_pitch,
    })
}

/// Where a command on an image takes place: the three of its arguments.
pub struct Area {
    pub origin: In<usize>,
    pub region: In<usize>,
    /// Row and slice pitch of the host's side.
    pub pitches: [usize; 2],
}

/// clEnqueueReadImage.
pub fn read(
    queue: cl_command_queue,
    source: cl_mem,
    blocking: cl_bool,
    area: &Area,
    ptr: *mut c_void,
    waits: Waits,
) -> Result<()> {
    host_transfer(queue, source, blocking, area, (ptr.cast(), true), waits)
}

/// clEnqueueWriteImage.
pub fn write(
    queue: cl_command_queue,
    target: cl_mem,
    blocking: cl_bool,
    area: &Area,
    ptr: In<c_void>,
    waits: Waits,
) -> Result<()> {
    let host = ptr.address().cast::<u8>().cast_mut();
    host_transfer(queue, target, blocking, area, (host, false), waits)
}

fn host_transfer(
    queue: cl_command_queue,
    handle: cl_mem,
    blocking: cl_bool,
    area: &Area,
    (host, reads): (*mut u8, bool),
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let image = image(&queue, handle)?;
    let at = checked(image.image(), area.origin, area.region)?;
    // "if ptr is NULL".
    if host.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let of_host = host_side(image.image(), at.1, area.pitches, host)?;
    let events = waits.events(&queue)?;
    let (of_image, bytes) = image.region(at);
    let (source, target, kind, forbidden) = if reads {
        (
            of_image,
            of_host,
            CL_COMMAND_READ_IMAGE,
            CL_MEM_HOST_WRITE_ONLY,
        )
    } else {
        (
            of_host,
            of_image,
            CL_COMMAND_WRITE_IMAGE,
            CL_MEM_HOST_READ_ONLY,
        )
    };
    check_host_access(&image.0, forbidden)?;
    // SAFETY: the image's side is in bounds and held; the host's side is the application's promise.
    let transfer = unsafe { Transfer::rectangle(source, target, bytes, smallvec![image.0]) };
    let action = Action::Transfer(transfer);
    submit(
        &queue,
        kind,
        action,
        blocking != CL_FALSE,
        &events,
        waits.event,
    )
}

/// clEnqueueCopyImage.
pub fn copy(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    corners: [In<usize>; 3],
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = copy_action(&queue, source, target, corners)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_COPY_IMAGE,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueCopyImage and clCommandCopyImageKHR check, and do. The corners are those of the source and the target,
/// and the region.
pub fn copy_action(
    queue: &Queue,
    source: cl_mem,
    target: cl_mem,
    [source_origin, target_origin, region]: [In<usize>; 3],
) -> Result<Action> {
    let (source, target) = (image(queue, source)?, image(queue, target)?);
    // "if src_image and dst_image do not use the same image format".
    let order = |image: &ImageRef| image.image().format.image_channel_order;
    let ty = |image: &ImageRef| image.image().format.image_channel_data_type;
    if (order(&source), ty(&source)) != (order(&target), ty(&target)) {
        return Err(Error::IMAGE_FORMAT_MISMATCH);
    }
    let from = checked(source.image(), source_origin, region)?;
    let to = checked(target.image(), target_origin, region)?;
    // "if src_image and dst_image are the same image object and the source and destination regions overlap".
    let overlap = (0..3).all(|n| from.0[n] < to.0[n] + to.1[n] && to.0[n] < from.0[n] + from.1[n]);
    if source.0.raw() == target.0.raw() && overlap {
        return Err(Error::MEM_COPY_OVERLAP);
    }
    // An array of 1D images has its layers where a 2D image has rows, so that rows and slices of both sides are the same.
    let ((of_source, bytes), (of_target, _)) = (source.region(from), target.region(to));
    // SAFETY: both sides are in bounds and held.
    let transfer =
        unsafe { Transfer::rectangle(of_source, of_target, bytes, smallvec![source.0, target.0]) };
    Ok(Action::Transfer(transfer))
}

/// Bytes of a region without gaps.
fn tight_size(bytes: [usize; 3]) -> Option<usize> {
    bytes[0].checked_mul(bytes[1])?.checked_mul(bytes[2])
}

/// A buffer's side of a copy, which has no gaps. "if the region specified by offset [...] is out of bounds".
fn buffer_side(buffer: &Memory, offset: usize, bytes: [usize; 3]) -> Result<Side> {
    let end = tight_size(bytes).and_then(|size| size.checked_add(offset));
    if end.is_none_or(|end| end > buffer.size) {
        return Err(Error::INVALID_VALUE);
    }
    Ok(Side {
        address: buffer.data().wrapping_add(offset),
        row_pitch: bytes[0],
        slice_pitch: bytes[0] * bytes[1],
    })
}

/// clEnqueueCopyImageToBuffer.
pub fn copy_to_buffer(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    area: [In<usize>; 2],
    offset: usize,
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = copy_to_buffer_action(&queue, source, target, area, offset)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_COPY_IMAGE_TO_BUFFER,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueCopyImageToBuffer and clCommandCopyImageToBufferKHR check, and do.
pub fn copy_to_buffer_action(
    queue: &Queue,
    source: cl_mem,
    target: cl_mem,
    [origin, region]: [In<usize>; 2],
    offset: usize,
) -> Result<Action> {
    let (source, target) = (image(queue, source)?, buffer(queue, target)?);
    // "if src_image is a 1D image buffer object created from dst_buffer".
    if std::ptr::eq(source.0.root(), target.root()) && source.0.parent.is_some() {
        return Err(Error::INVALID_MEM_OBJECT);
    }
    let at = checked(source.image(), origin, region)?;
    let (of_image, bytes) = source.region(at);
    let of_buffer = buffer_side(&target, offset, bytes)?;
    let held = smallvec![source.0, target];
    // SAFETY: both sides are in bounds and held.
    let transfer = unsafe { Transfer::rectangle(of_image, of_buffer, bytes, held) };
    Ok(Action::Transfer(transfer))
}

/// clEnqueueCopyBufferToImage.
pub fn copy_from_buffer(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    offset: usize,
    area: [In<usize>; 2],
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = copy_from_buffer_action(&queue, source, target, offset, area)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_COPY_BUFFER_TO_IMAGE,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueCopyBufferToImage and clCommandCopyBufferToImageKHR check, and do.
pub fn copy_from_buffer_action(
    queue: &Queue,
    source: cl_mem,
    target: cl_mem,
    offset: usize,
    [origin, region]: [In<usize>; 2],
) -> Result<Action> {
    let (source, target) = (buffer(queue, source)?, image(queue, target)?);
    // "if dst_image is a 1D image buffer object created from src_buffer".
    if std::ptr::eq(target.0.root(), source.root()) && target.0.parent.is_some() {
        return Err(Error::INVALID_MEM_OBJECT);
    }
    let at = checked(target.image(), origin, region)?;
    let (of_image, bytes) = target.region(at);
    let of_buffer = buffer_side(&source, offset, bytes)?;
    let held = smallvec![source, target.0];
    // SAFETY: both sides are in bounds and held.
    let transfer = unsafe { Transfer::rectangle(of_buffer, of_image, bytes, held) };
    Ok(Action::Transfer(transfer))
}

/// clEnqueueFillImage.
pub fn fill(
    queue: cl_command_queue,
    target: cl_mem,
    color: In<c_void>,
    area: [In<usize>; 2],
    waits: Waits,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let action = fill_action(&queue, target, color, area)?;
    let events = waits.events(&queue)?;
    submit(
        &queue,
        CL_COMMAND_FILL_IMAGE,
        action,
        false,
        &events,
        waits.event,
    )
}

/// What clEnqueueFillImage and clCommandFillImageKHR check, and do.
pub fn fill_action(
    queue: &Queue,
    target: cl_mem,
    color: In<c_void>,
    [origin, region]: [In<usize>; 2],
) -> Result<Action> {
    let target = image(queue, target)?;
    // "if fill_color is NULL". Of a depth image it is one float.
    if color.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let format = &target.image().format;
    let words = match format.image_channel_order {
        CL_DEPTH => color.cast::<u32>().get().map(|depth| [depth, 0, 0, 0]),
        _ => color.cast::<[u32; 4]>().get(),
    };
    let words = words.ok_or(Error::INVALID_VALUE)?;
    let at = checked(target.image(), origin, region)?;
    let pattern = target.image().texel.bytes(format, words);
    let (side, bytes) = target.region(at);
    // SAFETY: inside the image, as checked, and the image is held.
    let fill = unsafe { Fill::rectangle(side, bytes, &pattern, smallvec![target.0]) };
    Ok(Action::Fill(fill))
}

/// clEnqueueMapImage: the address is known at once, because an image's bytes are in the host's memory.
pub fn map(
    queue: cl_command_queue,
    target: cl_mem,
    (blocking, flags): (cl_bool, cl_map_flags),
    [origin, region]: [In<usize>; 2],
    [row_pitch, slice_pitch]: [Out<usize>; 2],
    waits: Waits,
) -> Result<*mut c_void> {
    let queue = host_queue(queue)?;
    let target = image(&queue, target)?;
    let (origin, region) = checked(target.image(), origin, region)?;
    check_map_flags(flags)?;
    let shape = &target.image().shape;
    // "if image_row_pitch is NULL", "if image is a 3D image object or an image array object and image_slice_pitch is NULL".
    if row_pitch.is_null() || (shape.has_slices() && slice_pitch.is_null()) {
        return Err(Error::INVALID_VALUE);
    }
    let events = waits.events(&queue)?;
    let writes = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    if flags & CL_MAP_READ != 0 {
        check_host_access(&target.0, CL_MEM_HOST_WRITE_ONLY)?;
    }
    if writes {
        check_host_access(&target.0, CL_MEM_HOST_READ_ONLY)?;
    }
    let address = target.0.map(Mapping {
        offset: target.image().offset(origin),
        origin,
        region,
        writes,
    })?;
    let action = Action::Hold(smallvec![target.0.clone()]);
    let blocking = blocking != CL_FALSE;
    let done = submit(
        &queue,
        CL_COMMAND_MAP_IMAGE,
        action,
        blocking,
        &events,
        waits.event,
    );
    if done.is_err() {
        target.0.unmap(address)?;
    }
    done?;
    row_pitch.put(shape.row_pitch);
    slice_pitch.put(if shape.has_slices() {
        shape.slice_pitch
    } else {
        0
    });
    Ok(address)
}
