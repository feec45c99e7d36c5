#!/usr/bin/env python3
"""Builds one OpenCL C source on the platform that the loader shows first, and says how long that took. Used by sources.py.

Usage: build_source.py FILE OPTIONS     (OCL_ICD_VENDORS says whose platform; one line of JSON goes to standard output)

The clock runs from clCreateProgramWithSource to the machine code of all kernels, in a process that has compiled nothing
before. clGetProgramInfo(CL_PROGRAM_BINARY_SIZES) is what asks for that code: PoCL makes the code of each kernel for
groups of any size for it, Clotho waits for what its threads make behind the build, and Intel's runtime has made it in
clBuildProgram. On Clotho, kernels with images and samplers get their code from a launch, which knows the formats: each is
launched, with RGBA images of floats, behind a user event that ends in an error. No kernel ever runs.
"""

import ctypes
import json
import re
import resource
import sys
import time
from ctypes import POINTER, byref, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

CL_SUCCESS = 0
CL_INVALID_ARG_SIZE = -51
CL_DEVICE_TYPE_ALL = 0xFFFFFFFF
CL_PLATFORM_NAME = 0x0902
CL_DEVICE_VERSION = 0x102F
CL_DRIVER_VERSION = 0x102D
CL_PROGRAM_BINARY_SIZES = 0x1165
CL_PROGRAM_BUILD_LOG = 0x1183
CL_KERNEL_FUNCTION_NAME = 0x1190
CL_KERNEL_NUM_ARGS = 0x1191
CL_KERNEL_ARG_ADDRESS_QUALIFIER = 0x1196
CL_KERNEL_ARG_TYPE_NAME = 0x1198
CL_KERNEL_COMPILE_WORK_GROUP_SIZE = 0x11B1
CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_CONSTANT = 0x119B, 0x119C, 0x119D
CL_MEM_READ_WRITE = 1
CL_RGBA, CL_DEPTH, CL_FLOAT = 0x10B5, 0x10BD, 0x10DE
CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST = 0x1131, 0x1140
IMAGE_TYPES = {
    "image1d_t": 0x10F4, "image1d_array_t": 0x10F5, "image1d_buffer_t": 0x10F6, "image2d_t": 0x10F1,
    "image2d_array_t": 0x10F3, "image3d_t": 0x10F2, "image2d_depth_t": 0x10F1, "image2d_array_depth_t": 0x10F3,
}
# Sizes of arguments by value, in the order in which they are tried.
VALUE_SIZES = (4, 8, 1, 2, 16, 32, 64, 128, *(n for n in range(12, 1024, 4) if n & n - 1))


class ImageFormat(ctypes.Structure):
    _fields_ = [("order", c_uint32), ("type", c_uint32)]


class ImageDesc(ctypes.Structure):
    _fields_ = [("type", c_uint32), *((name, c_size_t) for name in ("width", "height", "depth", "array", "row", "slice")),
                ("levels", c_uint32), ("samples", c_uint32), ("memory", c_void_p)]


class Library:
    """The loader's functions. A call that gives an error raises `Failed`."""

    def __init__(self):
        self.library = ctypes.CDLL("libOpenCL.so.1")

    def call(self, name, *args):
        """A function that returns the error."""
        function = getattr(self.library, name)
        function.restype = c_int32
        error = function(*args)
        if error != CL_SUCCESS:
            raise Failed(name, error)

    def create(self, name, *args):
        """A function that returns an object, and the error by its last argument."""
        function = getattr(self.library, name)
        function.restype = c_void_p
        error = c_int32()
        made = function(*args, byref(error))
        if error.value != CL_SUCCESS:
            raise Failed(name, error.value)
        return c_void_p(made)

    def info(self, name, *args):
        """The bytes that a function of the form (..., size, value, size_ret) tells."""
        size = c_size_t()
        self.call(name, *args, c_size_t(0), None, byref(size))
        value = ctypes.create_string_buffer(size.value or 1)
        self.call(name, *args, size, value, None)
        return value.raw[:size.value]

    def text(self, *args):
        return self.info(*args).split(b"\0")[0].decode(errors="replace")

    def number(self, *args):
        return int.from_bytes(self.info(*args), "little")


class Failed(Exception):
    def __init__(self, function, error):
        super().__init__(f"{function} gives {error}")
        self.function, self.error = function, error


