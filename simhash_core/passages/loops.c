/* The loops of this room in C: the functions of `exact`, `rectangles`, `seeds`, `strong`,
   `summaries`, `pairwise`, `findings`, `coverage`, `rare_words` and `winnow` by the same names and in the same order of
   sums, so that they return the same numbers. What a function does is said there. */
#include <math.h>

#include "../machine/growth.h"

/* numbers of Python, compared with these by tests/machine/test_compiled.py */
#define BASE 0xD1342543DE82EF95u
#define KEPT_WEIGHT 0.4
#define SHORT_RUNS_SHARE 0.5
#define FEWEST_TOKENS 8
#define FEWEST_CHARS 50
#define NEARLY_ALL 0.8
#define MOST_GROWN 60
#define MOST_GROWN_BOOK 400
#define IN_SUMMARY 0.2
#define JOIN_PRICE 0.5
#define JOIN_GAIN 1.05
#define OWN_OVERLAP 0.3
#define MOST_SEEDS 3000
#define BOOK_TOKENS 20000
#define BOOK_STEP 40
#define LEAST_FREE 0.2
#define MOST_EQUAL 3000000000.0
#define EXACT_DENSE 0.8
#define MAINLY_EXACT 0.8
#define SAME_CHAIN 0.8
#define MOST 2
#define LEAST_CHARS_SUMMARY 300
#define LEAST_RATIO 2.5
#define LEAST_TOKENS 50.0
#define HULL_WEIGHT 2.0
#define HULL_PLACES 5
#define LEAST_PRICE 0.57
#define ABOVE_COMMON 0.22
#define DROP 40.0
#define EXPLAINED 0.85
#define REMAINDER 5.0
#define SENTENCE 3
#define MOST_ORDERED 400000000
#define KEPT_ORDER 0.7
#define ANCHOR 2
#define SHORTEST_RUN 3
#define MOST_EQUAL_GRAMS 2000000

enum { IDENTICAL, REWORDED, SUMMARY };
enum { ROW = 4, KIND, SCORE, WEAK };
/* places of the settings, as in `options` */
enum {
    TOP_WEIGHT, GRAM, GRAM_REPEATS, SHORT_RUN, CHAIN_GAP, CHAIN_CHARS, WINDOW, STEP, COSINE, WIDEN,
    AHEAD, THETA, LEAST_WEIGHT, LEAST_DICE, CLOSENESS, STRENGTH, LEAST_CHARS, LEAST_EXACT_CHARS,
    MERGE_GAP, SNAP, VERBATIM_CHARS, VERBATIM_DICE, SUMMARIES, SUMMARY_WORD, SUMMARY_SCORE,
    SUMMARY_RARE, ONLY_SEEDS, BONUS
};

/* many texts, one after the other; see `options.Texts` */
typedef struct {
    const int32_t *feature;
    const int64_t *token, *gram;
    const double *factor;
    const int32_t *start, *end;
    const uint8_t *border;
    const int64_t *offset, *chars;
    int64_t tokens;
} Texts;

/* two texts; see `options.Numbered` */
typedef struct {
    const int32_t *local_a, *local_b;
    const double *weight, *plain;
    double mean;
    const int64_t *token_a, *token_b;
    const int32_t *start_a, *start_b, *end_a, *end_b;
    const uint8_t *border_a, *border_b;
    int64_t na, nb, distinct;
} Numbered;

typedef struct {
    const double *at;
    int64_t count;
} Numbers;

typedef struct {
    int64_t (*row)[4];
    int64_t n;
} Rects;

typedef struct {
    int64_t (*row)[3];
    int64_t n;
} Runs;

typedef struct {
    int64_t (*row)[5];
    int64_t n;
} Chains;

typedef struct {
    double (*row)[8];
    int64_t n;
} Findings;

static const Rects NO_RECTS = {NULL, 0};

static Rects rects_of(Arena *arena, int64_t room) {
    Rects rects = {take(arena, room, sizeof(int64_t[4])), 0};
    return rects;
}

/* ------------------------------------------------------------------------------------- exact */

/* a text of two thousand million tokens would not fit into memory: places are 32 bits */
typedef struct {
    int32_t *head, *follow, *count;
    int64_t size;
} Grams;

static Grams gram_table(Arena *arena, const int64_t *gram, int64_t n) {
    Grams table = {NULL, NULL, NULL, 16};
    /* mostly empty where that costs little: what is not there is found out by one look */
    while (table.size < (n < BOOK_TOKENS ? 8 : 2) * n) table.size *= 2;
    table.head = NEW(arena, table.size, int32_t);
    table.count = ZEROS(arena, table.size, int32_t);
    table.follow = NEW(arena, n, int32_t);
    int64_t mask = table.size - 1;
    for (int64_t slot = 0; slot < table.size; slot++) table.head[slot] = -1;
    for (int64_t j = n - 1; j >= 0; j--) {
        int64_t slot = gram[j] & mask;
        while (table.head[slot] >= 0 && gram[table.head[slot]] != gram[j]) slot = (slot + 1) & mask;
        table.follow[j] = table.head[slot];
        table.head[slot] = (int32_t)j;
        table.count[slot]++;
    }
    return table;
}

/* the slot of a gram, or the free one where it would be */
static inline int64_t slot_of(const Grams *table, const int64_t *gram_b, int64_t gram) {
    int64_t mask = table->size - 1, slot = gram & mask;
    while (table->head[slot] >= 0 && gram_b[table->head[slot]] != gram) slot = (slot + 1) & mask;
    return slot;
}

static void sort_runs(Runs runs) {
    for (int64_t i = 1; i < runs.n; i++) {
        int64_t a = runs.row[i][0], b = runs.row[i][1], length = runs.row[i][2], j = i - 1;
        while (j >= 0 && (runs.row[j][0] > a || (runs.row[j][0] == a && runs.row[j][1] > b))) {
            memcpy(runs.row[j + 1], runs.row[j], sizeof(int64_t[3]));
            j--;
        }
        runs.row[j + 1][0] = a;
        runs.row[j + 1][1] = b;
        runs.row[j + 1][2] = length;
    }
}

static Runs runs_in(Arena *arena, const int64_t *token_a, int64_t na, const int64_t *token_b,
                    int64_t nb, const int64_t *gram_a, int64_t grams_a, const int64_t *gram_b,
                    const Grams *table, int64_t k, int64_t repeats) {
    int32_t *reached = ZEROS(arena, na + nb, int32_t);
    int64_t room = 16;
    Runs runs = {take(arena, room, sizeof(int64_t[3])), 0};
    for (int64_t i = 0; i < grams_a; i++) {
        int64_t slot = slot_of(table, gram_b, gram_a[i]);
        if (table->head[slot] < 0 || table->count[slot] > repeats) continue;
        for (int64_t j = table->head[slot]; j >= 0; j = table->follow[j]) {
            int64_t diagonal = i - j + nb - 1, floor = reached[diagonal], ahead = 0, back = 0;
            if (floor > i) continue;
            while (i + ahead < na && j + ahead < nb && token_a[i + ahead] == token_b[j + ahead])
                ahead++;
            while (i - back > floor && j - back > 0 &&
                   token_a[i - back - 1] == token_b[j - back - 1])
                back++;
            if (ahead < k) continue; /* two grams share a hash */
            if (runs.n == room) {
                int64_t(*longer)[3] = take(arena, 2 * room, sizeof(int64_t[3]));
                memcpy(longer, runs.row, (size_t)room * sizeof(int64_t[3]));
                runs.row = longer;
                room *= 2;
            }
            runs.row[runs.n][0] = i - back;
            runs.row[runs.n][1] = j - back;
            runs.row[runs.n++][2] = ahead + back;
            reached[diagonal] = (int32_t)(i + ahead);
        }
    }
    sort_runs(runs);
    return runs;
}

static Chains chain_runs(Arena *arena, Runs runs, int64_t gap) {
    Chains chains = {take(arena, runs.n, sizeof(int64_t[5])), 0};
    int64_t oldest = 0;
    for (int64_t r = 0; r < runs.n; r++) {
        int64_t a = runs.row[r][0], b = runs.row[r][1], length = runs.row[r][2];
        while (oldest < chains.n && chains.row[oldest][1] + gap < a) oldest++;
        int64_t best = -1, cost = 2 * gap + 1;
        for (int64_t c = oldest; c < chains.n; c++) {
            const int64_t *chain = chains.row[c];
            int64_t over_a = a - chain[1], over_b = b - chain[3];
            if (over_a > gap || over_b > gap || least(over_a, over_b) + length <= 0) continue;
            if (a < chain[0] || b < chain[2]) continue;
            int64_t distance = llabs(over_a) + llabs(over_b);
            if (distance < cost) {
                best = c;
                cost = distance;
            }
        }
        if (best < 0) {
            int64_t *chain = chains.row[chains.n++];
            chain[0] = a;
            chain[1] = a + length;
            chain[2] = b;
            chain[3] = b + length;
            chain[4] = length;
            continue;
        }
        int64_t *chain = chains.row[best];
        int64_t over = most(0, most(chain[1] - a, chain[3] - b));
        chain[1] = most(chain[1], a + length);
        chain[3] = most(chain[3], b + length);
        chain[4] += most(0, length - over);
    }
    return chains;
}

/* total[i]: how many of the first i tokens lie in a run; `total` has room for n + 1 */
static void run_cover(Arena *arena, Runs runs, int64_t side, int64_t n, int64_t *total) {
    int64_t *step = ZEROS(arena, n + 1, int64_t), reached = 0;
    for (int64_t r = 0; r < runs.n; r++) {
        step[runs.row[r][side]]++;
        step[runs.row[r][side] + runs.row[r][2]]--;
    }
    total[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        reached += step[i];
        total[i + 1] = total[i] + (reached > 0);
    }
}

/* -------------------------------------------------------------------------------- rectangles */

static inline int64_t overlap(const int64_t *first, const int64_t *second, int side) {
    return least(first[2 * side + 1], second[2 * side + 1]) - most(first[2 * side], second[2 * side]);
}

static bool lies_in(const int64_t *rect, const int64_t *hull) {
    return 2 * overlap(rect, hull, 0) > rect[1] - rect[0] &&
           2 * overlap(rect, hull, 1) > rect[3] - rect[2];
}

static inline void put(int64_t *into, const int64_t *rect) {
    memcpy(into, rect, sizeof(int64_t[4]));
}

static inline void set(int64_t *into, int64_t a0, int64_t a1, int64_t b0, int64_t b1) {
    into[0] = a0;
    into[1] = a1;
    into[2] = b0;
    into[3] = b1;
}

static Rects one_to_one(Arena *arena, Rects rects) {
    Rects accepted = rects_of(arena, rects.n);
    for (int64_t r = 0; r < rects.n; r++) {
        const int64_t *rect = rects.row[r];
        double long_a = OWN_OVERLAP * (double)(rect[1] - rect[0]);
        double long_b = OWN_OVERLAP * (double)(rect[3] - rect[2]);
        bool is_free = true;
        for (int64_t other = 0; is_free && other < accepted.n; other++) {
            is_free = (double)overlap(rect, accepted.row[other], 0) <= long_a &&
                      (double)overlap(rect, accepted.row[other], 1) <= long_b;
        }
        if (is_free) put(accepted.row[accepted.n++], rect);
    }
    return accepted;
}

static void widen_to(int64_t *hull, const int64_t *rect) {
    set(hull, least(hull[0], rect[0]), most(hull[1], rect[1]), least(hull[2], rect[2]),
        most(hull[3], rect[3]));
}

static void placed_in(Rects rects, int64_t count, const int64_t *rect) {
    int64_t at = count;
    for (; at > 0 && rects.row[at - 1][0] > rect[0]; at--) put(rects.row[at], rects.row[at - 1]);
    put(rects.row[at], rect);
}

static inline void tally(const int32_t *local, int64_t n, int64_t low, int64_t high,
                         int32_t *limit, int32_t change) {
    for (int64_t i = most(low, 0); i < least(high, n); i++) limit[local[i]] += change;
}

/* C, Wa, Wb and C of distinct features of each rectangle; `limit` and `counted` are zero */
static void shared_weights(const Numbered *both, const double *weight, Rects rects,
                           int32_t *limit, bool *counted, double (*measures)[4]) {
    const int32_t *local_a = both->local_a, *local_b = both->local_b;
    for (int64_t r = 0; r < rects.n; r++) {
        const int64_t *rect = rects.row[r];
        double shared = 0.0, of_a = 0.0, of_b = 0.0, once = 0.0;
        tally(local_b, both->nb, rect[2], rect[3], limit, 1);
        for (int64_t i = rect[0]; i < rect[1]; i++) {
            int32_t t = local_a[i];
            of_a += weight[t];
            if (limit[t] > 0) {
                shared += weight[t];
                if (!counted[t]) {
                    once += weight[t];
                    counted[t] = true;
                }
            }
            limit[t]--;
        }
        for (int64_t i = rect[2]; i < rect[3]; i++) {
            of_b += weight[local_b[i]];
            limit[local_b[i]] = 0;
        }
        for (int64_t i = rect[0]; i < rect[1]; i++) {
            limit[local_a[i]] = 0;
            counted[local_a[i]] = false;
        }
        measures[r][0] = shared;
        measures[r][1] = of_a;
        measures[r][2] = of_b;
        measures[r][3] = once;
    }
}

