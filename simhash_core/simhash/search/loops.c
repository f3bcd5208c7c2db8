/* The loops over candidate pairs in C: the functions of `readable` by the same names.

   `columns` are W rows of n words. Counting loops have no branch, so that they become vector
   population counts where the processor has them. A stretch is counted first, and looked at again
   only where the count says that it has hits. */
#include "../../machine/loops.h"

/* numbers of Python, compared with these by tests/machine/test_native.py */
#define PARTS 512
#define LEADERS 128

#define MIX 0x9E3779B97F4A7C15u /* 2**64 / golden ratio: spreads words over slots */
#define LANES 4                 /* histograms filled in turn: equal neighbours do not wait */

typedef struct {
    const uint64_t *words;
    int64_t width, n;
} Columns;

typedef struct {
    int64_t *left, *right;
    uint16_t *distance;
    int64_t count, room;
} Hits;

typedef struct {
    const uint64_t *mask;
    int64_t count;
} Masks;

static void no_hits(Hits *hits) {
    free(hits->left);
    free(hits->right);
    free(hits->distance);
    memset(hits, 0, sizeof *hits);
}

/* room for so many hits in all, and one more */
static void fit(Arena *arena, Hits *hits, int64_t size) {
    if (size < hits->room) return;
    int64_t room = most(2 * hits->room, size + 256);
    void *left = realloc(hits->left, (size_t)room * sizeof(int64_t));
    if (left) hits->left = left;
    void *right = realloc(hits->right, (size_t)room * sizeof(int64_t));
    if (right) hits->right = right;
    void *distance = realloc(hits->distance, (size_t)room * sizeof(uint16_t));
    if (distance) hits->distance = distance;
    if (!left || !right || !distance) longjmp(arena->failed, 1);
    hits->room = room;
}

INLINE uint64_t bits_of(uint64_t word) { return (uint64_t)__builtin_popcountll(word); }

/* how many columns of [low, high) are within k bits of column i */
INLINE int64_t count(Columns of, int64_t i, int64_t low, int64_t high, uint64_t k) {
    const uint64_t *v = of.words;
    int64_t n = of.n, hits = 0;
    if (of.width == 1) {
        uint64_t x = v[i];
        for (int64_t j = low; j < high; j++) hits += bits_of(x ^ v[j]) <= k;
    } else if (of.width == 2) {
        uint64_t x = v[i], y = v[n + i];
        for (int64_t j = low; j < high; j++)
            hits += bits_of(x ^ v[j]) + bits_of(y ^ v[n + j]) <= k;
    } else {
        uint64_t w = v[i], x = v[n + i], y = v[2 * n + i], z = v[3 * n + i];
        for (int64_t j = low; j < high; j++)
            hits += bits_of(w ^ v[j]) + bits_of(x ^ v[n + j]) + bits_of(y ^ v[2 * n + j]) +
                        bits_of(z ^ v[3 * n + j]) <= k;
    }
    return hits;
}

INLINE void distances(Columns of, int64_t i, int64_t low, int64_t high, uint16_t *restrict out) {
    const uint64_t *v = of.words;
    int64_t n = of.n;
    if (of.width == 1) {
        uint64_t x = v[i];
        for (int64_t j = low; j < high; j++) out[j - low] = (uint16_t)bits_of(x ^ v[j]);
    } else if (of.width == 2) {
        uint64_t x = v[i], y = v[n + i];
        for (int64_t j = low; j < high; j++)
            out[j - low] = (uint16_t)(bits_of(x ^ v[j]) + bits_of(y ^ v[n + j]));
    } else {
        uint64_t w = v[i], x = v[n + i], y = v[2 * n + i], z = v[3 * n + i];
        for (int64_t j = low; j < high; j++)
            out[j - low] = (uint16_t)(bits_of(w ^ v[j]) + bits_of(x ^ v[n + j]) +
                                      bits_of(y ^ v[2 * n + j]) + bits_of(z ^ v[3 * n + j]));
    }
}