def used():
    """Processor seconds of this process and of those that it has run (PoCL runs a linker)."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in found)


def kernels_of(cl, program):
    """None are no error here: a source may have none."""
    count = c_uint32()
    try:
        cl.call("clCreateKernelsInProgram", program, 0, None, byref(count))
        kernels = (c_void_p * count.value)()
        cl.call("clCreateKernelsInProgram", program, count, kernels, None)
    except Failed:
        return []
    return [c_void_p(kernel) for kernel in kernels]


class Launcher:
    """Launches kernels that never run: they wait for an event that ends in an error."""

    def __init__(self, cl, context, device):
        self.cl, self.context, self.device = cl, context, device
        self.queue = cl.create("clCreateCommandQueue", context, device, c_uint64(0))
        self.gate = cl.create("clCreateUserEvent", context)
        self.buffer = cl.create("clCreateBuffer", context, c_uint64(CL_MEM_READ_WRITE), c_size_t(1 << 16), None)

    def image(self, name):
        """An image for a parameter of that type. Arrays have two layers."""
        depth = "depth" in name
        made = ImageFormat(CL_DEPTH if depth else CL_RGBA, CL_FLOAT)
        flat = name.startswith("image1d")
        desc = ImageDesc(IMAGE_TYPES[name], 64, 0 if flat else 64, 2 if "3d" in name else 0, 2 if "array" in name else 0)
        if "buffer" in name:
            desc.memory = self.buffer
        return self.cl.create("clCreateImage", self.context, c_uint64(CL_MEM_READ_WRITE), byref(made), byref(desc), None)

    def set(self, kernel, number):
        """Sets an argument."""
        name = self.cl.text("clGetKernelArgInfo", kernel, number, CL_KERNEL_ARG_TYPE_NAME)
        space = self.cl.number("clGetKernelArgInfo", kernel, number, CL_KERNEL_ARG_ADDRESS_QUALIFIER)
        size = c_size_t(ctypes.sizeof(c_void_p))
        if name in IMAGE_TYPES:
            value = self.image(name)
        elif name == "sampler_t":
            value = self.cl.create("clCreateSampler", self.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST)
        elif space == CL_KERNEL_ARG_ADDRESS_LOCAL:
            return self.cl.call("clSetKernelArg", kernel, number, c_size_t(4096), None)
        elif space in (CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT):
            value = self.buffer
        else:
            return self.set_value(kernel, number)
        self.cl.call("clSetKernelArg", kernel, number, size, byref(value))

    def set_value(self, kernel, number):
        value = ctypes.create_string_buffer(1024)
        for size in VALUE_SIZES:
            try:
                return self.cl.call("clSetKernelArg", kernel, number, c_size_t(size), value)
            except Failed as failed:
                if failed.error != CL_INVALID_ARG_SIZE:
                    raise
        raise Failed("clSetKernelArg", CL_INVALID_ARG_SIZE)

    def has_objects(self, kernel):
        return any(self.cl.text("clGetKernelArgInfo", kernel, number, CL_KERNEL_ARG_TYPE_NAME) in {*IMAGE_TYPES, "sampler_t"}
                   for number in range(self.arguments(kernel)))

    def arguments(self, kernel):
        return self.cl.number("clGetKernelInfo", kernel, CL_KERNEL_NUM_ARGS)

    def launch(self, kernel):
        for number in range(self.arguments(kernel)):
            self.set(kernel, number)
        wanted = self.cl.info("clGetKernelWorkGroupInfo", kernel, self.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
        wanted = (c_size_t * 3).from_buffer_copy(wanted)
        local = wanted if any(wanted) else None
        size = (c_size_t * 3)(*(64 * n if i < 2 else n for i, n in enumerate(wanted))) if local else (c_size_t * 3)(64, 64, 1)
        self.cl.call("clEnqueueNDRangeKernel", self.queue, kernel, 3, None, size, local, 1, byref(self.gate), None)

    def end(self):
        self.cl.call("clSetUserEventStatus", self.gate, c_int32(-1))
        self.cl.call("clFinish", self.queue)


def first_error(log):
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|undefined", line, re.IGNORECASE)]
    return (errors or lines or ["no log"])[0][:300]


def build(cl, file, options):
    """-> what sources.py keeps of a build."""
    platform, device = c_void_p(), c_void_p()
    cl.call("clGetPlatformIDs", 1, byref(platform), None)
    cl.call("clGetDeviceIDs", platform, c_uint64(CL_DEVICE_TYPE_ALL), 1, byref(device), None)
    context = cl.create("clCreateContext", None, 1, byref(device), None, None)
    name = cl.text("clGetPlatformInfo", platform, CL_PLATFORM_NAME)
    found = {"platform": f"{name}, {cl.text('clGetDeviceInfo', device, CL_DRIVER_VERSION)}"}
    launcher = Launcher(cl, context, device) if name == "Clotho" else None
    with open(file, "rb") as opened:
        source = opened.read()
    start, start_used = time.monotonic(), used()
    text, length = c_char_p(source), c_size_t(len(source))
    program = cl.create("clCreateProgramWithSource", context, 1, byref(text), byref(length))
    try:
        cl.call("clBuildProgram", program, 1, byref(device), c_char_p(options.encode()), None, None)
    except Failed as failed:
        log = cl.text("clGetProgramBuildInfo", program, device, CL_PROGRAM_BUILD_LOG)
        return found | {"error": f"{failed}: {first_error(log)}"}
    built = time.monotonic()
    kernels = kernels_of(cl, program)
    try:
        if kernels:
            cl.info("clGetProgramInfo", program, CL_PROGRAM_BINARY_SIZES)
        for kernel in kernels if launcher else ():
            if launcher.has_objects(kernel):
                launcher.launch(kernel)
    except Failed as failed:
        return found | {"error": str(failed)}
    end, end_used = time.monotonic(), used()
    if launcher:
        launcher.end()
    names = [cl.text("clGetKernelInfo", kernel, CL_KERNEL_FUNCTION_NAME) for kernel in kernels]
    return found | {"build": built - start, "wall": end - start, "cpu": end_used - start_used, "kernels": names}


def main():
    file, options = sys.argv[1:]
    json.dump(build(Library(), file, options), sys.stdout)
    print()


if __name__ == "__main__":
    main()