static double worth(const double *measures) {
    return 2.0 * measures[0] - JOIN_PRICE * (measures[1] + measures[2]);
}

static bool better_hull(Arena *arena, const Numbered *both, Rects rects, int64_t *hull) {
    Mark mark = marked(arena);
    int64_t n = rects.n, sizes[2] = {n, 2};
    int32_t *limit = ZEROS(arena, both->distinct, int32_t);
    bool *counted = ZEROS(arena, both->distinct, bool), better = false;
    Rects compared = rects_of(arena, n + 1);
    double(*measures)[4] = take(arena, n + 1, sizeof(double[4]));
    for (int turn = 0; turn < 2 && !better; turn++) {
        for (int64_t i = 0; i < n - sizes[turn] + 1 && !better; i++) {
            put(hull, rects.row[i]);
            for (int64_t r = i + 1; r < i + sizes[turn]; r++) widen_to(hull, rects.row[r]);
            put(compared.row[0], hull);
            compared.n = 1;
            for (int64_t r = 0; r < n; r++)
                if (lies_in(rects.row[r], hull)) put(compared.row[compared.n++], rects.row[r]);
            shared_weights(both, both->weight, compared, limit, counted, measures);
            double inside = 0.0;
            for (int64_t r = 1; r < compared.n; r++) inside += worth(measures[r]);
            better = worth(measures[0]) > JOIN_GAIN * inside;
        }
    }
    release(arena, mark);
    return better;
}

static Rects joined(Arena *arena, const Numbered *both, Rects rects) {
    Rects ordered = rects_of(arena, rects.n);
    int64_t hull[4];
    for (int64_t r = 0; r < rects.n; r++) placed_in(ordered, r, rects.row[r]);
    ordered.n = rects.n;
    while (ordered.n > 1 && better_hull(arena, both, ordered, hull)) {
        int64_t left = 0;
        for (int64_t r = 0; r < ordered.n; r++)
            if (!lies_in(ordered.row[r], hull)) put(ordered.row[left++], ordered.row[r]);
        placed_in(ordered, left, hull);
        ordered.n = left + 1;
    }
    return ordered;
}

static bool are_neighbours(const int64_t *first, const int64_t *second, int64_t gap) {
    int64_t in_a = overlap(first, second, 0), in_b = overlap(first, second, 1);
    return -gap <= in_a && in_a <= gap && -gap <= in_b && in_b <= gap;
}

/* join neighbours, in place */
static Rects merged(Rects left, int64_t gap) {
    int64_t i = 0;
    while (i < left.n) {
        int64_t j = i + 1;
        while (j < left.n && !are_neighbours(left.row[i], left.row[j], gap)) j++;
        if (j == left.n) {
            i++;
            continue;
        }
        widen_to(left.row[i], left.row[j]);
        for (int64_t r = j; r < left.n - 1; r++) put(left.row[r], left.row[r + 1]);
        left.n--;
        i = 0;
    }
    return left;
}

/* number features by first occurrence into `local`; a text after the other */
static int64_t number_all(Arena *arena, const int32_t *feature_a, int64_t na,
                          const int32_t *feature_b, int64_t nb, int32_t *local_a,
                          int32_t *local_b) {
    int64_t size = 16, distinct = 0;
    while (size < 2 * (na + nb)) size *= 2;
    int32_t *key = NEW(arena, size, int32_t), *value = NEW(arena, size, int32_t);
    for (int64_t slot = 0; slot < size; slot++) value[slot] = -1;
    for (int64_t i = 0; i < na + nb; i++) {
        int32_t feature = i < na ? feature_a[i] : feature_b[i - na];
        int64_t slot = (int64_t)feature & (size - 1);
        while (value[slot] >= 0 && key[slot] != feature) slot = (slot + 1) & (size - 1);
        if (value[slot] < 0) {
            key[slot] = feature;
            value[slot] = (int32_t)distinct++;
        }
        if (i < na)
            local_a[i] = value[slot];
        else
            local_b[i - na] = value[slot];
    }
    return distinct;
}

static void weigh(Arena *arena, const int32_t *local_a, int64_t na, const int32_t *local_b,
                  int64_t nb, int64_t distinct, double top, double *weight) {
    int32_t *count = ZEROS(arena, distinct, int32_t), highest = 0;
    for (int64_t i = 0; i < na; i++) count[local_a[i]]++;
    for (int64_t i = 0; i < nb; i++) count[local_b[i]]++;
    for (int64_t t = 0; t < distinct; t++) highest = count[t] > highest ? count[t] : highest;
    double *of_count = NEW(arena, highest + 1, double), total = (double)(na + nb);
    for (int64_t c = 0; c <= highest; c++) of_count[c] = -1.0;
    for (int64_t t = 0; t < distinct; t++) {
        int32_t c = count[t];
        if (of_count[c] < 0.0) of_count[c] = lower(top, -log(1.0 - exp(-20.0 * c / total)));
        weight[t] = of_count[c];
    }
}

/* What grows: one side against a stretch of the other. `left` holds how often the other text's
   stretch `held` still has each feature; between two calls it stays, and only what the next
   stretch has more or less is counted. */
typedef struct {
    const double *weight;
    double theta, drop;
} Price;

typedef struct {
    const int32_t *local, *other;
    int64_t n, other_n;
    int32_t *left;
    const Price *price;
    Span held;
} Side;

static inline double gain_of(const Price *price, const int32_t *left, int32_t t) {
    double w = price->weight[t];
    return left[t] > 0 ? w * (1.0 - price->theta) : -price->theta * w;
}

/* `max_sum_segment`; `left` is afterwards without what the segment holds */
static Span max_sum_segment(const Side *side, const Price *price, int64_t low, int64_t high) {
    const int32_t *local = side->local;
    int32_t *left = side->left;
    double best = 0.0, total = 0.0;
    int64_t first = low, start = low, stop = low;
    for (int64_t i = low; i < high; i++) {
        int32_t t = local[i];
        double gain = gain_of(price, left, t);
        left[t]--;
        if (total <= 0.0) {
            total = 0.0;
            first = i;
        }
        total += gain;
        if (total > best) {
            best = total;
            start = first;
            stop = i + 1;
        }
    }
    for (int64_t i = low; i < start; i++) left[local[i]]++;
    for (int64_t i = most(stop, low); i < high; i++) left[local[i]]++;
    return (Span){start, stop};
}

static Span extended(const Side *side, const Price *price, Span span) {
    const int32_t *local = side->local;
    int32_t *left = side->left;
    double best = 0.0, total = 0.0;
    int64_t at = span.high, i = span.high;
    while (i != side->n && best - total <= price->drop) {
        int32_t t = local[i++];
        total += gain_of(price, left, t);
        left[t]--;
        if (total > best) {
            best = total;
            at = i;
        }
    }
    for (int64_t j = at; j < i; j++) left[local[j]]++;
    int64_t stop = at;
    best = total = 0.0;
    at = i = span.low;
    while (i != 0 && best - total <= price->drop) {
        int32_t t = local[--i];
        total += gain_of(price, left, t);
        left[t]--;
        if (total > best) {
            best = total;
            at = i;
        }
    }
    for (int64_t j = i; j < stop; j++) left[local[j]]++;
    return (Span){at, stop};
}

/* move what `left` counts from the stretch that it held to another one */
static void hold(Side *side, Span wanted) {
    Span held = side->held;
    wanted.low = most(wanted.low, 0);
    wanted.high = most(least(wanted.high, side->other_n), wanted.low);
    int64_t n = side->other_n;
    if (wanted.low >= held.high || wanted.high <= held.low) {
        tally(side->other, n, held.low, held.high, side->left, -1);
        tally(side->other, n, wanted.low, wanted.high, side->left, 1);
    } else {
        tally(side->other, n, wanted.low, held.low, side->left, 1);
        tally(side->other, n, held.low, wanted.low, side->left, -1);
        tally(side->other, n, held.high, wanted.high, side->left, 1);
        tally(side->other, n, wanted.high, held.high, side->left, -1);
    }
    side->held = wanted;
}

static Span better_span(void *text, Span span, Span against) {
    Side *side = text;
    hold(side, against);
    Span found = max_sum_segment(side, side->price, span.low, span.high);
    return extended(side, side->price, found);
}

static Rects grow(Arena *arena, const Numbered *both, Rects seeds, int64_t exact, Numbers numbers,
                  int64_t highest) {
    Rects rects = rects_of(arena, highest + 1);
    Mark mark = marked(arena);
    double theta = numbers.at[THETA];
    Price price = {both->weight, theta, 32.0 * theta * both->mean};
    int32_t *in_b = ZEROS(arena, both->distinct, int32_t);
    int32_t *in_a = ZEROS(arena, both->distinct, int32_t);
    Side a = {both->local_a, both->local_b, both->na, both->nb, in_b, &price, {0, 0}};
    Side b = {both->local_b, both->local_a, both->nb, both->na, in_a, &price, {0, 0}};
    Growth growth = {better_span, &a, &b, a.n, b.n, (int64_t)numbers.at[WIDEN],
                     (int64_t)numbers.at[AHEAD], highest, exact};
    rects.n = grow_seeds(&growth, (const int64_t(*)[4])seeds.row, seeds.n, rects.row);
    release(arena, mark);
    return rects;
}

/* ------------------------------------------------------------------------------------- seeds */

typedef struct {
    int64_t a, b;
    double cosine;
} Seed;

typedef struct {
    Seed *row;
    int64_t n;
} Seeds;

static int64_t window_count(int64_t n, int64_t width, int64_t step) {
    return 1 + most(0, (n - width + step - 1) / step);
}

static bool is_book(const Numbered *both) { return most(both->na, both->nb) > BOOK_TOKENS; }

static int64_t affordable_step(Arena *arena, const Numbered *both, int64_t step, int64_t width) {
    double visits = (double)(both->na * both->nb * width * width);
    if (visits <= MOST_EQUAL * (double)step * (double)step) return step;
    int32_t *in_a = ZEROS(arena, both->distinct, int32_t);
    int64_t equal = 0;
    for (int64_t i = 0; i < both->na; i++) in_a[both->local_a[i]]++;
    for (int64_t i = 0; i < both->nb; i++) equal += in_a[both->local_b[i]];
    return most(step, (int64_t)ceil(sqrt((double)equal / MOST_EQUAL) * (double)width));
}

/* cover[i]: how many of the first i tokens of one side lie in a chain */
static int64_t *covered_before(Arena *arena, Rects chains, int side, int64_t n) {
    int64_t *change = ZEROS(arena, n + 1, int64_t), *cover = NEW(arena, n + 1, int64_t), depth = 0;
    for (int64_t c = 0; c < chains.n; c++) {
        change[chains.row[c][2 * side]]++;
        change[chains.row[c][2 * side + 1]]--;
    }
    cover[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        depth += change[i];
        cover[i + 1] = cover[i] + (depth > 0);
    }
    return cover;
}

static void leave_free(bool *looked, int64_t windows, const int64_t *cover, int64_t n,
                       int64_t width, int64_t step) {
    for (int64_t window = 0; window < windows; window++) {
        int64_t low = least(window * step, n), high = least(low + width, n);
        int64_t is_free = (high - low) - (cover[high] - cover[low]);
        looked[window] = (double)is_free >= LEAST_FREE * (double)(high - low);
    }
}

typedef struct {
    bool *a, *b;
    int64_t windows_a, windows_b;
} Looked;

static Looked looked_at(Arena *arena, Rects chains, const Numbered *both, int64_t width,
                        int64_t step) {
    Looked look = {NULL, NULL, window_count(both->na, width, step),
                   window_count(both->nb, width, step)};
    look.a = NEW(arena, look.windows_a, bool);
    look.b = NEW(arena, look.windows_b, bool);
    memset(look.a, 1, (size_t)look.windows_a);
    memset(look.b, 1, (size_t)look.windows_b);
    if (!chains.n) return look;
    int64_t *cover_a = covered_before(arena, chains, 0, both->na);
    int64_t *cover_b = covered_before(arena, chains, 1, both->nb);
    if (2 * cover_a[both->na] < both->na + 1 || 2 * cover_b[both->nb] < both->nb + 1) return look;
    leave_free(look.a, look.windows_a, cover_a, both->na, width, step);
    leave_free(look.b, look.windows_b, cover_b, both->nb, width, step);
    return look;
}

/* the norm of each window; `tf` is zero and is left as it may be */
static void norms(const int32_t *local, int64_t n, const double *weight, int64_t width,
                  int64_t step, int32_t *tf, double *norm) {
    int64_t windows = window_count(n, width, step), low = 0, high = 0;
    double square = 0.0, grown[3] = {1.0, 3.0, 0.0}; /* by one more: min(tf, 2) squared */
    for (int64_t win = 0; win < windows; win++) {
        for (; high < least(win * step + width, n); high++) {
            int32_t t = local[high];
            square += grown[least(tf[t]++, 2)] * weight[t] * weight[t];
        }
        for (; low < least(win * step, high); low++) {
            int32_t t = local[low];
            square -= grown[least(--tf[t], 2)] * weight[t] * weight[t];
        }
        norm[win] = sqrt(higher(square, 0.0));
    }
}

