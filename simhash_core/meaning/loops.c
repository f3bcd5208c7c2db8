/* Which sentences of two texts answer each other, and the rectangles grown on them. Everything that
   is added up is a whole number. */
#include <math.h>

#include "../machine/loops.h"

/* numbers of Python, compared with these by tests/machine/test_native.py */
#define MEANING_ANSWER 0.32
#define MEANING_ANSWER_ACROSS 0.27
#define MEANING_FORMULA 0.8
#define MEANING_HUB 0.5
#define MEANING_HUB_FROM 0.35
#define MEANING_NEXT 0.5
#define MEANING_NEXT_FROM 0.15
#define MEANING_NEXT_UNITS 8
#define MEANING_PASSAGES 4
#define MEANING_VERBATIM 0.99
#define UNIT 1000
#define SQUARE 262144.0
#define SLOPE 12.0
#define FLOOR (-1200)
#define CAP 4000
#define THIRD 1500
#define FEWEST 2
#define TURNS 3
#define FEW 4
#define MANY 20
#define SHOWN 3

static const int64_t WINDOWS[] = {1, 2, 3, 5, 8, 12, 18};

typedef struct {
    int64_t top, low, high;
} Run;

/* What is taken from the cosines of a unit: for how near it is to other texts, and for how near the
   next best of the units opposite are, whose products lie `step` apart. */
static double less_of(const int32_t *products, int64_t step, int64_t others, double hub) {
    int64_t count = least(MEANING_NEXT_UNITS, most(1, others / 4)), best[MEANING_NEXT_UNITS + 1];
    int64_t held = 0, total = 0;
    for (int64_t j = 0; j < others; j++) {
        int64_t value = products[j * step];
        if (held > count && value <= best[count]) continue;
        int64_t at = least(held, count);
        for (; at > 0 && best[at - 1] < value; at--) best[at] = best[at - 1];
        best[at] = value;
        held++;
    }
    for (int64_t k = 1; k <= count; k++) total += best[k];
    double next = (double)total / ((double)count * SQUARE);
    double trusted =
        MEANING_NEXT * lower(1.0, higher(0.0, (double)(others - FEW) / (double)(MANY - FEW)));
    return MEANING_HUB * higher(0.0, hub - MEANING_HUB_FROM) +
           trusted * higher(0.0, next - MEANING_NEXT_FROM);
}

static double answer_from(bool across) { return across ? MEANING_ANSWER_ACROSS : MEANING_ANSWER; }

EXPORT int64_t meaning_cells(const int32_t *products, int64_t a, int64_t b, const double *hub_a,
                             const double *hub_b, const uint8_t *script_a, const uint8_t *script_b,
                             const bool *free_a, const bool *free_b, int64_t *ratios) {
    ARENA(arena, NULL);
    double *less_b = NEW(&arena, b, double);
    for (int64_t j = 0; j < b; j++) less_b[j] = less_of(products + j, b, a, hub_b[j]);
    for (int64_t i = 0; i < a; i++) {
        double less_a = less_of(products + i * b, 1, b, hub_a[i]);
        for (int64_t j = 0; j < b; j++) {
            int64_t at = i * b + j;
            ratios[at] = FLOOR;
            if (!free_a[i] || !free_b[j]) continue;
            bool across = script_a[i] != script_b[j];
            double left = products[at] / SQUARE - (less_a + less_b[j]);
            double ratio = floor(UNIT * (SLOPE * (left - answer_from(across))) + 0.5);
            bool formula = !across && products[at] >= MEANING_FORMULA * SQUARE;
            ratios[at] = least(most((int64_t)ratio, FLOOR), formula ? 0 : CAP);
        }
    }
    arena_end(&arena);
    return 0;
}

/* the greatest sum of a run of values, `step` apart */
static Run best_run(const int64_t *values, int64_t count, int64_t step) {
    Run best = {INT64_MIN, 0, 0};
    int64_t now = 0, begin = 0;
    for (int64_t row = 0; row < count; row++) {
        if (now <= 0) {
            now = 0;
            begin = row;
        }
        now += values[row * step];
        if (now > best.top) best = (Run){now, begin, row + 1};
    }
    return best;
}

