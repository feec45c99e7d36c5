#!/bin/bash
# ffmpeg's OpenCL filters on a generated clip against the CPU filters of the same name: prints the PSNR of each pair.
# Usage: ffmpeg.sh [PLATFORM.DEVICE]     the device as ffmpeg counts them; 0.0 without it
set -uo pipefail
device=${1:-0.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
clip() { # FILE FILTERS...: 30 frames of a moving test picture
    ffmpeg -v error -y -f lavfi -i "testsrc2=size=640x480:rate=30:duration=1,format=$3" ${4:-} -vf "$2" -f rawvideo "$1"
}
pair() { # PIXELS CPU-FILTER OPENCL-FILTER LEAST-PSNR
    local cl="hwupload,$3,hwdownload,format=$1"
    if ! clip "$folder/cpu" "$2,format=$1" "$1" || ! clip "$folder/cl" "$cl" "$1" "-init_hw_device opencl=ocl:$device -filter_hw_device ocl"; then
        echo "FAIL $1 $3"; failed=1; return
    fi
    local psnr
    psnr=$(ffmpeg -v info -f rawvideo -s 640x480 -pix_fmt "$1" -i "$folder/cpu" -f rawvideo -s 640x480 -pix_fmt "$1" -i "$folder/cl" \
        -lavfi psnr -f null - 2>&1 | grep -o 'average:[^ ]*' | cut -d: -f2)
    if [ "$psnr" = inf ] || awk "BEGIN { exit !(${psnr:-0} >= $4) }"; then
        echo "ok   $1 $3: PSNR $psnr dB"
    else
        echo "FAIL $1 $3: PSNR ${psnr:-none} dB, wanted $4"; failed=1
    fi
}
for pixels in yuv420p yuv444p gray; do
    pair $pixels unsharp=5:5:1.0:5:5:0.5 unsharp_opencl=5:5:1.0:5:5:0.5 40
    pair $pixels unsharp=13:13:-0.7:3:3:0.5 unsharp_opencl=13:13:-0.7:3:3:0.5 40
    pair $pixels boxblur=4:1:4:1 avgblur_opencl=4:15:4 35
    pair $pixels boxblur=2:3:1:1 boxblur_opencl=2:3:1:1 35
    pair $pixels sobel sobel_opencl 35
done
exit $failed