/* blocks of `step` tokens by feature as CSR; `value` is min(tf, 2) */
typedef struct {
    int32_t *indptr, *block, *value;
} Blocks;

static Blocks block_entries(Arena *arena, const int32_t *local, int64_t n, int64_t distinct,
                            int64_t step) {
    Blocks entries = {ZEROS(arena, distinct + 1, int32_t), NULL, NULL};
    int32_t *last = NEW(arena, distinct, int32_t), *count = entries.indptr;
    for (int64_t t = 0; t < distinct; t++) last[t] = -1;
    for (int64_t one = 0, begin = 0; begin < n; one++, begin += step) {
        for (int64_t i = begin; i < least(begin + step, n); i++) {
            int32_t t = local[i];
            if (last[t] != (int32_t)one) {
                last[t] = (int32_t)one;
                count[t + 1]++;
            }
        }
    }
    int32_t *place = NEW(arena, distinct, int32_t);
    for (int64_t t = 0; t < distinct; t++) {
        place[t] = count[t];
        count[t + 1] += count[t];
        last[t] = -1;
    }
    entries.block = NEW(arena, count[distinct], int32_t);
    entries.value = NEW(arena, count[distinct], int32_t);
    for (int64_t one = 0, begin = 0; begin < n; one++, begin += step) {
        for (int64_t i = begin; i < least(begin + step, n); i++) {
            int32_t t = local[i];
            if (last[t] == (int32_t)one) {
                entries.value[place[t] - 1] = 2;
            } else {
                last[t] = (int32_t)one;
                entries.block[place[t]] = (int32_t)one;
                entries.value[place[t]++] = 1;
            }
        }
    }
    return entries;
}

/* `common` has room for the features of a block that b has too: of most texts they are few */
static void add_block(const int32_t *in_block, int64_t size, const double *weight,
                      const Blocks *entries, int32_t *tf, int32_t *common, double *row,
                      int64_t columns) {
    int64_t n = 0;
    memset(row, 0, (size_t)columns * sizeof(double));
    for (int64_t i = 0; i < size; i++) {
        int32_t t = common[n] = in_block[i];
        n += entries->indptr[t] < entries->indptr[t + 1];
    }
    for (int64_t i = 0; i < n; i++) tf[common[i]]++;
    for (int64_t i = 0; i < n; i++) {
        int32_t t = common[i];
        double square = (tf[t] < 2 ? tf[t] : 2) * weight[t] * weight[t];
        tf[t] = 0;
        if (square > 0.0)
            for (int32_t p = entries->indptr[t]; p < entries->indptr[t + 1]; p++)
                row[entries->block[p]] += square * entries->value[p];
    }
}

typedef struct {
    const double *recent; /* the last blocks of a against all of b, a row each */
    int64_t span, columns, windows;
    const double *bars;
    double *together, *summed;
    bool *hopeful;
} Products;

INLINE bool mark_hopeful_in(const Products *of, double norm) {
    const double *restrict recent = of->recent, *restrict bars = of->bars;
    double *restrict together = of->together, *restrict summed = of->summed;
    bool *restrict hopeful = of->hopeful;
    int64_t span = of->span, columns = of->columns, windows = of->windows, reached = 0;
    for (int64_t j = 0; j < columns; j++) together[j] = recent[j];
    for (int64_t s = 1; s < span; s++)
        for (int64_t j = 0; j < columns; j++) together[j] += recent[s * columns + j];
    for (int64_t j = 0; j < windows; j++) summed[j] = together[j];
    for (int64_t s = 1; s < span; s++)
        for (int64_t j = 0; j < windows; j++) summed[j] += together[j + s];
    for (int64_t j = 0; j < windows; j++) reached += summed[j] >= norm * bars[j];
    if (!reached) return false;
    for (int64_t j = 0; j < windows; j++) hopeful[j] |= summed[j] >= norm * bars[j];
    return true;
}

IN_WIDTHS(bool, mark_hopeful, (const Products *of, double norm), of, norm)

static Looked hopeful_windows(Arena *arena, const Numbered *both, int64_t width, int64_t step,
                              double floor, Looked look) {
    int64_t span = (width + step - 1) / step, slot = 0;
    int64_t windows_a = look.windows_a, windows_b = look.windows_b, columns = windows_b + span;
    const double *weight = both->weight;
    Looked hopeful = {ZEROS(arena, windows_a, bool), ZEROS(arena, windows_b, bool), windows_a,
                      windows_b};
    Mark mark = marked(arena);
    double *norm_a = NEW(arena, windows_a, double), *norm_b = NEW(arena, windows_b, double);
    int32_t *tf = ZEROS(arena, both->distinct, int32_t);
    norms(both->local_a, both->na, weight, width, step, tf, norm_a);
    memset(tf, 0, (size_t)both->distinct * sizeof(int32_t));
    norms(both->local_b, both->nb, weight, width, step, tf, norm_b);
    memset(tf, 0, (size_t)both->distinct * sizeof(int32_t));
    Blocks entries = block_entries(arena, both->local_b, both->nb, both->distinct, step);
    double *bars = NEW(arena, windows_b, double), *recent = ZEROS(arena, span * columns, double);
    int32_t *common = NEW(arena, step, int32_t);
    for (int64_t win = 0; win < windows_b; win++)
        bars[win] = look.b[win] && norm_b[win] > 0.0 ? floor * norm_b[win] * (1.0 - 1e-6) : 1e300;
    Products of = {recent, span, columns, windows_b, bars, NEW(arena, columns, double),
                   NEW(arena, windows_b, double), hopeful.b};
    for (int64_t row = 0; row < windows_a + span - 1; row++) {
        int64_t low = least(row * step, both->na), high = least(row * step + step, both->na);
        add_block(both->local_a + low, high - low, weight, &entries, tf, common,
                  recent + slot * columns, columns);
        slot = slot + 1 < span ? slot + 1 : 0;
        int64_t win = row - span + 1;
        if (win >= 0 && look.a[win] && norm_a[win] > 0.0)
            hopeful.a[win] = mark_hopeful(&of, norm_a[win]);
    }
    release(arena, mark);
    return hopeful;
}

/* windows by feature as CSR, and the norm of each window */
typedef struct {
    int64_t *indptr, *window;
    double *value, *norm;
} Postings;

typedef struct {
    int32_t feature;
    int32_t window;
    double value;
} Entry;

static Postings postings(Arena *arena, const int32_t *local, int64_t n, const bool *shared,
                         const double *weight, int64_t distinct, int64_t width, int64_t step,
                         const bool *looked) {
    int64_t windows = window_count(n, width, step), filled = 0, room = 0;
    for (int64_t win = 0; win < windows; win++)
        if (looked[win]) room += most(0, least(win * step + width, n) - win * step);
    Postings of = {ZEROS(arena, distinct + 1, int64_t), NULL, NULL, ZEROS(arena, windows, double)};
    of.window = NEW(arena, room, int64_t);
    of.value = NEW(arena, room, double);
    Mark mark = marked(arena);
    int32_t *tf = ZEROS(arena, distinct, int32_t);
    Entry *entry = NEW(arena, room, Entry);
    for (int64_t win = 0; win < windows; win++) {
        if (!looked[win]) continue;
        int64_t low = win * step, high = least(win * step + width, n);
        double square = 0.0;
        for (int64_t i = low; i < high; i++) tf[local[i]]++;
        for (int64_t i = low; i < high; i++) {
            int32_t t = local[i];
            if (tf[t] == 0) continue;
            double value = (tf[t] < 2 ? tf[t] : 2) * weight[t];
            tf[t] = 0;
            square += value * value;
            if (shared[t] && value > 0.0) {
                entry[filled++] = (Entry){t, (int32_t)win, value};
                of.indptr[t + 1]++;
            }
        }
        of.norm[win] = sqrt(square);
    }
    int64_t *place = NEW(arena, distinct, int64_t);
    for (int64_t t = 0; t < distinct; t++) {
        place[t] = of.indptr[t];
        of.indptr[t + 1] += of.indptr[t];
    }
    for (int64_t e = 0; e < filled; e++) {
        int64_t at = place[entry[e].feature]++;
        of.window[at] = entry[e].window;
        of.value[at] = entry[e].value;
    }
    release(arena, mark);
    return of;
}

/* the `highest` seeds with the largest cosine, best first, equal ones in their order */
static Seeds best_seeds(Arena *arena, Seeds seeds, int64_t highest) {
    Seeds best = {NEW(arena, least(seeds.n, highest), Seed), least(seeds.n, highest)};
    Mark mark = marked(arena);
    double *cosine = NEW(arena, seeds.n, double);
    int64_t *order = NEW(arena, seeds.n, int64_t);
    for (int64_t s = 0; s < seeds.n; s++) cosine[s] = seeds.row[s].cosine;
    order_descending(arena, cosine, seeds.n, order);
    for (int64_t s = 0; s < best.n; s++) best.row[s] = seeds.row[order[s]];
    release(arena, mark);
    return best;
}

static Seeds window_seeds(Arena *arena, const Numbered *both, int64_t width, int64_t step,
                          double floor, int64_t highest, Looked look) {
    const int32_t *local_a = both->local_a;
    const double *weight = both->weight;
    Seeds seeds = {NULL, 0};
    look = hopeful_windows(arena, both, width, step, floor, look);
    if (!memchr(look.a, 1, (size_t)look.windows_a)) return seeds;
    bool *shared = ZEROS(arena, both->distinct, bool);
    for (int64_t win = 0; win < look.windows_a; win++)
        if (look.a[win])
            for (int64_t i = win * step; i < least(win * step + width, both->na); i++)
                shared[local_a[i]] = true;
    Postings of_b = postings(arena, both->local_b, both->nb, shared, weight, both->distinct, width,
                             step, look.b);
    int32_t *tf = ZEROS(arena, both->distinct, int32_t);
    double *dot = ZEROS(arena, look.windows_b, double);
    int64_t room = 4 * highest;
    seeds.row = NEW(arena, room, Seed);
    for (int64_t win = 0; win < look.windows_a; win++) {
        if (!look.a[win]) continue;
        int64_t low = win * step, high = least(win * step + width, both->na);
        double square = 0.0;
        for (int64_t i = low; i < high; i++) tf[local_a[i]]++;
        for (int64_t i = low; i < high; i++) {
            int32_t t = local_a[i];
            double value = (tf[t] < 2 ? tf[t] : 2) * weight[t]; /* 0 from the second time on */
            tf[t] = 0;
            square += value * value;
            if (value > 0.0)
                for (int64_t p = of_b.indptr[t]; p < of_b.indptr[t + 1]; p++)
                    dot[of_b.window[p]] += value * of_b.value[p];
        }
        for (int64_t other = 0; other < look.windows_b; other++) {
            if (!(dot[other] > 0.0)) continue;
            double cosine = dot[other] / (sqrt(square) * of_b.norm[other]);
            dot[other] = 0.0;
            if (!(cosine >= floor)) continue;
            if (seeds.n == room) {
                Mark mark = marked(arena);
                Seeds best = best_seeds(arena, seeds, highest);
                memcpy(seeds.row, best.row, (size_t)highest * sizeof(Seed));
                release(arena, mark);
                /* of equal ones the first stay: a later one must be better */
                floor = nextafter(seeds.row[highest - 1].cosine, 2.0);
                seeds.n = highest;
                if (cosine < floor) continue;
            }
            seeds.row[seeds.n++] = (Seed){low, other * step, cosine};
        }
    }
    return best_seeds(arena, seeds, highest);
}

static Seeds windows_alike(Arena *arena, const Numbered *both, Rects chains, Numbers numbers) {
    int64_t width = (int64_t)numbers.at[WINDOW], step = (int64_t)numbers.at[STEP];
    step = affordable_step(arena, both, is_book(both) ? BOOK_STEP : step, width);
    Looked look = looked_at(arena, chains, both, width, step);
    return window_seeds(arena, both, width, step, numbers.at[COSINE], MOST_SEEDS, look);
}

static Rects spans_of(Arena *arena, Rects chains, Seeds seeds, const Numbered *both,
                      int64_t width) {
    Rects spans = rects_of(arena, chains.n + seeds.n);
    for (int64_t c = 0; c < chains.n; c++) {
        const int64_t *chain = chains.row[c];
        int64_t at = c;
        for (; at > 0 && spans.row[at - 1][1] - spans.row[at - 1][0] < chain[1] - chain[0]; at--)
            put(spans.row[at], spans.row[at - 1]);
        put(spans.row[at], chain);
    }
    for (int64_t s = 0; s < seeds.n; s++) {
        int64_t a = seeds.row[s].a, b = seeds.row[s].b;
        set(spans.row[chains.n + s], a, least(a + width, both->na), b, least(b + width, both->nb));
    }
    spans.n = chains.n + seeds.n;
    return spans;
}