typedef struct {
    int64_t a0, a1, b0, b1;
} Rect;

static Rect seed(const int64_t *ratios, int64_t rows, int64_t columns, int64_t *widest) {
    memcpy(widest, ratios, (size_t)(rows * columns) * sizeof(int64_t));
    int64_t top = INT64_MIN, before = 1;
    Rect best = {0, 0, 0, 0};
    for (size_t w = 0; w < sizeof WINDOWS / sizeof *WINDOWS; w++) {
        int64_t width = WINDOWS[w], step = width - before;
        if (step > 0)
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < columns - step; j++) {
                    int64_t *cell = widest + i * columns + j;
                    *cell = most(*cell, cell[step]);
                }
        before = width;
        if (width < SHOWN) continue;
        for (int64_t j = 0; j < columns; j++) {
            Run run = best_run(widest + j, rows, columns);
            if (run.top > top) {
                top = run.top;
                best = (Rect){run.low, run.high, j, least(columns, j + width)};
            }
        }
    }
    return best;
}

/* the best cell of each row of a rectangle */
static void best_rows(const int64_t *ratios, int64_t columns, Rect of, int64_t *best) {
    for (int64_t i = of.a0; i < of.a1; i++) {
        int64_t top = ratios[i * columns + of.b0];
        for (int64_t j = of.b0 + 1; j < of.b1; j++) top = most(top, ratios[i * columns + j]);
        best[i - of.a0] = top;
    }
}

static void best_columns(const int64_t *ratios, int64_t columns, Rect of, int64_t *best) {
    for (int64_t j = of.b0; j < of.b1; j++) best[j - of.b0] = ratios[of.a0 * columns + j];
    for (int64_t i = of.a0 + 1; i < of.a1; i++)
        for (int64_t j = of.b0; j < of.b1; j++)
            best[j - of.b0] = most(best[j - of.b0], ratios[i * columns + j]);
}

static Rect fitted(const int64_t *ratios, int64_t rows, int64_t columns, Rect of, int64_t *best) {
    for (int turn = 0; turn < TURNS; turn++) {
        best_columns(ratios, columns, (Rect){of.a0, of.a1, 0, columns}, best);
        Run run = best_run(best, columns, 1);
        of.b0 = run.low;
        of.b1 = run.high;
        best_rows(ratios, columns, (Rect){0, rows, of.b0, of.b1}, best);
        run = best_run(best, rows, 1);
        if (run.low == of.a0 && run.high == of.a1) break;
        of.a0 = run.low;
        of.a1 = run.high;
    }
    return of;
}

/* the sum of all values; `above` receives how many are above 0 */
static int64_t positive(const int64_t *values, int64_t count, int64_t *above) {
    int64_t total = 0;
    *above = 0;
    for (int64_t i = 0; i < count; i++) {
        total += values[i];
        *above += values[i] > 0;
    }
    return total;
}

static bool is_empty(const int64_t *ratios, int64_t cells) {
    int64_t count = 0;
    for (int64_t i = 0; i < cells && count < FEWEST; i++) count += ratios[i] > 0;
    return count < FEWEST;
}

/* writes at most MEANING_PASSAGES rows; returns how many */
EXPORT int64_t meaning_rectangles(int64_t *ratios, int64_t rows, int64_t columns, int64_t fewest,
                                  int64_t (*passages)[5]) {
    ARENA(arena, NULL);
    int64_t *widest = NEW(&arena, rows * columns, int64_t), count = 0;
    int64_t *best = NEW(&arena, most(rows, columns), int64_t);
    for (int turn = 0; turn < MEANING_PASSAGES && !is_empty(ratios, rows * columns); turn++) {
        Rect of = fitted(ratios, rows, columns, seed(ratios, rows, columns, widest), best);
        int64_t above_a, above_b;
        best_rows(ratios, columns, of, best);
        int64_t of_rows = positive(best, of.a1 - of.a0, &above_a);
        best_columns(ratios, columns, of, best);
        int64_t of_columns = positive(best, of.b1 - of.b0, &above_b);
        int64_t score = least(of_rows, of_columns) + THIRD * (least(above_a, above_b) - 2);
        if (score < fewest) break;
        if (least(of.a1 - of.a0, of.b1 - of.b0) >= FEWEST) {
            int64_t *row = passages[count++];
            row[0] = score;
            row[1] = of.a0;
            row[2] = of.a1;
            row[3] = of.b0;
            row[4] = of.b1;
        }
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < columns; j++)
                if ((of.a0 <= i && i < of.a1) || (of.b0 <= j && j < of.b1))
                    ratios[i * columns + j] = FLOOR;
    }
    arena_end(&arena);
    return count;
}