INLINE uint64_t distance_of(Columns a, int64_t i, Columns b, int64_t j) {
    uint64_t total = 0;
    for (int64_t word = 0; word < a.width; word++)
        total += bits_of(a.words[word * a.n + i] ^ b.words[word * b.n + j]);
    return total;
}

/* whether one of the first `until` masks has no bit of the xor of two words */
INLINE bool reported(Columns a, int64_t i, Columns b, int64_t j, const uint64_t *mask,
                     int64_t until) {
    for (int64_t t = 0; t < until; t++) {
        uint64_t apart = 0;
        for (int64_t word = 0; word < a.width; word++)
            apart |= (a.words[word * a.n + i] ^ b.words[word * b.n + j]) & mask[t * a.width + word];
        if (apart == 0) return true;
    }
    return false;
}

/* whether a column of [low, high) is within k bits of i or the three after it: four at once, so
   that each word is fetched once; the first bit is set by a difference below zero */
INLINE bool any_of_four(Columns of, int64_t i, int64_t low, int64_t high, uint64_t k) {
    const uint64_t *v = of.words;
    uint64_t limit = k + 1, near = 0;
    if (of.width == 1) {
        uint64_t a = v[i], b = v[i + 1], c = v[i + 2], d = v[i + 3];
        for (int64_t j = low; j < high; j++) {
            uint64_t x = v[j];
            near |= (bits_of(a ^ x) - limit) | (bits_of(b ^ x) - limit) |
                    (bits_of(c ^ x) - limit) | (bits_of(d ^ x) - limit);
        }
        return near >> 63;
    }
    if (of.width == 2) {
        const uint64_t *w = v + of.n;
        uint64_t a = v[i], b = v[i + 1], c = v[i + 2], d = v[i + 3];
        uint64_t e = w[i], f = w[i + 1], g = w[i + 2], h = w[i + 3];
        for (int64_t j = low; j < high; j++) {
            uint64_t x = v[j], y = w[j];
            near |= (bits_of(a ^ x) + bits_of(e ^ y) - limit) |
                    (bits_of(b ^ x) + bits_of(f ^ y) - limit) |
                    (bits_of(c ^ x) + bits_of(g ^ y) - limit) |
                    (bits_of(d ^ x) + bits_of(h ^ y) - limit);
        }
        return near >> 63;
    }
    for (int64_t at = i; at < i + 4; at++)
        if (count(of, at, low, high, k)) return true;
    return false;
}

/* append the unreported hits of column i in [low, high), of which there are `hits_there` */
INLINE void list(Arena *arena, Columns of, int64_t i, int64_t low, int64_t high, uint64_t k,
                 Masks earlier, uint16_t *apart, int64_t hits_there, Hits *hits) {
    fit(arena, hits, hits->count + hits_there);
    distances(of, i, low, high, apart);
    int64_t listed = hits->count, filled = hits->count, *right = hits->right;
    uint16_t *distance = hits->distance;
    for (int64_t j = 0; j < high - low; j++) { /* families would mispredict a branch */
        right[listed] = low + j;
        distance[listed] = apart[j];
        listed += apart[j] <= k;
    }
    for (int64_t at = hits->count; at < listed; at++) {
        right[filled] = right[at];
        distance[filled] = distance[at];
        hits->left[filled] = i;
        filled += !reported(of, i, of, right[filled], earlier.mask, earlier.count);
    }
    hits->count = filled;
}

static int64_t widest_of(const int64_t (*tiles)[4], int64_t count) {
    int64_t widest = 0;
    for (int64_t tile = 0; tile < count; tile++) widest = most(widest, tiles[tile][3] - tiles[tile][2]);
    return widest;
}

/* a call of this room: which arrays it has depends on which one it is */
typedef struct {
    Columns columns;
    const int64_t (*tiles)[4];
    const int64_t *bounds, *order;
    const bool *light;
    const int32_t *family;
    int64_t tile_count, bucket_count, families, bits;
    uint64_t k;
    Masks earlier;
    int64_t *parent, *counts;
    Hits *hits;
} Call;

