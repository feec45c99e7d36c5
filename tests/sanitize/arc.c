// ThreadSanitizer knows no fences, and the standard library's Arc has one: whoever drops the last reference sees what all
// others did by a decrement with Release and, for the last, a fence with Acquire (in a standard library that is itself
// built for ThreadSanitizer, a load instead; the one of a stable toolchain is not). The library is linked so that its
// 64-bit decrements come here (--wrap): those with Release, of which none but Arc's are in our own code, acquire as well.
#include <stdint.h>

enum { RELEASE = 3, ACQ_REL = 4 };

uint64_t __tsan_atomic64_fetch_sub(volatile uint64_t *word, uint64_t value, int order);

uint64_t __wrap___tsan_atomic64_fetch_sub(volatile uint64_t *word, uint64_t value, int order)
{
    return __tsan_atomic64_fetch_sub(word, value, order == RELEASE ? ACQ_REL : order);
}