/* ------------------------------------------------------------------------------- many pairs */

typedef struct {
    const int16_t *rows;
    int64_t depth;
    const int64_t *first; /* unit of each text, and the end of the last one */
    const double *hub;
    const uint8_t *script;
    const bool *free;
} Units;

/* rows of two texts, and where their free units lie */
typedef int64_t Pair[3];

typedef struct {
    const int16_t *left, *right;
    int64_t rows, columns, depth;
    int32_t *product;
} Products;

INLINE void multiply_in(const Products *of) {
    for (int64_t i = 0; i < of->rows; i++)
        for (int64_t j = 0; j < of->columns; j++) {
            const int16_t *a = of->left + i * of->depth, *b = of->right + j * of->depth;
            int32_t sum = 0;
            for (int64_t k = 0; k < of->depth; k++) sum += a[k] * b[k];
            of->product[i * of->columns + j] = sum;
        }
}

IN_WIDTHS(void, multiply, (const Products *of), of)

/* Which pairs hold a passage of at least `wanted`, of those of at least `fewest`, and how near the
   nearest units of each are that are not word for word the same. Most have no two cells that can
   speak for one. */
EXPORT int64_t meaning_select_pairs(const Units *of, const Pair *pairs, const int64_t *wanted,
                                    int64_t count, int64_t fewest, bool *held, float *closest) {
    ARENA(arena, NULL);
    for (int64_t p = 0; p < count; p++) {
        Mark mark = marked(&arena);
        const int64_t *first_a = of->first + pairs[p][0], *first_b = of->first + pairs[p][1];
        int64_t a = first_a[1] - *first_a, b = first_b[1] - *first_b, answers = 0, found = 0;
        int64_t passages[MEANING_PASSAGES][5];
        const double *hub_a = of->hub + *first_a, *hub_b = of->hub + *first_b;
        const uint8_t *script_a = of->script + *first_a, *script_b = of->script + *first_b;
        int32_t *cells = NEW(&arena, a * b, int32_t), nearest = 0;
        multiply(&(Products){of->rows + *first_a * of->depth, of->rows + *first_b * of->depth, a, b,
                             of->depth, cells});
        for (int64_t i = 0; i < a; i++) {
            double less_a = MEANING_HUB * higher(0.0, hub_a[i] - MEANING_HUB_FROM);
            for (int64_t j = 0; j < b; j++) {
                int32_t product = cells[i * b + j];
                double less_b = MEANING_HUB * higher(0.0, hub_b[j] - MEANING_HUB_FROM);
                double left = product / SQUARE - (less_a + less_b);
                answers += left > answer_from(script_a[i] != script_b[j]);
                if (product > nearest && product < MEANING_VERBATIM * SQUARE) nearest = product;
            }
        }
        if (answers >= FEWEST) {
            const bool *free = of->free + pairs[p][2];
            int64_t *ratios = NEW(&arena, a * b, int64_t);
            found = meaning_cells(cells, a, b, hub_a, hub_b, script_a, script_b, free, free + a,
                                  ratios);
            if (!found) found = meaning_rectangles(ratios, a, b, fewest, passages);
            if (found < 0) longjmp(arena.failed, 1);
        }
        held[p] = false;
        for (int64_t f = 0; f < found; f++) held[p] |= passages[f][0] >= wanted[p];
        closest[p] = (float)(nearest / SQUARE);
        release(&arena, mark);
    }
    arena_end(&arena);
    return 0;
}
