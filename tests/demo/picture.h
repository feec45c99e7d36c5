/* Pictures of four bytes a pixel (red, green, blue, 255): PNG files and scaling. */
#ifndef CLOTHO_DEMO_PICTURE_H
#define CLOTHO_DEMO_PICTURE_H

#include <stddef.h>

struct picture {
    int width, height;
    unsigned char *pixels; /* width * height * 4 bytes, row by row */
};

struct picture picture_new(int width, int height);
void picture_free(struct picture *picture);

/* Both end the process with a message when the file can't be read or written. */
struct picture picture_read_png(const char *path);
void picture_write_png(const char *path, const struct picture *picture);

/* Bilinear scaling, pixel centres aligned. */
struct picture picture_scale(const struct picture *from, int width, int height);

#endif
