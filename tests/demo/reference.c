#include "reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void reference_weights(float *weights, int radius, double sigma)
{
    double total = 0;
    for (int j = -radius; j <= radius; j++)
        total += exp(-j * j / (2 * sigma * sigma));
    for (int j = -radius; j <= radius; j++)
        weights[j + radius] = (float)(exp(-j * j / (2 * sigma * sigma)) / total);
}

static int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

void reference_blur(const unsigned char *in, float *out, int width, int height, const float *weights, int radius)
{
    float *rows = malloc((size_t)width * (size_t)height * 4 * sizeof *rows);
    if (!rows)
        abort();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int k = 0; k < 4; k++) {
                float total = 0;
                for (int j = -radius; j <= radius; j++)
                    total += weights[j + radius] * in[4 * ((size_t)y * width + clamp(x + j, 0, width - 1)) + k];
                rows[4 * ((size_t)y * width + x) + k] = total;
            }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int k = 0; k < 4; k++) {
                float total = 0;
                for (int j = -radius; j <= radius; j++)
                    total += weights[j + radius] * rows[4 * ((size_t)clamp(y + j, 0, height - 1) * width + x) + k];
                out[4 * ((size_t)y * width + x) + k] = total;
            }
    free(rows);
}

static unsigned brightness(const unsigned char *p)
{
    return (77u * p[0] + 150u * p[1] + 29u * p[2]) >> 8;
}

void reference_histogram(const unsigned char *in, unsigned pixels, unsigned bins[256])
{
    memset(bins, 0, 256 * sizeof *bins);
    for (unsigned p = 0; p < pixels; p++)
        bins[brightness(in + 4 * (size_t)p)]++;
}

void reference_scan(const unsigned in[256], unsigned out[256])
{
    unsigned total = 0;
    for (int b = 0; b < 256; b++) {
        out[b] = total;
        total += in[b];
    }
}

void reference_equalise(const unsigned char *in, unsigned char *out, unsigned pixels, const unsigned below[256])
{
    for (unsigned p = 0; p < pixels; p++) {
        const unsigned char *from = in + 4 * (size_t)p;
        unsigned char *to = out + 4 * (size_t)p;
        unsigned old = brightness(from), wanted = (unsigned)((unsigned long long)below[old] * 255 / pixels);
        for (int k = 0; k < 3; k++) {
            unsigned scaled = from[k] * wanted / (old ? old : 1);
            to[k] = (unsigned char)(scaled < 255 ? scaled : 255);
        }
        to[3] = 255;
    }
}
