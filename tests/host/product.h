/* Two matrices of integers and their product. */
#ifndef PRODUCT_H
#define PRODUCT_H

enum { N = 320 };

static void multiply(unsigned *a, unsigned *b, unsigned *product)
{
    for (unsigned i = 0; i < N * N; i++) {
        a[i] = i * 2654435761u >> 20;
        b[i] = i * 40503u + 7;
    }
    for (int y = 0; y < N; y++)
        for (int z = 0; z < N; z++)
            for (int x = 0; x < N; x++)
                product[y * N + x] += a[y * N + z] * b[z * N + x];
}

#endif
