"""OpenCV's T-API on the device named by OPENCV_OPENCL_DEVICE: each operation on a UMat against the same on an array.

Usage: OPENCV_OPENCL_DEVICE=Clotho:CPU: python opencv.py        with opencv-python-headless and numpy
"""
import sys
import numpy as np
import cv2

cv2.ocl.setUseOpenCL(True)
device = cv2.ocl.Device.getDefault()
print("device:", device.name(), "| vendor:", device.vendorName(), "| image support:", device.imageSupport())
assert cv2.ocl.useOpenCL()
rng = np.random.default_rng(1)
bad = 0


def compare(name, run, image, limit, share=0.0):
    """`limit`: the largest difference; a `share` of the elements may go beyond."""
    global bad
    want = run(image)
    got = run(cv2.UMat(image)).get()
    diff = np.abs(want.astype(np.float64) - got.astype(np.float64))
    beyond = float((diff > limit).mean())
    ok = got.shape == want.shape and got.dtype == want.dtype and beyond <= share
    bad += not ok
    print(f"{'ok  ' if ok else 'FAIL'} {name}: largest difference {diff.max():.6g}, beyond {limit}: {beyond:.2e}")


def images(h, w):
    for dtype in (np.uint8, np.uint16, np.float32):
        for channels in (1, 3, 4):
            shape = (h, w) if channels == 1 else (h, w, channels)
            top = {np.uint8: 255, np.uint16: 65535, np.float32: 1.0}[dtype]
            yield f"{np.dtype(dtype).name}x{channels}", (rng.random(shape) * top).astype(dtype), dtype


def on_device(array, image):
    """The array where the image is."""
    return cv2.UMat(array) if isinstance(image, cv2.UMat) else array


h, w = 373, 517
matrix = cv2.getRotationMatrix2D((w / 2, h / 2), 27, 0.9)
perspective = np.array([[1, 0.1, 3], [0.05, 0.95, -4], [1e-4, 2e-4, 1]])
yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
map_x, map_y = (xx + 7 * np.sin(yy / 19)).astype(np.float32), (yy + 5 * np.cos(xx / 23)).astype(np.float32)
for label, image, dtype in images(h, w):
    # A step of the type; of 16 bits a few, because weights have 15 bits.
    near = {np.uint8: 1, np.uint16: 8, np.float32: 2e-4}[dtype]
    for mode in (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_AREA):
        for size in ((w * 2, h * 2), (w // 2, h // 2), (300, 411)):
            compare(f"resize {label} mode {mode} {size}", lambda m: cv2.resize(m, size, interpolation=mode), image, near)
    for mode in (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC):
        # A place that falls between two texels may be rounded to either.
        compare(f"warpAffine {label} mode {mode}", lambda m: cv2.warpAffine(m, matrix, (w, h), flags=mode), image, near, 1e-5)
        compare(f"warpPerspective {label} mode {mode}",
                lambda m: cv2.warpPerspective(m, perspective, (w, h), flags=mode), image, near)
    for mode in (cv2.INTER_NEAREST, cv2.INTER_LINEAR):
        for border in (cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT_101):
            compare(f"remap {label} mode {mode} border {border}",
                    lambda m: cv2.remap(m, on_device(map_x, m), on_device(map_y, m), mode, borderMode=border), image, near)
    for kernel in ((3, 3), (5, 5), (9, 9), (31, 31)):
        compare(f"GaussianBlur {label} {kernel}", lambda m: cv2.GaussianBlur(m, kernel, 0), image, near)
    compare(f"Sobel {label}", lambda m: cv2.Sobel(m, cv2.CV_32F, 1, 0, ksize=3), image, 1e-4)
    compare(f"medianBlur {label}", lambda m: cv2.medianBlur(m, 3), image, 0)
    compare(f"boxFilter {label}", lambda m: cv2.blur(m, (7, 7)), image, near)
    if dtype is np.uint8 and image.ndim == 2:
        compare(f"bilateralFilter {label}", lambda m: cv2.bilateralFilter(m, 5, 30, 3), image, near)
gray = (rng.random((h, w)) * 255).astype(np.uint8)
compare("Canny", lambda m: cv2.Canny(m, 50, 150), gray, 0, 1e-3)
compare("integral", lambda m: cv2.integral(m), gray, 0)
compare("equalizeHist", lambda m: cv2.equalizeHist(m), gray, 1)
compare("pyrDown", lambda m: cv2.pyrDown(m), gray, 1)
compare("pyrUp", lambda m: cv2.pyrUp(m), gray, 1)
compare("erode", lambda m: cv2.erode(m, np.ones((5, 5), np.uint8)), gray, 0)
compare("dilate", lambda m: cv2.dilate(m, np.ones((5, 5), np.uint8)), gray, 0)
compare("cvtColor", lambda m: cv2.cvtColor(m, cv2.COLOR_GRAY2BGR), gray, 0)
# Image objects (sampled): optical flow by pyramids reads its frames through image2d_t.
frame = cv2.GaussianBlur((rng.random((240, 320)) * 255).astype(np.uint8), (9, 9), 0)
frame = cv2.normalize(frame, None, 0, 255, cv2.NORM_MINMAX)
moved = np.roll(frame, (2, 3), (0, 1))
points = cv2.goodFeaturesToTrack(frame, 200, 0.01, 8)
want, status, _ = cv2.calcOpticalFlowPyrLK(frame, moved, points, None)
got, status2, _ = cv2.calcOpticalFlowPyrLK(cv2.UMat(frame), cv2.UMat(moved), cv2.UMat(points), None)
got, status2 = got.get(), status2.get()
# OpenCV's kernel treats windows that reach beyond the frame in its own way (on every device): points inside.
at = points.reshape(-1, 2)
inside = (np.minimum(at, np.array([320, 240]) - at) > 40).all(1)
both = inside & (status.ravel() == 1) & (status2.ravel() == 1)
gap = np.abs(want.reshape(-1, 2)[both] - got.reshape(-1, 2)[both]).max()
ok = both.sum() > 0.9 * inside.sum() and gap < 0.1
bad += not ok
print(f"{'ok  ' if ok else 'FAIL'} calcOpticalFlowPyrLK: {both.sum()} of {inside.sum()} points, largest difference {gap:.4g}")
print("failures:", bad)
sys.exit(bad != 0)
