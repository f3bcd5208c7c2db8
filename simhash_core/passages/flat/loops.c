/* The loops over all texts at once in C; see `ranges.number_ranges` and `winnow.winnow_texts`. */
#include "../../machine/ranges.h"

#define BASE 0xD1342543DE82EF95u

EXPORT void places_rehash(const int64_t *old, int64_t old_size, int64_t *table, int64_t size) {
    rehash(old, old_size, table, size);
}

/* `state` holds how many ranges are done and how many are distinct */
EXPORT void places_number_ranges(const int32_t *code, const int64_t *begin, const int64_t *stop,
                                 int64_t count, int64_t *table, int64_t size, int32_t *first,
                                 int32_t *last, int32_t *number, int64_t *state) {
    int64_t done = state[0], distinct = state[1];
    for (; done < count && 2 * distinct < size; done++) {
        int64_t at = begin[done], end = stop[done], key = hash_of(code, at, end);
        int64_t place = place_of(code, at, end, table, size, first, last, key);
        if (table[place] == EMPTY) {
            table[place] = key << 32 | distinct;
            first[distinct] = (int32_t)at;
            last[distinct++] = (int32_t)end;
        }
        number[done] = (int32_t)(table[place] & 0xFFFFFFFF);
    }
    state[0] = done;
    state[1] = distinct;
}

typedef struct {
    int64_t *slots;
    uint64_t *value, mask;
    int64_t earlier; /* what earlier texts left in the table counts as empty */
} Chosen;

/* the slot of a hash among those of this text, or where it belongs */
static inline uint64_t slot_of(const Chosen *of, uint64_t hash) {
    uint64_t place = hash & of->mask;
    while (of->slots[place] > of->earlier && of->value[of->slots[place] - 1] != hash)
        place = (place + 1) & of->mask;
    return place;
}

/* hashes of the grams of a text and their lengths; returns how many */
static int64_t grams_in(const uint64_t *token, const bool *single, int64_t begin, int64_t stop,
                        int64_t weight, uint64_t *hashes, int32_t *ends_of) {
    int64_t count = 0, end = begin, total = 0;
    for (int64_t at = begin; at < stop; at++) {
        for (; end < stop && total < weight; end++) total += single[end] ? 1 : 2;
        if (total < weight) break;
        uint64_t gram = 0;
        for (int64_t k = at; k < end; k++) gram = gram * BASE + token[k];
        gram ^= gram >> 29;
        gram *= 0xBF58476D1CE4E5B9u;
        hashes[count] = gram ^ (gram >> 32);
        ends_of[count++] = (int32_t)(end - begin);
        total -= single[at] ? 1 : 2;
    }
    return count;
}

EXPORT void places_winnow_texts(const uint64_t *token, const bool *single, const int64_t *ptr,
                                const int64_t *window, int64_t texts, int64_t weight,
                                uint64_t *hashes, int32_t *ends_of, int64_t *slots,
                                int64_t slot_count, uint64_t *value, int32_t *first, int32_t *last,
                                int64_t *ends) {
    int64_t size = 0;
    for (int64_t text = 0; text < texts; text++) {
        Chosen of = {slots, value, (uint64_t)slot_count - 1, size};
        int64_t count = grams_in(token, single, ptr[text], ptr[text + 1], weight, hashes, ends_of);
        int64_t wide = least(window[text], count), lowest = -1;
        for (int64_t at = 0; count && at < count - wide + 1; at++) {
            if (lowest < at) {
                lowest = at;
                for (int64_t k = at + 1; k < at + wide; k++)
                    if (hashes[k] < hashes[lowest]) lowest = k;
            } else if (hashes[at + wide - 1] < hashes[lowest]) {
                lowest = at + wide - 1;
            } else {
                continue;
            }
            uint64_t place = slot_of(&of, hashes[lowest]);
            if (slots[place] <= of.earlier) {
                value[size] = hashes[lowest];
                first[size++] = -1;
                slots[place] = size;
            }
        }
        for (int64_t at = 0; at < count; at++) {
            int64_t slot = slots[slot_of(&of, hashes[at])];
            if (slot > of.earlier && first[slot - 1] < 0) {
                first[slot - 1] = (int32_t)at;
                last[slot - 1] = ends_of[at];
            }
        }
        ends[text + 1] = size;
    }
}