/* ------------------------------------------------------------------------------------ strong */

/* shared weight, dice, score and strength of rectangles, into (r, 4) */
static void measured(Arena *arena, const Numbered *both, Rects rects, Numbers numbers,
                     double (*measures)[4]) {
    Mark mark = marked(arena);
    int32_t *limit = ZEROS(arena, rects.n ? both->distinct : 0, int32_t);
    bool *counted = ZEROS(arena, rects.n ? both->distinct : 0, bool);
    shared_weights(both, both->weight, rects, limit, counted, measures);
    for (int64_t r = 0; r < rects.n; r++) {
        double shared = measures[r][0], sides = measures[r][1] + measures[r][2];
        double distinct = measures[r][3], dice = sides > 0.0 ? 2.0 * shared / sides : 0.0;
        measures[r][1] = dice;
        measures[r][2] = 2.0 * shared - numbers.at[THETA] * sides;
        measures[r][3] = log(higher(distinct, 1e-9)) + numbers.at[CLOSENESS] * dice;
    }
    release(arena, mark);
}

static double exact_share(Arena *arena, Runs runs, int side, int64_t low, int64_t high) {
    Runs inside = {take(arena, runs.n, sizeof(int64_t[3])), 0};
    int64_t *total = NEW(arena, high - low + 1, int64_t);
    for (int64_t r = 0; r < runs.n; r++) {
        int64_t first = most(runs.row[r][side], low);
        int64_t last = least(runs.row[r][side] + runs.row[r][2], high);
        if (first < last) {
            inside.row[inside.n][0] = first - low;
            inside.row[inside.n][1] = 0;
            inside.row[inside.n++][2] = last - first;
        }
    }
    run_cover(arena, inside, 0, high - low, total);
    return (double)total[high - low] / (double)(high - low);
}

static bool is_long(Arena *arena, const Numbered *both, Runs runs, const int64_t *rect,
                    Numbers numbers) {
    int64_t chars = least(both->end_a[rect[1] - 1] - both->start_a[rect[0]],
                          both->end_b[rect[3] - 1] - both->start_b[rect[2]]);
    if ((double)chars >= numbers.at[LEAST_CHARS]) return true;
    if ((double)chars < numbers.at[LEAST_EXACT_CHARS]) return false;
    Mark mark = marked(arena);
    double in_a = exact_share(arena, runs, 0, rect[0], rect[1]);
    double in_b = exact_share(arena, runs, 1, rect[2], rect[3]);
    release(arena, mark);
    return lower(in_a, in_b) >= MAINLY_EXACT;
}

static Rects strong_ones(Arena *arena, const Numbered *both, Runs runs, Rects rects,
                         Numbers numbers) {
    Rects chosen = rects_of(arena, rects.n);
    Mark mark = marked(arena);
    double(*measures)[4] = take(arena, rects.n, sizeof(double[4]));
    double *score = NEW(arena, rects.n, double);
    measured(arena, both, rects, numbers, measures);
    for (int64_t r = 0; r < rects.n; r++) {
        const double *of = measures[r];
        if (of[0] < numbers.at[LEAST_WEIGHT] || of[1] < numbers.at[LEAST_DICE]) continue;
        if (of[3] < numbers.at[STRENGTH] || !is_long(arena, both, runs, rects.row[r], numbers))
            continue;
        int64_t at = chosen.n;
        for (; at > 0 && score[at - 1] < of[2]; at--) {
            score[at] = score[at - 1];
            put(chosen.row[at], chosen.row[at - 1]);
        }
        score[at] = of[2];
        put(chosen.row[at], rects.row[r]);
        chosen.n++;
    }
    release(arena, mark);
    return chosen;
}

static Rects exact_chains(Arena *arena, const Numbered *both, Chains chains, Numbers numbers) {
    Rects exact = rects_of(arena, chains.n);
    for (int64_t c = 0; c < chains.n; c++) {
        const int64_t *one = chains.row[c];
        int64_t chars = both->end_a[one[1] - 1] - both->start_a[one[0]];
        int64_t longer = most(one[1] - one[0], one[3] - one[2]);
        if ((double)chars >= numbers.at[CHAIN_CHARS] &&
            (double)one[4] >= EXACT_DENSE * (double)longer)
            put(exact.row[exact.n++], one);
    }
    return exact;
}

static bool has_verbatim_copy(const Numbered *both, Rects exact, Numbers numbers) {
    double fewest = numbers.at[VERBATIM_CHARS];
    for (int64_t c = 0; c < exact.n; c++) {
        int64_t chars = both->end_a[exact.row[c][1] - 1] - both->start_a[exact.row[c][0]];
        if (0.0 < fewest && fewest <= (double)chars) return true;
    }
    return false;
}

/* the rectangles that stay; `loose` receives the others */
static Rects verbatim_rule(Arena *arena, const Numbered *both, Runs runs, Rects exact, Rects rects,
                           Numbers numbers, Rects *loose) {
    *loose = rects_of(arena, rects.n);
    if (!has_verbatim_copy(both, exact, numbers) || !rects.n) return rects;
    double(*measures)[4] = take(arena, rects.n, sizeof(double[4]));
    measured(arena, both, rects, numbers, measures);
    Rects copies = strong_ones(arena, both, runs, exact, numbers);
    Rects alike = rects_of(arena, rects.n * (1 + copies.n));
    for (int64_t r = 0; r < rects.n; r++) /* the close ones come first */
        if (measures[r][1] >= numbers.at[VERBATIM_DICE]) put(alike.row[alike.n++], rects.row[r]);
    for (int64_t r = 0; r < rects.n; r++) {
        if (measures[r][1] >= numbers.at[VERBATIM_DICE]) continue;
        int64_t before = alike.n;
        for (int64_t c = 0; c < copies.n; c++)
            if (lies_in(copies.row[c], rects.row[r])) put(alike.row[alike.n++], copies.row[c]);
        if (alike.n == before) put(loose->row[loose->n++], rects.row[r]);
    }
    return one_to_one(arena, alike);
}

static double *border_bonus(Arena *arena, Numbers numbers, double mean) {
    int64_t kinds = numbers.count - BONUS;
    double *bonus = NEW(arena, kinds, double);
    for (int64_t kind = 0; kind < kinds; kind++) bonus[kind] = numbers.at[BONUS + kind] * mean;
    return bonus;
}

/* one text seen from the other, while borders move: `left` is limit less used */
typedef struct {
    const int32_t *local;
    int64_t n;
    int32_t *left;
    const double *weight, *bonus;
    const uint8_t *border;
    double theta;
    int64_t radius;
} Borders;

static int64_t snap_border(const Borders *of, Span span, int64_t step) {
    const int32_t *local = of->local;
    int32_t *left = of->left;
    const double *weight = of->weight, *bonus = of->bonus;
    double theta = of->theta;
    tally(local, of->n, span.low, span.high, left, -1);
    int64_t first = step > 0 ? span.high : span.low, at = first, i = first;
    double best = bonus[of->border[first]], total = 0.0;
    for (int64_t k = least(of->radius, span.high - span.low - 1); k > 0; k--) { /* into the span */
        int32_t t = local[step > 0 ? i - 1 : i];
        total -= left[t] >= 0 ? weight[t] * (1.0 - theta) : -theta * weight[t];
        left[t]++;
        i -= step;
        if (total + bonus[of->border[i]] > best) {
            best = total + bonus[of->border[i]];
            at = i;
        }
    }
    tally(local, of->n, least(i, first), most(i, first), left, -1);
    total = 0.0;
    i = first;
    int64_t outside = step > 0 ? of->n - first : first;
    for (int64_t k = least(of->radius, outside); k > 0; k--) { /* out of it */
        int32_t t = local[step > 0 ? i : i - 1];
        total += left[t] > 0 ? weight[t] * (1.0 - theta) : -theta * weight[t];
        left[t]--;
        i += step;
        if (total + bonus[of->border[i]] > best) {
            best = total + bonus[of->border[i]];
            at = i;
        }
    }
    tally(local, of->n, least(span.low, i), most(span.high, i), left, 1);
    return at;
}

static Span snap(Arena *arena, const int32_t *local, int64_t n, const int32_t *other,
                 int64_t other_n, const Numbered *both, const double *bonus,
                 const uint8_t *border, Span span, Span against, Numbers numbers) {
    Mark mark = marked(arena);
    Borders of = {local, n, ZEROS(arena, both->distinct, int32_t), both->weight, bonus, border,
                  numbers.at[THETA], (int64_t)numbers.at[SNAP]};
    tally(other, other_n, against.low, against.high, of.left, 1);
    int64_t end = snap_border(&of, span, 1);
    int64_t start = snap_border(&of, (Span){span.low, end}, -1);
    release(arena, mark);
    return (Span){start, end};
}

/* give a rectangle its final borders, in place */
static void placed(Arena *arena, const Numbered *both, int64_t *rect, Rects exact,
                   Numbers numbers) {
    Span a = {rect[0], rect[1]}, b = {rect[2], rect[3]};
    for (int64_t c = 0; c < exact.n; c++) {
        const int64_t *chain = exact.row[c];
        int64_t farthest = 0;
        for (int border = 0; border < 4; border++)
            farthest = most(farthest, llabs(rect[border] - chain[border]));
        bool inside = (double)overlap(rect, chain, 0) >= SAME_CHAIN * (double)(a.high - a.low) &&
                      (double)overlap(rect, chain, 1) >= SAME_CHAIN * (double)(b.high - b.low);
        if (inside && (double)farthest <= numbers.at[SNAP]) {
            put(rect, chain);
            return;
        }
    }
    Mark mark = marked(arena);
    double *bonus = border_bonus(arena, numbers, both->mean);
    Span best_a = snap(arena, both->local_a, both->na, both->local_b, both->nb, both, bonus,
                       both->border_a, a, b, numbers);
    Span best_b = snap(arena, both->local_b, both->nb, both->local_a, both->na, both, bonus,
                       both->border_b, b, a, numbers);
    set(rect, best_a.low, best_a.high, best_b.low, best_b.high);
    release(arena, mark);
}

/* --------------------------------------------------------------------------------- summaries */

typedef struct {
    Rects rects;
    double score[MOST];
    int side;
} Gist;

static Numbered turned(const Numbered *both) {
    Numbered other = {both->local_b, both->local_a, both->weight,   both->plain,
                      both->mean,    both->token_b, both->token_a,  both->start_b,
                      both->start_a, both->end_b,   both->end_a,    both->border_b,
                      both->border_a, both->nb,     both->na,       both->distinct};
    return other;
}

static Rects exchanged(Arena *arena, Rects rects) {
    Rects other = rects_of(arena, rects.n);
    for (int64_t r = 0; r < rects.n; r++) {
        const int64_t *rect = rects.row[r];
        set(other.row[other.n++], rect[2], rect[3], rect[0], rect[1]);
    }
    return other;
}

typedef struct {
    double *at, mean, price;
} Values;

/* without branches on weights: which are heavy or common no processor foresees */
static Values values_of(Arena *arena, const Numbered *both, double lightest) {
    const double *plain = both->plain;
    int64_t distinct = both->distinct;
    Values value = {NEW(arena, both->na, double), 0.0, 1.0};
    Mark mark = marked(arena);
    double *heavy = NEW(arena, distinct, double), *common = ZEROS(arena, distinct, double);
    for (int64_t t = 0; t < distinct; t++) heavy[t] = plain[t] >= lightest ? plain[t] : 0.0;
    for (int64_t j = 0; j < both->nb; j++) common[both->local_b[j]] = heavy[both->local_b[j]];
    double total = 0.0, in_both = 0.0;
    for (int64_t i = 0; i < both->na; i++) {
        total += heavy[both->local_a[i]];
        in_both += common[both->local_a[i]];
    }
    if (total > 0.0) value.price = higher(LEAST_PRICE, in_both / total + ABOVE_COMMON);
    double gain[2] = {-value.price, 1.0 - value.price};
    for (int64_t t = 0; t < distinct; t++) heavy[t] *= gain[common[t] > 0.0];
    for (int64_t i = 0; i < both->na; i++) value.at[i] = heavy[both->local_a[i]];
    value.mean = total / (double)both->na;
    release(arena, mark);
    return value;
}

static Span best_segment(const double *value, int64_t n, const bool *taken, double drop,
                         double *best) {
    Span span = {0, 0};
    *best = 0.0;
    for (int64_t i = 0; i < n;) {
        if (!(value[i] > 0.0) || taken[i]) { /* the best begins with something of worth */
            i++;
            continue;
        }
        int64_t first = i;
        double total = value[i++], peak = total;
        if (total > *best) {
            *best = total;
            span = (Span){first, i};
        }
        while (i < n && !taken[i] && total > 0.0 && peak - total <= drop) {
            total += value[i++];
            peak = higher(peak, total);
            if (total > *best) {
                *best = total;
                span = (Span){first, i};
            }
        }
    }
    return span;
}

