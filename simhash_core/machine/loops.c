/* Memory and order for the loops of all rooms; see loops.h. */
#include "ranges.h"
#if WIDTHS
#include <cpuid.h>
#endif

#ifndef LEITONG_SOURCES
#define LEITONG_SOURCES "" /* digest of all sources, set by whoever builds the library */
#endif

#define FIRST_BLOCK (1 << 16)

EXPORT const char *leitong_sources(void) { return LEITONG_SOURCES; }

EXPORT void leitong_release(void *row) { free(row); }

/* asked of the processor itself: `__builtin_cpu_supports` says no to everything where Zig 0.17
   compiles it */
int leitong_width(void) {
#if WIDTHS
    static int width = -1; /* the same answer whoever asks first */
    if (width < 0) {
        unsigned a, b = 0, c = 0, d, base = 0, saved = 0; /* the last: what the system keeps */
        __get_cpuid(1, &a, &b, &base, &d);
        if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) b = c = 0;
        if (base & bit_OSXSAVE) __asm__ volatile("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
        unsigned of_b = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
        unsigned of_c = bit_AVX512VPOPCNTDQ | bit_AVX512VNNI;
        bool wide = (saved & 0x6) == 0x6 && base & bit_POPCNT && b & bit_AVX2 && b & bit_BMI &&
                    b & bit_BMI2;
        bool widest = (saved & 0xE6) == 0xE6 && (b & of_b) == of_b && (c & of_c) == of_c;
        width = wide && widest ? 2 : wide ? 1 : 0;
    }
    return width;
#else
    return 0;
#endif
}

void arena_begin(Arena *arena, Table *table) {
    arena->top = arena->spare = NULL;
    arena->result = table;
}

void arena_end(Arena *arena) {
    while (arena->top) {
        Block *before = arena->top->before;
        free(arena->top);
        arena->top = before;
    }
    free(arena->spare);
    if (arena->result) {
        free(arena->result->row);
        memset(arena->result, 0, sizeof(Table));
    }
}

static void *fail(Arena *arena) {
    longjmp(arena->failed, 1);
    return NULL;
}

/* the head of a block leaves what follows aligned to 64 bytes from malloc's 16 at least to 16 */
#define HEAD ((sizeof(Block) + 15) / 16 * 16)

void *take(Arena *arena, int64_t count, size_t size) {
    if (count < 0 || (uint64_t)count > (SIZE_MAX - 4096) / size) return fail(arena);
    size_t bytes = ((size_t)count * size + 15) / 16 * 16;
    Block *top = arena->top;
    if (!top || top->size - top->used < bytes) {
        Block *fresh = arena->spare;
        if (fresh && fresh->size >= bytes) {
            arena->spare = NULL;
        } else {
            size_t wanted = top ? 2 * top->size : FIRST_BLOCK;
            if (wanted < bytes) wanted = bytes;
            fresh = malloc(HEAD + wanted);
            if (!fresh) return fail(arena);
            fresh->size = wanted;
        }
        fresh->before = top;
        fresh->used = 0;
        arena->top = top = fresh;
    }
    void *taken = (char *)top + HEAD + top->used;
    top->used += bytes;
    return taken;
}

void *take_zero(Arena *arena, int64_t count, size_t size) {
    return memset(take(arena, count, size), 0, (size_t)count * size);
}

Mark marked(const Arena *arena) {
    Mark mark = {arena->top, arena->top ? arena->top->used : 0};
    return mark;
}

void release(Arena *arena, Mark mark) {
    while (arena->top != mark.top) {
        Block *gone = arena->top;
        arena->top = gone->before;
        if (!arena->spare || arena->spare->size < gone->size) {
            free(arena->spare);
            arena->spare = gone;
        } else {
            free(gone);
        }
    }
    if (arena->top) arena->top->used = mark.used;
}

void *next_row(Arena *arena, Table *table) {
    if (table->count == table->room) {
        int64_t room = table->room ? 2 * table->room : 64;
        char *row = realloc(table->row, (size_t)(room * table->size));
        if (!row) return fail(arena);
        table->row = row;
        table->room = room;
    }
    return table->row + table->size * table->count++;
}

void order_descending(Arena *arena, const double *value, int64_t count, int64_t *order) {
    int64_t *from = order, *into = NEW(arena, count, int64_t);
    for (int64_t i = 0; i < count; i++) order[i] = i;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t low = 0; low < count; low += 2 * width) {
            int64_t middle = least(low + width, count), high = least(low + 2 * width, count);
            int64_t i = low, j = middle;
            for (int64_t k = low; k < high; k++) {
                bool left = i < middle && (j >= high || value[from[i]] >= value[from[j]]);
                into[k] = left ? from[i++] : from[j++];
            }
        }
        int64_t *other = from;
        from = into;
        into = other;
    }
    if (from != order) memcpy(order, from, (size_t)count * sizeof(int64_t));
}

/* ------------------------------------------------------------------------------ equal ranges */

EXPORT void ranges_rehash(const int64_t *old, int64_t old_size, int64_t *table, int64_t size) {
    rehash(old, old_size, table, size);
}

/* `state` holds how many ranges are done and how many are distinct */
EXPORT void ranges_number_ranges(const int32_t *code, const int64_t *begin, const int64_t *stop,
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
