// Integer arithmetic in registers. Read as C too: hash.c checks with it.

constant uint sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// SHA-256 (FIPS 180-4) of messages of four bytes: the number of the work-item, added to `first`. Digests are stored
// word by word, those of all work-items together.
kernel void sha256(global uint *digests, uint first) {
    uint item = get_global_id(0), items = get_global_size(0);
    uint s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint w[16] = {0};
    w[0] = first + item;
    w[1] = 0x80000000;
    w[15] = 32;
    uint a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
            w[t & 15] += (rotate(x, 25u) ^ rotate(x, 14u) ^ (x >> 3)) + w[(t + 9) & 15] +
                (rotate(y, 15u) ^ rotate(y, 13u) ^ (y >> 10));
        }
        uint t1 = h + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + ((e & f) ^ (~e & g)) + sha_constants[t] + w[t & 15];
        uint t2 = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
    for (int k = 0; k < 8; k++)
        digests[k * items + item] = s[k];
}

constant uint md5_shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

// MD5 (RFC 1321) of the same messages; `sines` is the table T of the RFC.
kernel void md5(global uint *digests, uint first, constant uint *sines) {
    uint item = get_global_id(0), items = get_global_size(0);
    uint m[16] = {0};
    m[0] = first + item;
    m[1] = 0x80;
    m[14] = 32;
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int t = 0; t < 64; t++) {
        uint f;
        int k;
        if (t < 16)
            f = (b & c) | (~b & d), k = t;
        else if (t < 32)
            f = (d & b) | (~d & c), k = (5 * t + 1) & 15;
        else if (t < 48)
            f = b ^ c ^ d, k = (3 * t + 5) & 15;
        else
            f = c ^ (b | ~d), k = (7 * t) & 15;
        uint sum = a + f + sines[t] + m[k];
        a = d, d = c, c = b;
        b += rotate(sum, md5_shifts[t / 16 * 4 + t % 4]);
    }
    digests[item] = a + 0x67452301;
    digests[items + item] = b + 0xefcdab89;
    digests[2 * items + item] = c + 0x98badcfe;
    digests[3 * items + item] = d + 0x10325476;
}

// Points of the unit square that fall in the quarter of the circle, by Marsaglia's xorshift generator.
kernel void monte_carlo(global uint *hits, uint points) {
    uint item = get_global_id(0), state = item * 2654435761u + 1, inside = 0;
    for (uint p = 0; p < points; p++) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        float x = (state >> 8) * (1.0f / 16777216.0f);
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        float y = (state >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y < 1.0f)
            inside++;
    }
    hits[item] = inside;
}