static double explained_weight(Arena *arena, const Numbered *both, const double *weight,
                               Rects rects, Span span) {
    bool *explained = ZEROS(arena, span.high - span.low, bool);
    bool *held = ZEROS(arena, both->distinct, bool);
    for (int64_t r = 0; r < rects.n; r++) {
        const int64_t *rect = rects.row[r];
        int64_t low = most(span.low, rect[0]), high = least(span.high, rect[1]);
        if (low >= high) continue;
        for (int64_t j = rect[2]; j < rect[3]; j++) held[both->local_b[j]] = true;
        for (int64_t i = low; i < high; i++)
            if (held[both->local_a[i]]) explained[i - span.low] = true;
        for (int64_t j = rect[2]; j < rect[3]; j++) held[both->local_b[j]] = false;
    }
    double total = 0.0;
    for (int64_t i = span.low; i < span.high; i++)
        if (explained[i - span.low]) total += weight[both->local_a[i]];
    return total;
}

static bool is_explained(Arena *arena, const Numbered *both, Rects rects, Span span,
                         const Values *value, Numbers numbers) {
    const double *weight = both->weight, *plain = both->plain;
    double *heavy = NEW(arena, both->distinct, double);
    bool *inside = ZEROS(arena, span.high - span.low, bool), rarer = false;
    for (int64_t t = 0; t < both->distinct; t++)
        heavy[t] = plain[t] >= numbers.at[SUMMARY_WORD] ? plain[t] : 0.0;
    for (int64_t r = 0; r < rects.n; r++)
        for (int64_t i = most(rects.row[r][0], span.low); i < least(rects.row[r][1], span.high); i++)
            inside[i - span.low] = true;
    double matched = 0.0, rest = 0.0, rare = 0.0, rare_rest = 0.0;
    for (int64_t i = span.low; i < span.high; i++) {
        int32_t t = both->local_a[i];
        matched += value->at[i] > 0.0 ? heavy[t] : 0.0;
        double rare_value = value->at[i] * (weight[t] / higher(plain[t], 1e-12));
        rare += rare_value;
        if (!inside[i - span.low]) {
            rest += value->at[i];
            rare_rest += rare_value;
        }
    }
    for (int64_t t = 0; t < both->distinct; t++) rarer = rarer || weight[t] != plain[t];
    if (rarer) {
        rest = lower(rest, rare_rest);
        if (rare < numbers.at[SUMMARY_RARE] * value->mean) return true;
    }
    double explained = explained_weight(arena, both, heavy, rects, span);
    return explained >= EXPLAINED * matched || rest < REMAINDER * value->mean;
}

/* the stretch of b with the heavy words of a segment; returns how many these are */
static int64_t hull_of(Arena *arena, const Numbered *both, Span segment, Span *hull) {
    bool *wanted = ZEROS(arena, both->distinct, bool);
    int64_t places = 0;
    for (int64_t i = segment.low; i < segment.high; i++) {
        int32_t t = both->local_a[i];
        wanted[t] = both->plain[t] >= HULL_WEIGHT;
    }
    *hull = (Span){0, 0};
    for (int64_t j = 0; j < both->nb; j++) {
        if (wanted[both->local_b[j]]) {
            hull->low = places == 0 ? j : hull->low;
            hull->high = j + 1;
            places++;
        }
    }
    return places;
}

static Span snapped(Arena *arena, const Numbered *both, const Values *value, Span span,
                    Numbers numbers) {
    int64_t radius = (int64_t)numbers.at[SNAP], n = both->na, middle = (span.low + span.high) / 2;
    const uint8_t *border = both->border_a;
    double *bonus = border_bonus(arena, numbers, value->mean), *sum = NEW(arena, n + 1, double);
    sum[0] = 0.0;
    for (int64_t i = 0; i < n; i++) sum[i + 1] = sum[i] + value->at[i];
    int64_t end = most(middle + 1, span.high - radius);
    for (int64_t i = end + 1; i <= least(n, span.high + radius); i++)
        if (sum[i] + bonus[border[i]] > sum[end] + bonus[border[end]]) end = i;
    int64_t start = most(0, span.low - radius);
    for (int64_t i = start + 1; i <= least(middle, span.low + radius); i++)
        if (bonus[border[i]] - sum[i] > bonus[border[start]] - sum[start]) start = i;
    return (Span){start, end};
}

static Span sentences(const uint8_t *border, Span span) {
    while (border[span.low] < SENTENCE) span.low--;
    while (border[span.high] < SENTENCE) span.high++;
    return span;
}

static bool is_summary(Arena *arena, const Numbered *both, Rects rects, Span span,
                       const Values *value, Numbers numbers, int64_t *into) {
    int64_t chars = both->end_a[span.high - 1] - both->start_a[span.low];
    Span hull;
    int64_t places = hull_of(arena, both, span, &hull);
    if (chars < LEAST_CHARS_SUMMARY || places < HULL_PLACES) return false;
    if ((double)(both->end_b[hull.high - 1] - both->start_b[hull.low]) < LEAST_RATIO * (double)chars)
        return false;
    if (is_explained(arena, both, rects, span, value, numbers)) return false;
    Span a = snapped(arena, both, value, span, numbers), b = sentences(both->border_b, hull);
    set(into, a.low, a.high, b.low, b.high);
    return true;
}

static void one_way(Arena *arena, const Numbered *both, Rects rects, Numbers numbers, Gist *gist) {
    gist->rects = rects_of(arena, MOST);
    if ((double)both->nb < LEAST_TOKENS) return;
    Mark mark = marked(arena);
    Values value = values_of(arena, both, numbers.at[SUMMARY_WORD]);
    bool *taken = ZEROS(arena, both->na, bool);
    for (int turn = 0; turn < MOST && value.mean != 0.0; turn++) {
        double score, price = DROP * value.mean * value.price;
        Span span = best_segment(value.at, both->na, taken, price, &score);
        if (score < numbers.at[SUMMARY_SCORE] * value.mean) break;
        for (int64_t i = span.low; i < span.high; i++) taken[i] = true;
        int64_t at = gist->rects.n;
        if (is_summary(arena, both, rects, span, &value, numbers, gist->rects.row[at])) {
            gist->score[at] = 0.0;
            for (int64_t i = span.low; i < span.high; i++) gist->score[at] += value.at[i];
            gist->score[at] /= value.mean;
            gist->rects.n++;
        }
    }
    release(arena, mark);
}

static Gist summarised(Arena *arena, const Numbered *both, Rects rects, Numbers numbers) {
    Gist gist = {NO_RECTS, {0.0, 0.0}, 0};
    if (numbers.at[SUMMARIES] == 0.0) return gist;
    one_way(arena, both, rects, numbers, &gist);
    if (gist.rects.n) return gist;
    Numbered other = turned(both);
    one_way(arena, &other, exchanged(arena, rects), numbers, &gist);
    gist.rects = exchanged(arena, gist.rects);
    gist.side = 1;
    return gist;
}

/* ---------------------------------------------------------------------------------- pairwise */

static int64_t renumber(const int32_t *number, int64_t n, int32_t row, int32_t *seen,
                        int32_t *local, int64_t used, int32_t *into) {
    for (int64_t i = 0; i < n; i++) {
        int32_t t = number[i];
        int32_t fresh = seen[t] != row; /* no branch: one that no processor foresees */
        into[i] = local[t] = ((int32_t)used & -fresh) | (local[t] & (fresh - 1));
        seen[t] = row;
        used += fresh;
    }
    return used;
}

/* whether the text keeps enough weight; writes the weights of its features */
static bool is_kept(const double *plain, const int32_t *local, int64_t n, const double *factor,
                    double fewest, double *weight) {
    double whole = 0.0, part = 0.0;
    for (int64_t i = 0; i < n; i++) {
        int32_t t = local[i];
        double one = plain[t] * factor[i];
        whole += plain[t];
        part += one;
        weight[t] = one;
    }
    return !(part < fewest * whole);
}

static const double *factored(Arena *arena, const double *plain, int64_t distinct,
                              const int32_t *local_a, int64_t na, const int32_t *local_b,
                              int64_t nb, const double *factor_a, const double *factor_b,
                              double fewest) {
    double *weight = NEW(arena, distinct, double);
    memcpy(weight, plain, (size_t)distinct * sizeof(double));
    if (!is_kept(plain, local_a, na, factor_a, fewest, weight)) return plain;
    if (!is_kept(plain, local_b, nb, factor_b, fewest, weight)) return plain;
    return weight;
}

static double mean_weight(const int32_t *local_a, int64_t na, const int32_t *local_b, int64_t nb,
                          const double *weight) {
    double total = 0.0;
    for (int64_t i = 0; i < na; i++) total += weight[local_a[i]];
    for (int64_t i = 0; i < nb; i++) total += weight[local_b[i]];
    return total / (double)(na + nb);
}

/* what the pairs of one call share: features numbered, and in which pair each occurred last */
typedef struct {
    const Texts *texts;
    const int32_t *number;
    int32_t *seen, *local;
} Task;

static Numbered numbered(Arena *arena, const Task *task, int64_t i, int64_t j, int32_t row,
                         double top) {
    const Texts *texts = task->texts;
    const int64_t *offset = texts->offset;
    int64_t a0 = offset[i], b0 = offset[j], na = offset[i + 1] - a0, nb = offset[j + 1] - b0;
    int32_t *local_a = NEW(arena, na, int32_t), *local_b = NEW(arena, nb, int32_t);
    int64_t used = renumber(task->number + a0, na, row, task->seen, task->local, 0, local_a);
    used = renumber(task->number + b0, nb, row, task->seen, task->local, used, local_b);
    double *plain = NEW(arena, used, double);
    weigh(arena, local_a, na, local_b, nb, used, top, plain);
    const double *weight = factored(arena, plain, used, local_a, na, local_b, nb,
                                    texts->factor + a0, texts->factor + b0, KEPT_WEIGHT);
    Numbered both = {
        local_a, local_b, weight, plain, mean_weight(local_a, na, local_b, nb, weight),
        texts->token + a0, texts->token + b0, texts->start + a0, texts->start + b0,
        texts->end + a0, texts->end + b0, texts->border + a0 + i, texts->border + b0 + j,
        na, nb, used};
    return both;
}

static bool are_equal(const int64_t *token_a, int64_t na, const int64_t *token_b, int64_t nb) {
    return na == nb && memcmp(token_a, token_b, (size_t)na * sizeof(int64_t)) == 0;
}

static Findings as_findings(Arena *arena, const Numbered *both, Rects rects, Numbers numbers,
                            double weak) {
    Findings findings = {take(arena, rects.n, sizeof(double[8])), rects.n};
    Mark mark = marked(arena);
    double(*measures)[4] = take(arena, rects.n, sizeof(double[4]));
    measured(arena, both, rects, numbers, measures);
    for (int64_t r = 0; r < rects.n; r++) {
        const int64_t *rect = rects.row[r];
        for (int border = 0; border < 4; border++) findings.row[r][border] = (double)rect[border];
        bool same = are_equal(both->token_a + rect[0], rect[1] - rect[0], both->token_b + rect[2],
                              rect[3] - rect[2]);
        findings.row[r][ROW] = 0.0;
        findings.row[r][KIND] = same ? IDENTICAL : REWORDED;
        findings.row[r][SCORE] = measures[r][3];
        findings.row[r][WEAK] = weak;
    }
    release(arena, mark);
    return findings;
}

static Findings whole(Arena *arena, const Numbered *both, Numbers numbers) {
    Rects rects = rects_of(arena, 1);
    set(rects.row[rects.n++], 0, both->na, 0, both->nb);
    return as_findings(arena, both, rects, numbers, 0.0);
}

static int64_t tokens_in(Runs runs, int64_t n) {
    int64_t total = 0, reached = 0;
    for (int64_t r = 0; r < runs.n; r++) {
        int64_t begin = runs.row[r][0], end = begin + runs.row[r][2];
        total += most(0, end - most(reached, begin));
        reached = most(reached, end);
    }
    return least(total, n);
}

static Rects common_ends(Arena *arena, const Numbered *both, Runs runs) {
    const int64_t *token_a = both->token_a, *token_b = both->token_b;
    int64_t na = both->na, nb = both->nb, shorter = least(na, nb), head = 0, tail = 0;
    Rects rects = rects_of(arena, 2);
    while (head < shorter && token_a[head] == token_b[head]) head++;
    while (tail < shorter - head && token_a[na - 1 - tail] == token_b[nb - 1 - tail]) tail++;
    int64_t equal = head + tail;
    if ((double)equal < NEARLY_ALL * (double)most(na, nb) || tokens_in(runs, na) >= equal)
        return rects;
    if (head > 0) set(rects.row[rects.n++], 0, head, 0, head);
    if (tail > 0) set(rects.row[rects.n++], na - tail, na, nb - tail, nb);
    return rects;
}

static Rects candidates(Arena *arena, const Numbered *both, Runs runs, Rects chains,
                        Numbers numbers, bool *seeded) {
    Seeds seeds = windows_alike(arena, both, chains, numbers);
    *seeded = seeds.n > 0;
    if (numbers.at[ONLY_SEEDS] > 0.0 && !*seeded && chains.n)
        *seeded = windows_alike(arena, both, NO_RECTS, numbers).n > 0;
    Rects spans = spans_of(arena, chains, seeds, both, (int64_t)numbers.at[WINDOW]);
    if (!spans.n) return spans;
    Rects rects = grow(arena, both, spans, chains.n, numbers,
                       is_book(both) ? MOST_GROWN_BOOK : MOST_GROWN);
    return strong_ones(arena, both, runs, rects, numbers);
}