INLINE void scan_in(Arena *arena, const Call *of) {
    uint16_t *apart = NEW(arena, widest_of(of->tiles, of->tile_count), uint16_t);
    for (int64_t t = 0; t < of->tile_count; t++) {
        const int64_t *tile = of->tiles[t];
        for (int64_t i = tile[0]; i < tile[1]; i++) {
            int64_t low = most(tile[2], i + 1), high = tile[3];
            if (low >= high) continue;
            int64_t there = count(of->columns, i, low, high, of->k);
            if (there)
                list(arena, of->columns, i, low, high, of->k, of->earlier, apart, there, of->hits);
        }
    }
}

/* which columns are within k bits of one of the three after them */
INLINE bool *near_next(Arena *arena, Columns of, uint64_t k) {
    bool *near = NEW(arena, of.n, bool);
    memset(near, 1, (size_t)of.n);
    for (int64_t i = 0; i < of.n - 3; i++)
        near[i] = distance_of(of, i, of, i + 1) <= k || distance_of(of, i, of, i + 2) <= k ||
                  distance_of(of, i, of, i + 3) <= k;
    return near;
}

INLINE void join_in(Arena *arena, const Call *of) {
    Columns columns = of->columns;
    int64_t widest = 0;
    for (int64_t b = 0; b < of->bucket_count; b++)
        if (of->light[b]) widest = most(widest, of->bounds[b + 1] - of->bounds[b]);
    uint16_t *apart = NEW(arena, widest, uint16_t);
    int64_t *after = of->families ? NEW(arena, widest, int64_t) : NULL;
    bool *near = near_next(arena, columns, of->k);
    for (int64_t bucket = 0; bucket < of->bucket_count; bucket++) {
        int64_t begin = of->bounds[bucket], high = of->bounds[bucket + 1];
        if (!of->light[bucket] || high - begin < 2) continue;
        for (int64_t i = high - 1; after && i >= begin; i--) { /* where its family ends */
            bool ends = i == high - 1 || of->family[i] < 0 || of->family[i] != of->family[i + 1];
            after[i - begin] = ends ? i + 1 : after[i + 1 - begin];
        }
        for (int64_t first = begin; first < high; first += 4) {
            int64_t last = least(first + 4, high), far = last;
            bool close = false;
            for (int64_t i = first; i < last; i++) {
                if (after) far = most(far, after[i - begin]);
                close |= near[i];
            }
            if (far < high && any_of_four(columns, first, far, high, of->k))
                far = high;
            else if (far == last && !close)
                continue;
            for (int64_t i = first; i < last; i++) {
                int64_t low = after ? after[i - begin] : i + 1;
                int64_t there = low < far ? count(columns, i, low, far, of->k) : 0;
                if (there)
                    list(arena, columns, i, low, far, of->k, of->earlier, apart, there, of->hits);
            }
        }
    }
}

