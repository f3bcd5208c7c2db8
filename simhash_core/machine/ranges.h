/* Equal ranges of code points by a hash table: `machine/ranges.py` in C, for the rooms that use it. */
#ifndef LEITONG_RANGES_H
#define LEITONG_RANGES_H

#include "loops.h"

#define EMPTY (-1)

static inline int64_t hash_of(const int32_t *code, int64_t begin, int64_t stop) {
    uint64_t value = (uint64_t)(stop - begin);
    for (int64_t at = begin; at < stop; at++) {
        value = ((value ^ (uint64_t)code[at]) * 0x5BD1E995u) & 0x7FFFFFFFu;
        value ^= value >> 15;
    }
    return (int64_t)value;
}

/* the slot of a range, or the empty one where it belongs; `size` is a power of two */
static inline int64_t place_of(const int32_t *code, int64_t begin, int64_t stop,
                               const int64_t *table, int64_t size, const int32_t *first,
                               const int32_t *last, int64_t key) {
    int64_t at = key & (size - 1);
    for (; table[at] != EMPTY; at = (at + 1) & (size - 1)) {
        if (table[at] >> 32 != key) continue;
        int64_t number = table[at] & 0xFFFFFFFF, length = last[number] - first[number];
        if (length == stop - begin &&
            memcmp(code + first[number], code + begin, (size_t)length * sizeof(int32_t)) == 0)
            break;
    }
    return at;
}

static inline void rehash(const int64_t *old, int64_t old_size, int64_t *table, int64_t size) {
    for (int64_t slot = 0; slot < old_size; slot++) {
        if (old[slot] == EMPTY) continue;
        int64_t at = (old[slot] >> 32) & (size - 1);
        while (table[at] != EMPTY) at = (at + 1) & (size - 1);
        table[at] = old[slot];
    }
}

#endif
