//! Entry points of samplers. Source: OpenCL API 5.7.

use super::ptr::{Answer, In, Out, properties};
use crate::cl::*;
use crate::runtime::{Context, Object, Sampler, object};

/// clCreateSampler.
pub fn create(
    context: cl_context,
    normalized: cl_bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
) -> Result<cl_sampler> {
    make(context, Vec::new(), normalized, addressing, filter)
}

/// clCreateSamplerWithProperties.
pub fn create_with_properties(
    context: cl_context,
    property_list: In<cl_sampler_properties>,
) -> Result<cl_sampler> {
    object::lookup::<Context>(context)?;
    let list = properties(property_list)?;
    // The table's defaults.
    let (mut normalized, mut addressing, mut filter) =
        (CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    let mut seen = Vec::new();
    for pair in list.chunks_exact(2) {
        let (name, value) = (pair[0], pair[1]);
        // "if the same property name is specified more than once", "if the value specified for a supported property name is
        // not valid": CL_INVALID_VALUE for both and for names that there are not.
        if seen.contains(&name) {
            return Err(Error::INVALID_VALUE);
        }
        seen.push(name);
        let value = u32::try_from(value).map_err(|_| Error::INVALID_VALUE)?;
        match name as u32 {
            CL_SAMPLER_NORMALIZED_COORDS => normalized = value,
            CL_SAMPLER_ADDRESSING_MODE => addressing = value,
            CL_SAMPLER_FILTER_MODE => filter = value,
            _ => return Err(Error::INVALID_VALUE),
        }
    }
    make(context, list, normalized, addressing, filter)
}

fn make(
    context: cl_context,
    properties: Vec<cl_sampler_properties>,
    normalized: cl_bool,
    addressing: cl_addressing_mode,
    filter: cl_filter_mode,
) -> Result<cl_sampler> {
    let context = object::lookup::<Context>(context)?;
    // "if addressing_mode, filter_mode, normalized_coords or a combination of these arguments are not valid": repeating needs
    // normalised coordinates (OpenCL C 3.0, 6.15.15.1), but CL does not list that combination, and clients make it.
    let valid = normalized <= CL_TRUE
        && (CL_ADDRESS_NONE..=CL_ADDRESS_MIRRORED_REPEAT).contains(&addressing)
        && matches!(filter, CL_FILTER_NEAREST | CL_FILTER_LINEAR);
    if !valid {
        return Err(Error::INVALID_VALUE);
    }
    let sampler = Sampler {
        context,
        normalized: normalized != CL_FALSE,
        addressing,
        filter,
        properties,
    };
    Ok(Object::new(sampler).raw())
}

/// clRetainSampler.
pub fn retain(sampler: cl_sampler) -> Result<()> {
    object::retain::<Sampler>(sampler)
}

/// clReleaseSampler.
pub fn release(sampler: cl_sampler) -> Result<()> {
    object::release::<Sampler>(sampler).map(drop)
}

/// clGetSamplerInfo.
pub fn get_info(
    sampler: cl_sampler,
    name: cl_sampler_info,
    room: usize,
    value: Out<c_void>,
    size_ret: Out<usize>,
) -> Result<()> {
    let sampler = object::lookup::<Sampler>(sampler)?;
    let answer = Answer::new(room, value, size_ret);
    match name {
        CL_SAMPLER_REFERENCE_COUNT => answer.value(sampler.reference_count()),
        CL_SAMPLER_CONTEXT => answer.value(sampler.context.raw()),
        CL_SAMPLER_NORMALIZED_COORDS => answer.flag(sampler.normalized),
        CL_SAMPLER_ADDRESSING_MODE => answer.value(sampler.addressing),
        CL_SAMPLER_FILTER_MODE => answer.value(sampler.filter),
        CL_SAMPLER_PROPERTIES => answer.list(&sampler.properties),
        _ => Err(Error::INVALID_VALUE),
    }
}