/* the first place of [low, high) of that family or one after it */
static int64_t family_start(const int32_t *family, int64_t low, int64_t high, int32_t number) {
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (family[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

INLINE void across_in(Arena *arena, const Call *of) {
    Columns columns = of->columns;
    const int32_t *family = of->families ? of->family : NULL;
    uint16_t *apart = NEW(arena, widest_of(of->tiles, of->tile_count), uint16_t);
    Masks none = {NULL, 0};
    Hits *hits = of->hits;
    for (int64_t t = 0; t < of->tile_count; t++) {
        int64_t end = of->tiles[t][1], begin = of->tiles[t][2], high = of->tiles[t][3];
        for (int64_t first = of->tiles[t][0]; first < end; first += 4) {
            int64_t last = least(first + 4, end), skip = high, after = high;
            if (family && family[first] >= 0 && family[first] == family[last - 1]) {
                skip = family_start(family, begin, high, family[first]);
                after = family_start(family, skip, high, family[first] + 1);
            }
            if (last - first == 4 && !any_of_four(columns, first, begin, skip, of->k) &&
                !any_of_four(columns, first, after, high, of->k))
                continue;
            for (int64_t i = first; i < last; i++) {
                int64_t there = count(columns, i, begin, high, of->k), size = hits->count;
                if (!there) continue;
                list(arena, columns, i, begin, high, of->k, none, apart, there, hits);
                for (int64_t at = size; at < hits->count; at++) {
                    if (family && family[i] >= 0 && family[hits->right[at]] == family[i]) continue;
                    hits->right[size] = hits->right[at];
                    hits->distance[size++] = hits->distance[at];
                }
                hits->count = size;
            }
        }
    }
}

INLINE void histogram_in(Arena *arena, const Call *of) {
    int64_t columns = of->bits + 1, *counts = ZEROS(arena, LANES * columns, int64_t);
    uint16_t *apart = NEW(arena, widest_of(of->tiles, of->tile_count), uint16_t);
    for (int64_t t = 0; t < of->tile_count; t++) {
        const int64_t *tile = of->tiles[t];
        for (int64_t i = tile[0]; i < tile[1]; i++) {
            int64_t low = most(tile[2], i + 1), high = tile[3];
            if (low >= high) continue;
            distances(of->columns, i, low, high, apart);
            for (int64_t j = 0; j < high - low; j++) counts[j % LANES * columns + apart[j]]++;
        }
    }
    for (int64_t d = 0; d < columns; d++) {
        of->counts[d] = 0;
        for (int lane = 0; lane < LANES; lane++) of->counts[d] += counts[lane * columns + d];
    }
}

static int64_t root(int64_t *parent, int64_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

INLINE void link_in(Arena *arena, const Call *of) {
    Columns columns = of->columns;
    uint64_t *held_words = NEW(arena, columns.width * (LEADERS + 1), uint64_t);
    int64_t leader[LEADERS];
    Columns leaders = {held_words, columns.width, LEADERS + 1};
    for (int64_t bucket = 0; bucket < of->bucket_count; bucket++) {
        int64_t seen = 0;
        for (int64_t i = of->bounds[bucket]; i < of->bounds[bucket + 1]; i++) {
            for (int64_t word = 0; word < columns.width; word++)
                held_words[word * leaders.n + LEADERS] = columns.words[word * columns.n + i];
            if (!count(leaders, LEADERS, 0, least(seen, LEADERS), of->k)) {
                int64_t at = seen++ % LEADERS;
                for (int64_t word = 0; word < columns.width; word++)
                    held_words[word * leaders.n + at] = columns.words[word * columns.n + i];
                leader[at] = of->order[i];
                continue;
            }
            int64_t near = 0;
            while (distance_of(leaders, near, leaders, LEADERS) > of->k) near++;
            int64_t one = root(of->parent, leader[near]), other = root(of->parent, of->order[i]);
            of->parent[most(one, other)] = least(one, other);
        }
    }
}

typedef void Loop(Arena *, const Call *);
IN_WIDTHS(void, scan, (Arena *arena, const Call *of), arena, of)
IN_WIDTHS(void, join, (Arena *arena, const Call *of), arena, of)
IN_WIDTHS(void, across, (Arena *arena, const Call *of), arena, of)
IN_WIDTHS(void, histogram, (Arena *arena, const Call *of), arena, of)
IN_WIDTHS(void, link, (Arena *arena, const Call *of), arena, of)

static int64_t run(Loop *loop, const Call *of) {
    Arena arena;
    arena_begin(&arena, NULL);
    if (setjmp(arena.failed)) {
        arena_end(&arena);
        if (of->hits) no_hits(of->hits);
        return NO_MEMORY;
    }
    loop(&arena, of);
    arena_end(&arena);
    return 0;
}

EXPORT int64_t search_scan(const Call *of) { return run(scan, of); }
EXPORT int64_t search_join(const Call *of) { return run(join, of); }
EXPORT int64_t search_across(const Call *of) { return run(across, of); }
EXPORT int64_t search_histogram(const Call *of) { return run(histogram, of); }
EXPORT int64_t search_link(const Call *of) { return run(link, of); }
EXPORT void search_release(Hits *hits) { no_hits(hits); }

/* ------------------------------------------------------------------------------ order of words */

/* pieces of a word: which word, shift, width */
typedef const int64_t (*Pieces)[3];

static inline uint64_t key_of(Columns of, int64_t i, Pieces parts, int64_t count) {
    uint64_t key = 0;
    for (int64_t piece = 0; piece < count; piece++) {
        int64_t shift = parts[piece][1], wide = parts[piece][2];
        uint64_t word = of.words[parts[piece][0] * of.n + i];
        if (wide == 64)
            key = word;
        else if (wide > 0)
            key = key << wide | (word >> shift & (((uint64_t)1 << wide) - 1));
    }
    return key;
}

static inline uint64_t left_by(uint64_t word, int64_t bits) { return bits < 64 ? word << bits : 0; }
static inline uint64_t right_by(uint64_t word, int64_t bits) { return bits < 64 ? word >> bits : 0; }

EXPORT void search_pack(const Columns *of, const int64_t *column, int64_t count,
                        const uint64_t *place_run, Pieces parts, int64_t pieces,
                        int64_t place_bits, int64_t run_shift, uint64_t *packed) {
    for (int64_t place = 0; place < count; place++)
        packed[place] = left_by(place_run[place], run_shift) |
                        left_by(key_of(*of, column[place], parts, pieces), place_bits) |
                        (uint64_t)place;
}

/* `sizes` receives how many rows and how many buckets there are */
EXPORT void search_buckets(const uint64_t *packed, int64_t n, const int64_t *column,
                           int64_t columns, int64_t place_bits, int64_t *order, int64_t *starts, int64_t *sizes) {
    uint64_t places = ((uint64_t)1 << place_bits) - 1;
    int64_t size = 0, buckets = 0;
    for (int64_t first = 0, after; first < n; first = after) {
        uint64_t key = packed[first] >> place_bits;
        for (after = first + 1; after < n && packed[after] >> place_bits == key;) after++;
        if (after == first + 1) continue;
        starts[buckets++] = size;
        for (int64_t at = first; at < after; at++) {
            int64_t place = (int64_t)(packed[at] & places);
            order[size++] = columns ? column[place] : place;
        }
    }
    starts[buckets] = size;
    sizes[0] = size;
    sizes[1] = buckets;
}

EXPORT void search_turned(const uint64_t *words, int64_t n, Pieces parts, int64_t pieces,
                          uint64_t *turned) {
    int64_t below = 0;
    memset(turned, 0, (size_t)n * sizeof(uint64_t));
    for (int64_t piece = pieces - 1; piece >= 0; piece--) {
        int64_t shift = parts[piece][1], wide = parts[piece][2];
        if (!wide) continue;
        uint64_t low = wide < 64 ? ((uint64_t)1 << wide) - 1 : ~(uint64_t)0;
        for (int64_t i = 0; i < n; i++) turned[i] |= (words[i] >> shift & low) << below;
        below += wide;
    }
}

EXPORT int64_t search_edges(const uint64_t *ordered, int64_t n, int64_t shift, int64_t *bounds) {
    int64_t size = 0;
    for (int64_t at = 0; at < n; at++)
        if (at == 0 || right_by(ordered[at] ^ ordered[at - 1], shift)) bounds[size++] = at;
    bounds[size] = n;
    return size + 1;
}

EXPORT int64_t search_first_rows(const uint64_t *words, int64_t n, const uint64_t *wanted,
                                 int64_t count, int64_t slot_bits, int64_t *first,
                                 int64_t *group) {
    ARENA(arena, NULL);
    int64_t slots = (int64_t)1 << slot_bits, last = slots - 1, shift = 64 - slot_bits;
    int32_t *place = ZEROS(&arena, slots, int32_t);
    for (int64_t at = 0; at < count; at++) {
        first[at] = -1;
        int64_t slot = (int64_t)(wanted[at] * MIX >> shift);
        while (place[slot]) slot = (slot + 1) & last;
        place[slot] = (int32_t)(at + 1);
    }
    for (int64_t row = 0; row < n; row++) {
        group[row] = row;
        int64_t slot = (int64_t)(words[row] * MIX >> shift);
        for (; place[slot]; slot = (slot + 1) & last) {
            int64_t at = place[slot] - 1;
            if (wanted[at] != words[row]) continue;
            if (first[at] < 0) first[at] = row;
            group[row] = first[at];
            break;
        }
    }
    arena_end(&arena);
    return 0;
}

EXPORT void search_packed(const int64_t *left, const int64_t *right, const uint16_t *distance,
                          int64_t count, const int64_t *names, int64_t place_bits,
                          uint64_t *packed) {
    for (int64_t at = 0; at < count; at++) {
        uint64_t a = (uint64_t)names[left[at]], b = (uint64_t)names[right[at]];
        packed[at] = (a < b ? a : b) << (place_bits + 9) | (a < b ? b : a) << 9 | distance[at];
    }
}

EXPORT void search_spread(const uint64_t *packed, int64_t n, int64_t shift, uint64_t *spread,
                          int64_t *bounds) {
    int64_t after[PARTS];
    memset(bounds, 0, (PARTS + 1) * sizeof(int64_t));
    for (int64_t at = 0; at < n; at++) bounds[(packed[at] >> shift) + 1]++;
    for (int64_t part = 0; part < PARTS; part++) {
        bounds[part + 1] += bounds[part];
        after[part] = bounds[part];
    }
    for (int64_t at = 0; at < n; at++) spread[after[packed[at] >> shift]++] = packed[at];
}

EXPORT void search_unpack(const uint64_t *packed, int64_t n, int64_t place_bits, int64_t *left,
                          int64_t *right, uint16_t *distance) {
    uint64_t last = ((uint64_t)1 << place_bits) - 1;
    for (int64_t at = 0; at < n; at++) {
        left[at] = (int64_t)(packed[at] >> (place_bits + 9));
        right[at] = (int64_t)(packed[at] >> 9 & last);
        distance[at] = packed[at] & 511;
    }
}

/* ---------------------------------------------------------------------------- stored fingerprints */

/* the tables of a `BlockIndex`, and what is looked up in them; the columns are the stored ones */
typedef struct {
    Columns queries, columns;
    const uint64_t *words;
    const int64_t *order;
    const int32_t *heads;
    const int64_t *shifts;
    const int64_t *parts;
    const uint64_t *masks;
    int64_t tables, rows, heads_each, pieces;
    uint64_t k;
    Hits *hits;
} Probe;

INLINE void probe_in(Arena *arena, const Probe *of) {
    Hits *hits = of->hits;
    int64_t width = of->queries.width;
    for (int64_t table = 0; table < of->tables; table++) {
        Pieces parts = (Pieces)(of->parts + 3 * of->pieces * table);
        const uint64_t *words = of->words + table * of->rows;
        const uint64_t *mask = of->masks + table * width;
        const int32_t *heads = of->heads + table * of->heads_each;
        for (int64_t i = 0; i < of->queries.n; i++) {
            uint64_t key = key_of(of->queries, i, parts, of->pieces), x = of->queries.words[i];
            uint64_t head = right_by(key, of->shifts[table]);
            int64_t low = heads[head], high = heads[head + 1], near = 0;
            for (int64_t j = low; j < high; j++) near += bits_of(x ^ words[j]) <= of->k;
            if (!near) continue;
            fit(arena, hits, hits->count + near);
            for (int64_t j = low; j < high; j++) {
                if (bits_of(x ^ words[j]) > of->k) continue;
                int64_t stored = of->order[table * of->rows + j];
                uint64_t apart = distance_of(of->queries, i, of->columns, stored);
                if (apart > of->k ||
                    reported(of->queries, i, of->columns, stored, of->masks, table) ||
                    !reported(of->queries, i, of->columns, stored, mask, 1))
                    continue;
                hits->left[hits->count] = i;
                hits->right[hits->count] = stored;
                hits->distance[hits->count++] = (uint16_t)apart;
            }
        }
    }
}

IN_WIDTHS(void, probe, (Arena *arena, const Probe *of), arena, of)

EXPORT int64_t search_probe(const Probe *of) {
    Arena arena;
    arena_begin(&arena, NULL);
    if (setjmp(arena.failed)) {
        arena_end(&arena);
        no_hits(of->hits);
        return NO_MEMORY;
    }
    probe(&arena, of);
    arena_end(&arena);
    return 0;
}
