#include "picture.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    exit(1);
}

struct picture picture_new(int width, int height)
{
    struct picture p = {width, height, calloc((size_t)width * (size_t)height, 4)};
    if (!p.pixels)
        die("picture", "out of memory");
    return p;
}

void picture_free(struct picture *picture)
{
    free(picture->pixels);
    picture->pixels = NULL;
}

struct picture picture_read_png(const char *path)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path))
        die(path, image.message);
    image.format = PNG_FORMAT_RGBA;
    struct picture p = picture_new((int)image.width, (int)image.height);
    if (!png_image_finish_read(&image, NULL, p.pixels, 0, NULL))
        die(path, image.message);
    return p;
}

void picture_write_png(const char *path, const struct picture *picture)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)picture->width;
    image.height = (png_uint_32)picture->height;
    image.format = PNG_FORMAT_RGBA;
    image.flags = PNG_IMAGE_FLAG_FAST;
    if (!png_image_write_to_file(&image, path, 0, picture->pixels, 0, NULL))
        die(path, image.message);
}

struct picture picture_scale(const struct picture *from, int width, int height)
{
    struct picture to = picture_new(width, height);
    for (int y = 0; y < height; y++) {
        double sy = (y + 0.5) * from->height / height - 0.5;
        sy = sy < 0 ? 0 : sy > from->height - 1 ? from->height - 1 : sy;
        int y0 = (int)sy, y1 = y0 + 1 < from->height ? y0 + 1 : y0;
        for (int x = 0; x < width; x++) {
            double sx = (x + 0.5) * from->width / width - 0.5;
            sx = sx < 0 ? 0 : sx > from->width - 1 ? from->width - 1 : sx;
            int x0 = (int)sx, x1 = x0 + 1 < from->width ? x0 + 1 : x0;
            const unsigned char *a = from->pixels + 4 * ((size_t)y0 * from->width + x0);
            const unsigned char *b = from->pixels + 4 * ((size_t)y0 * from->width + x1);
            const unsigned char *c = from->pixels + 4 * ((size_t)y1 * from->width + x0);
            const unsigned char *d = from->pixels + 4 * ((size_t)y1 * from->width + x1);
            for (int k = 0; k < 4; k++) {
                double top = a[k] + (sx - x0) * (b[k] - a[k]), bottom = c[k] + (sx - x0) * (d[k] - c[k]);
                to.pixels[4 * ((size_t)y * width + x) + k] = (unsigned char)(top + (sy - y0) * (bottom - top) + 0.5);
            }
        }
    }
    return to;
}
