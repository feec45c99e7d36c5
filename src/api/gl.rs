//! Entry points of sharing with OpenGL, which have slots in the dispatch structure and are exported by ICD loaders.
//! Clotho has no such sharing (cl_khr_gl_sharing is not advertised): no context was created from an OpenGL context
//! and no object from an OpenGL object, which is what each answers.

use super::enqueue_sync::host_queue;
use crate::cl::*;
use crate::runtime::{Context, Memory, object};

/// clGetGLContextInfoKHR: the properties can't name a GL context that Clotho shares with.
pub const NO_SHARE_GROUP: Error = Error::INVALID_GL_SHAREGROUP_REFERENCE_KHR;

/// clCreateFromGL* and clCreateEventFromGLsyncKHR: "if context is not a valid context or was not created from a GL context".
pub fn create(context: cl_context) -> Result<*mut c_void> {
    object::lookup::<Context>(context)?;
    Err(Error::INVALID_CONTEXT)
}

/// clGetGLObjectInfo and clGetGLTextureInfo: "if there is no GL object associated with memobj".
pub fn get_object_info(memory: cl_mem) -> Result<()> {
    object::lookup::<Memory>(memory)?;
    Err(Error::INVALID_GL_OBJECT)
}

/// clEnqueueAcquireGLObjects and clEnqueueReleaseGLObjects: "if context associated with command_queue was not created
/// from an OpenGL context".
pub fn enqueue(queue: cl_command_queue) -> Result<()> {
    host_queue(queue)?;
    Err(Error::INVALID_CONTEXT)
}