/* the rectangles strong enough by their final borders; the others join `loose` */
static Rects firm_ones(Arena *arena, const Numbered *both, Rects rects, Numbers numbers,
                       Rects *loose) {
    double(*measures)[4] = take(arena, rects.n, sizeof(double[4]));
    measured(arena, both, rects, numbers, measures);
    Rects firm = rects_of(arena, rects.n), other = rects_of(arena, loose->n + rects.n);
    for (int64_t r = 0; r < loose->n; r++) put(other.row[other.n++], loose->row[r]);
    for (int64_t r = 0; r < rects.n; r++) {
        if (measures[r][3] >= numbers.at[STRENGTH])
            put(firm.row[firm.n++], rects.row[r]);
        else
            put(other.row[other.n++], rects.row[r]);
    }
    *loose = other;
    return firm;
}

static Rects without(Arena *arena, Rects rects, const Gist *gist) {
    Rects left = rects_of(arena, rects.n);
    for (int64_t r = 0; r < rects.n; r++) {
        const int64_t *rect = rects.row[r];
        int64_t length = rect[2 * gist->side + 1] - rect[2 * gist->side];
        bool stays = true;
        for (int64_t s = 0; s < gist->rects.n; s++)
            stays = stays && (double)overlap(rect, gist->rects.row[s], gist->side) <
                                 IN_SUMMARY * (double)length;
        if (stays) put(left.row[left.n++], rect);
    }
    return left;
}

static Rects short_runs(Arena *arena, const Numbered *both, Runs runs, const Findings *parts,
                        Numbers numbers) {
    Runs ordered = {take(arena, runs.n, sizeof(int64_t[3])), 0};
    for (int64_t r = 0; r < runs.n; r++) {
        if ((double)runs.row[r][2] < numbers.at[SHORT_RUN]) continue;
        int64_t at = ordered.n++;
        for (; at > 0 && ordered.row[at - 1][2] < runs.row[r][2]; at--)
            memcpy(ordered.row[at], ordered.row[at - 1], sizeof(int64_t[3]));
        memcpy(ordered.row[at], runs.row[r], sizeof(int64_t[3]));
    }
    Rects chosen = rects_of(arena, ordered.n);
    if (!ordered.n) return chosen;
    bool *taken = ZEROS(arena, both->na + 1, bool);
    for (int part = 0; part < 3; part++)
        for (int64_t f = 0; f < parts[part].n; f++)
            for (int64_t i = (int64_t)parts[part].row[f][0]; i < (int64_t)parts[part].row[f][1]; i++)
                taken[i] = true;
    for (int64_t r = 0; r < ordered.n; r++) {
        int64_t a = ordered.row[r][0], b = ordered.row[r][1], length = ordered.row[r][2];
        int64_t already = 0;
        for (int64_t i = a; i < a + length; i++) already += taken[i];
        if (2 * already > length) continue;
        for (int64_t i = a; i < a + length; i++) taken[i] = true;
        set(chosen.row[chosen.n++], a, a + length, b, b + length);
    }
    return chosen;
}

/* all findings of a pair, joined with those before them */
static Findings together(Arena *arena, const Numbered *both, Runs runs, Rects firm,
                         const Gist *gist, Rects loose, Numbers numbers) {
    Findings parts[4] = {as_findings(arena, both, firm, numbers, 0.0),
                         as_findings(arena, both, gist->rects, numbers, 0.0),
                         as_findings(arena, both, loose, numbers, 1.0)};
    for (int64_t s = 0; s < gist->rects.n; s++) {
        parts[1].row[s][KIND] = SUMMARY;
        parts[1].row[s][SCORE] = gist->score[s];
    }
    Rects runs_left = short_runs(arena, both, runs, parts, numbers);
    int64_t shared = 0, count = firm.n + gist->rects.n + loose.n;
    for (int64_t r = 0; r < runs_left.n; r++) shared += runs_left.row[r][1] - runs_left.row[r][0];
    bool few = (double)shared < SHORT_RUNS_SHARE * (double)least(both->na, both->nb);
    parts[3] = as_findings(arena, both, runs_left, numbers, count || few ? 1.0 : 0.0);
    Findings findings = {take(arena, count + runs_left.n, sizeof(double[8])), 0};
    for (int part = 0; part < 4; part++) {
        if (!parts[part].n) continue;
        memcpy(findings.row + findings.n, parts[part].row,
               (size_t)parts[part].n * sizeof(double[8]));
        findings.n += parts[part].n;
    }
    return findings;
}

static Findings aligned(Arena *arena, const Numbered *both, Runs runs, Numbers numbers) {
    Findings none = {NULL, 0};
    Rects ends = common_ends(arena, both, runs), loose;
    bool only_seeds = numbers.at[ONLY_SEEDS] > 0.0, seeded;
    if (ends.n && !only_seeds) return as_findings(arena, both, ends, numbers, 0.0);
    Chains chained = chain_runs(arena, runs, (int64_t)numbers.at[CHAIN_GAP]);
    Rects chains = exact_chains(arena, both, chained, numbers);
    Rects rects = candidates(arena, both, runs, chains, numbers, &seeded);
    if (only_seeds && (ends.n || !seeded)) return none;
    Rects accepted = verbatim_rule(arena, both, runs, chains, one_to_one(arena, rects), numbers,
                                   &loose);
    accepted = merged(joined(arena, both, accepted), (int64_t)numbers.at[MERGE_GAP]);
    for (int64_t r = 0; r < accepted.n; r++)
        placed(arena, both, accepted.row[r], chains, numbers);
    Rects firm = firm_ones(arena, both, accepted, numbers, &loose);
    Gist gist = {NO_RECTS, {0.0, 0.0}, 0};
    if (!has_verbatim_copy(both, chains, numbers))
        gist = summarised(arena, both, firm, numbers);
    firm = without(arena, firm, &gist);
    return together(arena, both, runs, firm, &gist, loose, numbers);
}

static Findings of_pair(Arena *arena, const Task *task, int64_t i, int64_t j, int32_t row,
                        bool same, const Grams *table, Numbers numbers) {
    const Texts *texts = task->texts;
    int64_t k = (int64_t)numbers.at[GRAM], a = texts->offset[i], b = texts->offset[j];
    Numbered both = numbered(arena, task, i, j, row, numbers.at[TOP_WEIGHT]);
    if (same) return whole(arena, &both, numbers);
    Runs runs = runs_in(arena, both.token_a, both.na, both.token_b, both.nb, texts->gram + a,
                        most(0, both.na - k + 1), texts->gram + b, table, k,
                        (int64_t)numbers.at[GRAM_REPEATS]);
    return aligned(arena, &both, runs, numbers);
}

EXPORT int64_t passages_align_pairs(const Texts *texts, const int64_t (*pairs)[2], int64_t count,
                                    const double *setting, int64_t settings, Table *findings) {
    ARENA(arena, findings);
    Numbers numbers = {setting, settings};
    int32_t *number = NEW(&arena, texts->tokens, int32_t);
    Mark empty = marked(&arena);
    int64_t distinct = number_all(&arena, texts->feature, texts->tokens, NULL, 0, number, NULL);
    release(&arena, empty);
    Task task = {texts, number, NEW(&arena, distinct, int32_t), NEW(&arena, distinct, int32_t)};
    for (int64_t t = 0; t < distinct; t++) task.seen[t] = -1;
    Mark before = marked(&arena), after = before;
    int64_t right = -1, k = (int64_t)setting[GRAM];
    Grams table = {NULL, NULL, NULL, 0};
    for (int64_t row = 0; row < count; row++) {
        int64_t i = pairs[row][0], j = pairs[row][1];
        const int64_t *offset = texts->offset;
        int64_t na = offset[i + 1] - offset[i], nb = offset[j + 1] - offset[j];
        bool same = are_equal(texts->token + offset[i], na, texts->token + offset[j], nb);
        if (least(na, nb) < FEWEST_TOKENS && !(same && texts->chars[i] >= FEWEST_CHARS)) continue;
        if (!same && right != j) {
            right = j;
            release(&arena, before);
            table = gram_table(&arena, texts->gram + offset[j], most(0, nb - k + 1));
            after = marked(&arena);
        }
        Findings found = of_pair(&arena, &task, i, j, (int32_t)row, same, &table, numbers);
        for (int64_t f = 0; f < found.n; f++) {
            double *finding = next_row(&arena, findings);
            memcpy(finding, found.row[f], sizeof(double[8]));
            finding[ROW] = (double)row;
        }
        release(&arena, after);
    }
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}

/* ------------------------------------------------------------------------ findings and coverage */

/* hashes of `k` tokens as `exact.grams_of` has them, one for each place where so many follow */
static int64_t *grams_of(Arena *arena, const int64_t *token, int64_t n, int64_t k) {
    const uint64_t base = 0x9E3779B97F4A7C15u;
    int64_t *gram = NEW(arena, most(0, n - k + 1), int64_t);
    for (int64_t i = 0; i + k <= n; i++) {
        uint64_t total = 0;
        for (int64_t j = i; j < i + k; j++) total = total * base + (uint64_t)token[j];
        gram[i] = (int64_t)(total ^ (total >> 32));
    }
    return gram;
}

/* `counts` where given says at which tokens of a a run may begin */
static void mark_runs(Arena *arena, const int64_t *token_a, int64_t na, const int64_t *token_b,
                      int64_t nb, const bool *counts, int64_t length, bool *is_marked) {
    Mark before = marked(arena);
    const int64_t *gram_a = grams_of(arena, token_a, na, length);
    const int64_t *gram_b = grams_of(arena, token_b, nb, length);
    Grams table = gram_table(arena, gram_b, most(0, nb - length + 1));
    int64_t reached = 0;
    for (int64_t i = 0; i + length <= na; i++) {
        if (counts && !counts[i]) continue;
        if (table.head[slot_of(&table, gram_b, gram_a[i])] < 0) continue;
        for (int64_t j = most(i, reached); j < i + length; j++) is_marked[j] = true;
        reached = i + length;
    }
    release(arena, before);
}

static inline bool grows_at(const uint64_t *row, int64_t i) { return !(row[i / 64] >> (i % 64) & 1); }

/* Mark what lies in a longest common subsequence of two texts.

   64 tokens of a in each word (H. Hyyroe, "Bit-parallel LCS-length computation revisited", 2004):
   bit i of the row of a token of b is 0 where the length up to there grows at token i of a. Of
   several longest ones it is the one that rapidfuzz returns. */
static void mark_common_order(Arena *arena, const int64_t *a, int64_t na, const int64_t *b,
                              int64_t nb, bool *in_a, bool *in_b) {
    Mark before = marked(arena);
    for (; na && nb && *a == *b; a++, b++, na--, nb--) *in_a++ = *in_b++ = true;
    for (; na && nb && a[na - 1] == b[nb - 1]; na--, nb--) in_a[na - 1] = in_b[nb - 1] = true;
    int64_t words = (na + 63) / 64;
    Grams places = gram_table(arena, a, na);
    uint64_t *row = take(arena, nb * words, sizeof(uint64_t)), *at = row;
    uint64_t *matches = ZEROS(arena, words, uint64_t);
    for (int64_t j = 0; j < nb && words; j++, at += words) {
        if (j)
            memcpy(at, at - words, (size_t)words * sizeof(uint64_t));
        else
            memset(at, 0xFF, (size_t)words * sizeof(uint64_t));
        int32_t first = places.head[slot_of(&places, a, b[j])];
        if (first < 0) continue;
        for (int32_t i = first; i >= 0; i = places.follow[i]) matches[i / 64] |= 1ull << (i % 64);
        uint64_t carry = 0;
        for (int64_t w = first / 64; w < words; w++) {
            uint64_t equal = at[w] & matches[w], sum = at[w] + equal, over = sum < equal;
            sum += carry;
            carry = over | (sum < carry);
            at[w] = sum | (at[w] - equal);
        }
        for (int32_t i = first; i >= 0; i = places.follow[i]) matches[i / 64] = 0;
    }
    while (na && nb) {
        if (!grows_at(row + (nb - 1) * words, na - 1)) {
            na--;
        } else if (--nb == 0 || !grows_at(row + (nb - 1) * words, na - 1)) {
            na--;
            in_a[na] = in_b[nb] = true;
        }
    }
    release(arena, before);
}

/* many texts, one after the other, and what is asked of them; see `coverage.Counted` */
typedef struct {
    const int64_t *token;
    const int32_t *feature, *start, *end;
    const bool *counts;
    const int64_t *offset;
} Counted;

/* by language, words before Chinese */
typedef struct {
    const int64_t *run, *gap, *moved;
    double top_weight;
} Rules;

