/* The demo's four stages in plain C: what the kernels are checked against. */
#ifndef CLOTHO_DEMO_REFERENCE_H
#define CLOTHO_DEMO_REFERENCE_H

/* Normalised Gaussian weights, 2 * radius + 1 of them. */
void reference_weights(float *weights, int radius, double sigma);

/* `out` gets four floats a pixel, before rounding to bytes; edges repeat. */
void reference_blur(const unsigned char *in, float *out, int width, int height, const float *weights, int radius);

void reference_histogram(const unsigned char *in, unsigned pixels, unsigned bins[256]);
void reference_scan(const unsigned in[256], unsigned out[256]);
void reference_equalise(const unsigned char *in, unsigned char *out, unsigned pixels, const unsigned below[256]);

#endif
