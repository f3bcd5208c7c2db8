/* What the loops of all rooms share: memory that ends with a call, and results that outlive it.

   A call takes all its memory from one arena. Where the machine has no more, it leaves by `failed`
   and reports `NO_MEMORY`, for which Python raises MemoryError. What a call returns in unknown
   number is a `Table`, handed over to Python, which copies and releases it. */
#ifndef LEITONG_LOOPS_H
#define LEITONG_LOOPS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Loops over words of bits and rows of numbers come in three widths on processors of Intel's kind;
   which one runs is asked of the processor. All give the same results. */
#if defined(__x86_64__) && defined(__GNUC__)
#define WIDTHS 1
#define WIDE __attribute__((target("avx2,popcnt,bmi,bmi2,lzcnt")))
#if defined(__clang__) && __clang_major__ >= 18 && __clang_major__ < 22
#define WHOLE_VECTORS ",evex512" /* which Zig 0.15 and 0.16 turn off where it is not named */
#elif defined(__clang__)
#define WHOLE_VECTORS
#else
#define WHOLE_VECTORS ",prefer-vector-width=512" /* which clang does not know */
#endif
#define WIDEST                                                                                     \
    __attribute__((target("avx2,popcnt,bmi,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,"          \
                          "avx512vpopcntdq,avx512vnni" WHOLE_VECTORS)))
#define INLINE static inline __attribute__((always_inline))
#else
#define WIDTHS 0
#define INLINE static inline
#endif

/* IN_WIDTHS(void, scan, (const Call *of), of): `scan` is `scan_in`, which is INLINE, in that form */
#if WIDTHS
#define IN_WIDTHS(gives, name, takes, ...)                                                         \
    static gives name##_0 takes { return name##_in(__VA_ARGS__); }                                 \
    WIDE static gives name##_1 takes { return name##_in(__VA_ARGS__); }                            \
    WIDEST static gives name##_2 takes { return name##_in(__VA_ARGS__); }                          \
    static gives name takes {                                                                      \
        int width = leitong_width();                                                               \
        return (width == 2 ? name##_2 : width == 1 ? name##_1 : name##_0)(__VA_ARGS__);            \
    }
#else
#define IN_WIDTHS(gives, name, takes, ...)                                                         \
    static gives name takes { return name##_in(__VA_ARGS__); }
#endif

#define NO_MEMORY (-1)

/* 0, 1 or 2: the widest form that this processor runs */
int leitong_width(void);

typedef struct Block {
    struct Block *before;
    size_t size, used;
} Block;

typedef struct {
    char *row;
    int64_t count, room, size; /* rows, room for rows, bytes of a row */
} Table;

typedef struct {
    Block *top, *spare;
    Table *result; /* released where the call fails */
    jmp_buf failed;
} Arena;

typedef struct {
    Block *top;
    size_t used;
} Mark;

/* Begin a call whose results go into `table`; see `ARENA`. */
void arena_begin(Arena *arena, Table *table);
void arena_end(Arena *arena);
void *take(Arena *arena, int64_t count, size_t size);       /* not initialised */
void *take_zero(Arena *arena, int64_t count, size_t size);
Mark marked(const Arena *arena);
void release(Arena *arena, Mark mark);
void *next_row(Arena *arena, Table *table);                 /* room for one more row, counted */

/* At the head of a call: begins it, and ends it where memory runs out. */
#define ARENA(arena, table)                                                                        \
    Arena arena;                                                                                   \
    arena_begin(&arena, table);                                                                    \
    if (setjmp(arena.failed)) {                                                                    \
        arena_end(&arena);                                                                         \
        return NO_MEMORY;                                                                          \
    }

#define NEW(arena, count, type) ((type *)take(arena, count, sizeof(type)))
#define ZEROS(arena, count, type) ((type *)take_zero(arena, count, sizeof(type)))

static inline int64_t least(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t most(int64_t a, int64_t b) { return b > a ? b : a; }
/* as Python's: the first of two that are equal */
static inline double lower(double a, double b) { return b < a ? b : a; }
static inline double higher(double a, double b) { return b > a ? b : a; }

/* order[0] to order[count - 1] by value, greatest first, equal ones as they stand */
void order_descending(Arena *arena, const double *value, int64_t count, int64_t *order);

#endif