/* one text of a pair, and which of its tokens are shared, identical and moved */
typedef struct {
    const int64_t *token, *feature;
    const int32_t *start, *end;
    const bool *counts;
    bool *heavy, *shared, *identical, *moved;
    int64_t n;
} Marked;

/* a passage: where it begins and ends in either text, in code points, and its kind */
typedef int64_t Passage[5];

/* the tokens between two code points, as `tokenized.span_of` has them */
static Span span_of(const Marked *text, int64_t start, int64_t end) {
    int64_t low = 0, high = text->n;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (text->start[middle] < start)
            low = middle + 1;
        else
            high = middle;
    }
    Span span = {low, low};
    for (low = 0, high = text->n; low < high;) {
        int64_t middle = (low + high) / 2;
        if (text->end[middle] <= end)
            low = middle + 1;
        else
            high = middle;
    }
    span.high = most(low, span.low);
    return span;
}

static Marked marked_text(Arena *arena, const Counted *texts, int64_t row) {
    int64_t first = texts->offset[row], n = texts->offset[row + 1] - first;
    int64_t *feature = NEW(arena, n, int64_t);
    for (int64_t i = 0; i < n; i++) feature[i] = texts->feature[first + i];
    bool *marks = ZEROS(arena, 4 * n, bool);
    Marked text = {texts->token + first, feature, texts->start + first, texts->end + first,
                   texts->counts + first, marks, marks + n, marks + 2 * n, marks + 3 * n, n};
    return text;
}

static void mark_heavy_in(Marked *text, const int32_t *local, const double *weight, double mean) {
    for (int64_t i = 0; i < text->n; i++) {
        double next = i + 1 < text->n ? weight[local[i + 1]] : 0.0;
        text->heavy[i] = weight[local[i]] + next >= mean;
    }
}

static void mark_heavy(Arena *arena, const Counted *texts, const int64_t *pair, Marked *a, Marked *b,
                       double top) {
    Mark before = marked(arena);
    int32_t *local_a = NEW(arena, a->n, int32_t), *local_b = NEW(arena, b->n, int32_t);
    int64_t distinct = number_all(arena, texts->feature + texts->offset[pair[0]], a->n,
                                  texts->feature + texts->offset[pair[1]], b->n, local_a, local_b);
    double *weight = NEW(arena, distinct, double);
    weigh(arena, local_a, a->n, local_b, b->n, distinct, top, weight);
    double mean = mean_weight(local_a, a->n, local_b, b->n, weight);
    mark_heavy_in(a, local_a, weight, mean);
    mark_heavy_in(b, local_b, weight, mean);
    release(arena, before);
}

static bool keeps_order(Arena *arena, const int64_t *a, int64_t na, const int64_t *b, int64_t nb,
                        int64_t fewest) {
    if (na * nb > MOST_ORDERED) return true;
    Mark before = marked(arena);
    bool *in_runs = ZEROS(arena, na, bool), *in_a = ZEROS(arena, na, bool);
    bool *in_b = ZEROS(arena, nb, bool);
    mark_runs(arena, a, na, b, nb, NULL, fewest, in_runs);
    mark_common_order(arena, a, na, b, nb, in_a, in_b);
    int64_t runs = 0, both = 0;
    for (int64_t i = 0; i < na; i++) {
        runs += in_runs[i];
        both += in_runs[i] && in_a[i];
    }
    release(arena, before);
    return (double)both >= KEPT_ORDER * (double)runs;
}

/* whether passage p stands before passage q in the first text; equal ones as they come */
static bool comes_first(const Passage *passages, int64_t p, int64_t q) {
    const int64_t *one = passages[p], *other = passages[q];
    if (one[0] != other[0]) return one[0] < other[0];
    return one[2] != other[2] ? one[2] < other[2] : p < q;
}

typedef struct {
    int64_t reach, last;
} Reach;

static inline Reach further(Reach one, Reach other) {
    bool is_other = other.reach != one.reach ? other.reach > one.reach : other.last > one.last;
    return is_other ? other : one;
}

/* as `coverage.longest_order`; `order` are the passages as they stand in the first text */
static void mark_out_of_order(Arena *arena, const Passage *passages, const int64_t *order,
                              int64_t count, bool *out) {
    Mark mark = marked(arena);
    double *start = NEW(arena, count, double);
    int64_t *falling = NEW(arena, count, int64_t), *rank = NEW(arena, count, int64_t);
    for (int64_t i = 0; i < count; i++) start[i] = (double)passages[order[i]][2];
    order_descending(arena, start, count, falling);
    int64_t ranks = 0;
    for (int64_t i = count - 1; i >= 0; i--) {
        if (i + 1 < count && start[falling[i]] != start[falling[i + 1]]) ranks++;
        rank[falling[i]] = ranks;
    }
    Reach *tree = take(arena, ranks + 2, sizeof(Reach)), best = {0, -1};
    int64_t *before = NEW(arena, count, int64_t);
    for (int64_t slot = 0; slot < ranks + 2; slot++) tree[slot] = best;
    for (int64_t i = 0; i < count; i++) {
        const int64_t *passage = passages[order[i]];
        Reach reached = {0, -1};
        for (int64_t slot = rank[i]; slot > 0; slot &= slot - 1)
            reached = further(reached, tree[slot]);
        before[i] = reached.last;
        Reach total = {reached.reach + most(1, passage[1] - passage[0]), i};
        best = further(best, total);
        for (int64_t slot = rank[i] + 1; slot < ranks + 2; slot += slot & -slot)
            tree[slot] = further(tree[slot], total);
    }
    for (int64_t i = 0; i < count; i++) out[order[i]] = true;
    for (int64_t i = best.last; i >= 0; i = before[i]) out[order[i]] = false;
    release(arena, mark);
}

static bool *moved(Arena *arena, const Marked *a, const Marked *b, const Passage *passages,
                   int64_t count, int64_t fewest) {
    bool *out = ZEROS(arena, count, bool);
    int64_t *order = NEW(arena, count, int64_t), ordered = 0;
    for (int64_t p = 0; p < count; p++) {
        int64_t at = ordered++;
        for (; at > 0 && comes_first(passages, p, order[at - 1]); at--) order[at] = order[at - 1];
        order[at] = p;
    }
    if (ordered > 1) mark_out_of_order(arena, passages, order, ordered, out);
    for (int64_t k = 0; k < ordered; k++) {
        const int64_t *passage = passages[order[k]];
        if (passage[4] == IDENTICAL || out[order[k]]) continue;
        Span here = span_of(a, passage[0], passage[1]), there = span_of(b, passage[2], passage[3]);
        out[order[k]] = !keeps_order(arena, a->token + here.low, here.high - here.low,
                                     b->token + there.low, there.high - there.low, fewest);
    }
    return out;
}

/* add to `into` the anchors, and what lies between or beside them and is no longer than the gap */
static void mark_without_gaps(const bool *anchors, int64_t n, int64_t gap, bool *into) {
    int64_t last = -1;
    bool any = false;
    for (int64_t i = 0; i <= n; i++) {
        if (i < n && !anchors[i]) continue;
        if (i == n && !any) return;
        any = true;
        if (i - last - 1 <= gap)
            for (int64_t k = last + 1; k < i; k++) into[k] = true;
        if (i < n) into[i] = true;
        last = i;
    }
}

static void mark_side(Arena *arena, Marked *text, Span mine, const Marked *other, Span theirs,
                      int64_t kind, bool is_moved, int64_t run, int64_t gap) {
    int64_t n = mine.high - mine.low, opposite = theirs.high - theirs.low;
    if (is_moved) memset(text->moved + mine.low, true, (size_t)n);
    bool *shared = text->shared + mine.low, *identical = text->identical + mine.low;
    if (kind == IDENTICAL) {
        memset(shared, true, (size_t)n);
        memset(identical, true, (size_t)n);
        return;
    }
    mark_runs(arena, text->token + mine.low, n, other->token + theirs.low, opposite, NULL, run,
              identical);
    Mark before = marked(arena);
    bool *anchors = ZEROS(arena, n, bool);
    mark_runs(arena, text->feature + mine.low, n, other->feature + theirs.low, opposite,
              text->heavy + mine.low, ANCHOR, anchors);
    mark_without_gaps(anchors, n, gap, shared);
    for (int64_t i = 0; i < n; i++) shared[i] |= identical[i];
    release(arena, before);
}

/* the longest run of equal tokens in one passage, -1 where it is too repetitive to list them */
static int64_t longest_run(Arena *arena, const Marked *a, Span here, const Marked *b, Span there) {
    const int64_t *token_a = a->token + here.low, *token_b = b->token + there.low;
    int64_t na = here.high - here.low, nb = there.high - there.low, longest = 0;
    int64_t k = least(SHORTEST_RUN, least(na, nb));
    if (k < 1) return 0;
    if (are_equal(token_a, na, token_b, nb)) return na;
    Mark before = marked(arena);
    const int64_t *gram_a = grams_of(arena, token_a, na, k), *gram_b = grams_of(arena, token_b, nb, k);
    Grams table = gram_table(arena, gram_b, nb - k + 1);
    int64_t pairs = 0;
    for (int64_t i = 0; i + k <= na; i++) pairs += table.count[slot_of(&table, gram_b, gram_a[i])];
    if (pairs > MOST_EQUAL_GRAMS) {
        longest = -1;
    } else {
        Runs runs = runs_in(arena, token_a, na, token_b, nb, gram_a, na - k + 1, gram_b, &table, k, nb);
        for (int64_t r = 0; r < runs.n; r++) longest = most(longest, runs.row[r][2]);
    }
    release(arena, before);
    return longest;
}

static void add_stretches(Arena *arena, const Marked *text, const bool *is_marked, int64_t row,
                          int64_t side, int64_t kind, Table *stretches) {
    for (int64_t i = 0; i < text->n; i++) {
        if (!is_marked[i]) continue;
        int64_t first = i;
        while (i + 1 < text->n && is_marked[i + 1]) i++;
        int64_t *stretch = next_row(arena, stretches);
        set(stretch, row, side, kind, text->start[first]);
        stretch[4] = text->end[i];
    }
}

/* what is moved is not identical, what is not shared none; then the units of each class */
static void count_parts(Marked *text, int64_t *parts) {
    for (int64_t i = 0; i < text->n; i++) {
        text->identical[i] = text->identical[i] && text->shared[i] && !text->moved[i];
        text->moved[i] = text->moved[i] && text->shared[i];
        if (!text->counts[i]) continue;
        parts[0] += text->identical[i];
        parts[1] += text->shared[i] && !text->identical[i] && !text->moved[i];
        parts[2] += text->moved[i];
    }
}

static void measure_pair(Arena *arena, Marked *a, Marked *b, const Passage *passages, int64_t count,
                         const Rules *rules, bool chinese, int64_t *longest) {
    const bool *out = moved(arena, a, b, passages, count, rules->moved[chinese]);
    *longest = 0;
    for (int64_t p = 0; p < count; p++) {
        const int64_t *passage = passages[p];
        Span here = span_of(a, passage[0], passage[1]), there = span_of(b, passage[2], passage[3]);
        int64_t run = rules->run[chinese], gap = rules->gap[chinese];
        mark_side(arena, a, here, b, there, passage[4], out[p], run, gap);
        mark_side(arena, b, there, a, here, passage[4], out[p], run, gap);
        int64_t longest_here = longest_run(arena, a, here, b, there);
        *longest = longest_here < 0 || *longest < 0 ? -1 : most(*longest, longest_here);
    }
}

EXPORT int64_t passages_measure_pairs(const Counted *texts, const int64_t (*pairs)[2],
                                      const bool *chinese, const Passage *passages,
                                      const int64_t *first, int64_t count, const Rules *rules,
                                      int64_t (*parts)[2][3], int64_t *longest, Table *stretches) {
    ARENA(arena, stretches);
    Mark empty = marked(&arena);
    for (int64_t row = 0; row < count; row++) {
        Marked sides[2] = {marked_text(&arena, texts, pairs[row][0]),
                           marked_text(&arena, texts, pairs[row][1])};
        const Passage *of_pair = passages + first[row];
        int64_t many = first[row + 1] - first[row];
        bool reworded = false;
        for (int64_t p = 0; p < many; p++) reworded |= of_pair[p][4] != IDENTICAL;
        if (reworded)
            mark_heavy(&arena, texts, pairs[row], &sides[0], &sides[1], rules->top_weight);
        measure_pair(&arena, &sides[0], &sides[1], of_pair, many, rules, chinese[row],
                     longest + row);
        for (int64_t side = 0; side < 2; side++) {
            Marked *text = &sides[side];
            count_parts(text, parts[row][side]);
            const bool *marks[] = {text->shared, text->identical, text->moved};
            for (int64_t kind = 0; kind < 3; kind++)
                add_stretches(&arena, text, marks[kind], row, side, kind, stretches);
        }
        release(&arena, empty);
    }
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}

/* ------------------------------------------------------------- single steps, asked for by Python */

EXPORT int64_t passages_find_runs(const int64_t *token_a, int64_t na, const int64_t *token_b,
                                  int64_t nb, const int64_t *gram_a, int64_t grams_a,
                                  const int64_t *gram_b, int64_t grams_b, int64_t k,
                                  int64_t repeats, Table *found) {
    ARENA(arena, found);
    Grams table = gram_table(&arena, gram_b, grams_b);
    Runs runs = runs_in(&arena, token_a, na, token_b, nb, gram_a, grams_a, gram_b, &table, k,
                        repeats);
    for (int64_t r = 0; r < runs.n; r++)
        memcpy(next_row(&arena, found), runs.row[r], sizeof(int64_t[3]));
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}

EXPORT int64_t passages_in_common(const int64_t *token, const int64_t (*rect)[4], int64_t rects,
                                  const int64_t *moved, bool *common) {
    for (int64_t m = 0; m < rects; m++) {
        ARENA(arena, NULL);
        const int64_t *a = token + rect[m][0], *b = token + rect[m][2];
        int64_t na = rect[m][1] - rect[m][0], nb = rect[m][3] - rect[m][2];
        if (are_equal(a, na, b, nb)) {
            memset(common, true, (size_t)(na + nb));
        } else {
            mark_runs(&arena, a, na, b, nb, NULL, moved[m], common);
            mark_runs(&arena, b, nb, a, na, NULL, moved[m], common + na);
            if (na * nb <= MOST_ORDERED)
                mark_common_order(&arena, a, na, b, nb, common, common + na);
        }
        common += na + nb;
        arena_end(&arena);
    }
    return 0;
}

EXPORT int64_t passages_number_and_weigh(const int32_t *feature_a, int64_t na,
                                         const int32_t *feature_b, int64_t nb,
                                         const double *factor_a, const double *factor_b,
                                         double top, int32_t *local_a, int32_t *local_b,
                                         double *plain, double *weight) {
    ARENA(arena, NULL);
    int64_t distinct = number_all(&arena, feature_a, na, feature_b, nb, local_a, local_b);
    weigh(&arena, local_a, na, local_b, nb, distinct, top, plain);
    const double *found = factored(&arena, plain, distinct, local_a, na, local_b, nb, factor_a,
                                   factor_b, KEPT_WEIGHT);
    memcpy(weight, found, (size_t)distinct * sizeof(double));
    arena_end(&arena);
    return distinct;
}

EXPORT int64_t passages_measured(const Numbered *both, int64_t (*rect)[4], int64_t rects,
                                 const double *setting, int64_t settings, double (*measures)[4]) {
    ARENA(arena, NULL);
    measured(&arena, both, (Rects){rect, rects}, (Numbers){setting, settings}, measures);
    arena_end(&arena);
    return 0;
}

/* `chosen` has room for all; returns how many there are */
EXPORT int64_t passages_strong_ones(const Numbered *both, int64_t (*run)[3], int64_t runs,
                                    int64_t (*rect)[4], int64_t rects, const double *setting,
                                    int64_t settings, int64_t (*chosen)[4]) {
    ARENA(arena, NULL);
    Rects strong = strong_ones(&arena, both, (Runs){run, runs}, (Rects){rect, rects},
                               (Numbers){setting, settings});
    for (int64_t r = 0; r < strong.n; r++) put(chosen[r], strong.row[r]);
    arena_end(&arena);
    return strong.n;
}

/* ---------------------------------------------------------------------- winnowed hashes, pairs */

EXPORT void passages_count_common(const uint64_t *values, const int64_t *indptr,
                                  const int64_t *left, const int64_t *right, int64_t count,
                                  int64_t *shared) {
    for (int64_t m = 0; m < count; m++) {
        int64_t i = indptr[left[m]], i_end = indptr[left[m] + 1];
        int64_t j = indptr[right[m]], j_end = indptr[right[m] + 1], both = 0;
        while (i < i_end && j < j_end) {
            uint64_t a = values[i], b = values[j];
            both += a == b;
            i += a <= b;
            j += b <= a;
        }
        shared[m] = both;
    }
}

/* of `winnow.pairs_sharing`: shares of the smaller set, texts with a hash, witnesses of one */
typedef struct {
    double share, whole;
    int64_t many, followed, witnesses;
} Sharing;

/* hashes that a later text shares with one: all, those that not many hold, those with a witness */
typedef struct {
    int64_t all, rarer, witnessed;
} Common;

EXPORT int64_t passages_pairs_sharing(const int64_t *hashes, const bool *witness,
                                      const int64_t *indptr, const int64_t *post,
                                      const int64_t *post_indptr, const int64_t *references,
                                      const int64_t *held, const int64_t *size, int64_t texts,
                                      int64_t rows, const Sharing *by, Table *pairs) {
    ARENA(arena, pairs);
    Common *common = ZEROS(&arena, texts, Common);
    int64_t *later = NEW(&arena, texts, int64_t);
    for (int64_t i = 0; i < rows; i++) {
        int64_t count = 0;
        for (int64_t at = indptr[i]; at < indptr[i + 1]; at++) {
            int64_t h = hashes[at], low = post_indptr[h], high = post_indptr[h + 1];
            int64_t witnesses = least(high, references[h] + by->witnesses);
            bool many = held[h] > by->many;
            if (held[h] > by->followed && !witness[at]) low = references[h], high = witnesses;
            for (int64_t q = high - 1; q >= low && post[q] > i; q--) {
                Common *with = &common[post[q]];
                if (with->all++ == 0) later[count++] = post[q];
                with->rarer += !many;
                with->witnessed += many && (witness[at] || (q >= references[h] && q < witnesses));
            }
        }
        for (int64_t at = 0; at < count; at++) {
            int64_t j = later[at];
            Common with = common[j];
            double smaller = (double)least(size[i], size[j]), enough = by->share * smaller;
            bool apart = (double)with.rarer >= enough || (double)with.all >= by->whole * smaller;
            if ((double)with.all >= enough && (apart || with.witnessed))
                memcpy(next_row(&arena, pairs), (int64_t[2]){i, j}, sizeof(int64_t[2]));
            common[j] = (Common){0};
        }
    }
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}

/* the arrays of `rare_words.join_blocks` */
typedef struct {
    const int64_t *forward;
    const int32_t *features, *weight;
    const int64_t *ends;
    const int32_t *block, *documents;
    const int64_t *first_block, *behind;
    int64_t *ahead;
    int64_t blocks;
} Joined;

static int64_t add_postings(const Joined *of, int64_t q, int64_t behind, int32_t *current,
                            int32_t *touched) {
    int64_t count = 0;
    for (int64_t at = of->forward[q]; at < of->forward[q + 1]; at++) {
        int32_t t = of->features[at], w = of->weight[t];
        int64_t p = of->ahead[t], end = of->ends[t];
        while (p < end && of->block[p] < behind) p++;
        of->ahead[t] = p;
        for (; p < end; p++) {
            int32_t b = of->block[p];
            if (current[b] == 0) touched[count++] = b;
            current[b] += w;
        }
    }
    return count;
}

static int64_t best_windows(const Joined *of, const int32_t *touched, int64_t count,
                            const int32_t *current, const int32_t *previous, int32_t *best,
                            int32_t *scored, int64_t reached) {
    const int32_t *documents = of->documents;
    for (int64_t at = 0; at < count; at++) {
        int32_t b = touched[at], document = documents[b], left = 0, right = 0;
        if (b > 0 && documents[b - 1] == document) left = current[b - 1] + previous[b - 1];
        if (b + 1 < of->blocks && documents[b + 1] == document)
            right = current[b + 1] + previous[b + 1];
        int32_t score = current[b] + previous[b] + (left > right ? left : right);
        if (score > best[document]) {
            if (best[document] == 0) scored[reached++] = document;
            best[document] = score;
        }
    }
    return reached;
}

EXPORT int64_t passages_join_blocks(const Joined *of, int64_t first, int64_t last, int64_t floor,
                                    Table *pairs) {
    ARENA(arena, pairs);
    int64_t blocks = of->blocks, right = blocks ? of->documents[blocks - 1] + 1 : 0;
    int32_t *current = ZEROS(&arena, blocks + 1, int32_t);
    int32_t *previous = ZEROS(&arena, blocks + 1, int32_t);
    int32_t *in_current = NEW(&arena, blocks, int32_t), *in_previous = NEW(&arena, blocks, int32_t);
    int32_t *best = ZEROS(&arena, right, int32_t), *scored = NEW(&arena, right, int32_t);
    for (int64_t row = first; row < last; row++) {
        int64_t touched = 0, before = 0, reached = 0;
        for (int64_t q = of->first_block[row]; q < of->first_block[row + 1]; q++) {
            touched = add_postings(of, q, of->behind[row], current, in_current);
            reached = best_windows(of, in_current, touched, current, previous, best, scored,
                                   reached);
            for (int64_t k = 0; k < before; k++) previous[in_previous[k]] = 0;
            int32_t *other = current;
            current = previous;
            previous = other;
            other = in_current;
            in_current = in_previous;
            in_previous = other;
            before = touched;
        }
        for (int64_t k = 0; k < before; k++) previous[in_previous[k]] = 0;
        for (int64_t k = 0; k < reached; k++) {
            int32_t other = scored[k];
            if (best[other] >= floor) {
                int64_t *pair = next_row(&arena, pairs);
                pair[0] = row;
                pair[1] = other;
                pair[2] = best[other];
            }
            best[other] = 0;
        }
    }
    arena.result = NULL;
    arena_end(&arena);
    return 0;
}

/* ------------------------------------------------------------------------------------- holders */

/* the arrays of `holders._Runs` */
typedef struct {
    const int64_t *number, *first, *width, *holders, *cover;
    int64_t numbers;
} HeldRuns;

/* Write how many other texts hold each token of a stretch: the fewest of the runs over it that the
   other text `has` too, and under none the mean of the stretch. */
static void others_in(const HeldRuns *runs, const int64_t *stretch, const int64_t *has, int64_t stamp,
                      double prior, double *others) {
    int64_t low = stretch[2], high = stretch[3], width = runs->width[stretch[0]], words = 0;
    double claims = 0.0;
    for (int64_t i = low; i < high; i++) others[i - low] = INFINITY;
    for (int64_t run = most(low - width + 1, runs->first[stretch[0]]); run < high; run++) {
        int64_t number = runs->number[run];
        if (number < 0 || has[number] != stamp) continue;
        double held = (double)runs->holders[number] - 1.0;
        for (int64_t i = most(run, low); i < least(run + width, high); i++)
            others[i - low] = lower(others[i - low], held);
    }
    for (int64_t i = 0; i < high - low; i++) {
        if (others[i] == INFINITY) continue;
        claims += 1.0 / others[i];
        words++;
    }
    for (int64_t i = 0; i < high - low; i++)
        if (others[i] == INFINITY)
            others[i] = 1.0 / ((claims + prior / (double)most(runs->cover[low + i], 1)) /
                               ((double)words + prior));
}

EXPORT int64_t passages_count_others(const HeldRuns *runs, const int64_t (*stretches)[5],
                                     int64_t count, double prior, double *others) {
    ARENA(arena, NULL);
    int64_t *has = ZEROS(&arena, runs->numbers, int64_t), other = -1, stamp = 0;
    for (int64_t s = 0; s < count; s++) {
        const int64_t *stretch = stretches[s];
        if (stretch[1] != other) {
            other = stretch[1];
            stamp++;
            for (int64_t i = runs->first[other]; i < runs->first[other + 1]; i++)
                if (runs->number[i] >= 0) has[runs->number[i]] = stamp;
        }
        others_in(runs, stretch, has, stamp, prior, others);
        others += stretch[3] - stretch[2];
    }
    arena_end(&arena);
    return 0;
}

EXPORT void passages_add_tones(const int64_t (*stretches)[5], int64_t count, const double *others,
                               double few, const int64_t *units, int64_t (*of_sides)[3],
                               int8_t *rarest) {
    for (int64_t s = 0; s < count; s++) {
        for (int64_t i = stretches[s][2]; i < stretches[s][3]; i++, others++) {
            int8_t tone = (int8_t)((*others >= 1.5) + (*others >= few + 0.5));
            of_sides[stretches[s][4]][tone] += units[i];
            if (tone < rarest[i]) rarest[i] = tone;
        }
    }
}

/* ----------------------------------------------------------------------------------- winnowing */

typedef struct {
    int64_t *slots;
    uint64_t *value, mask;
    int64_t earlier; /* what earlier texts left in the table counts as empty */
} Chosen;

/* the slot of a hash among those of this text, or where it belongs */
static inline uint64_t chosen_slot(const Chosen *of, uint64_t hash) {
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

EXPORT void passages_winnow_texts(const uint64_t *token, const bool *single, const int64_t *ptr,
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
            uint64_t place = chosen_slot(&of, hashes[lowest]);
            if (slots[place] <= of.earlier) {
                value[size] = hashes[lowest];
                first[size++] = -1;
                slots[place] = size;
            }
        }
        for (int64_t at = 0; at < count; at++) {
            int64_t slot = slots[chosen_slot(&of, hashes[at])];
            if (slot > of.earlier && first[slot - 1] < 0) {
                first[slot - 1] = (int32_t)at;
                last[slot - 1] = ends_of[at];
            }
        }
        ends[text + 1] = size;
    }
}
