"""Every number that decides which pairs a person sees, once, with the measurement behind it.

The settings take their defaults and presets from here, every other room its constants. The
measurements are told in `docs/calibration.md`, under the section that stands beside each number.
The presets of the alignment, which decide where a passage begins and ends, are one table of their
own in `passages/options.py`; what shapes a fingerprint (weights, caps, hashes) is part of its
recipe and lies with the weighting.
"""

from __future__ import annotations

# --------------------------------------------------------------------------- distances, in bits
#: Widest net whose pairs the text check still sifts. Recall down to edit similarity .5: .92, .99
#: and 1.00 at 64, 128 and 256 bits; unrelated pairs of one subject inside: 2.1e-3 to 8.4e-3.
#: docs/calibration.md, "Distances"
WIDE_NET = {64: 16, 128: 36, 256: 80}
#: The same for widths that were not measured: a share of the bits, about that of 64 bits.
WIDE_NET_SHARE = 1 / 4
#: "Same text, edited". Unrelated pairs of one subject inside: 0.4-1.3e-5, 0.3-1.5e-5, 0.2-3.5e-5;
#: recall at edit similarity .8: .87, 1.00, 1.00. docs/calibration.md, "Distances"
EDITED = {64: 9, 128: 26, 256: 61}
#: "Practically the same file". At most 4e-7 of unrelated pairs at 64 bits, none seen at 128 and
#: 256; recall at edit similarity .9: .90, 1.00, 1.00. docs/calibration.md, "Distances"
STRICT = {64: 6, 128: 18, 256: 36}
#: The setting of the literature (Manku, Jain and Das Sarma 2007): kept for comparison. Recall at
#: edit similarity .9: .55. docs/calibration.md, "Distances"
CLASSIC = {64: 3}

# --------------------------------------------------------------------------- the text check
#: Shared winnowed prints, of the smaller set, that confirm a close pair. Inside the wide net of
#: 128 bits it leaves 65 of 2,246 unrelated pairs (Chinese) and 61 of 491 (English), without loss
#: down to edit similarity .5. docs/calibration.md, "Text check"
CONTAINMENT = 0.10

# --------------------------------------------------------------------------- length of texts
#: Words: below, no document fingerprint. One replaced word of 20 moves 17 to 22 of 128 bits, and
#: short texts of one subject have a heavy tail. docs/calibration.md, "Length"
MIN_TOKENS = 50
#: Words: below, a distance is shown as unsteady, and lists no pair that shares no passage, unless a
#: threshold was asked for. One replaced sentence moves 17 to 19 of 128 bits in 100 words, 11 to 13
#: in 200; of 21 short answers to one question four were listed by fingerprints alone.
#: docs/calibration.md, "Length"
SHORT_TOKENS = 200

# --------------------------------------------------------------------------- the batch
#: Documents: below, no batch statistics. In two documents they remove exactly what copies share
#: (distance of copies 5.8 -> 57 of 128 bits). docs/calibration.md, "Batch signature"
BATCH_FROM = 20
#: A word in more than this share of the batch does not vote in the batch signature: recall at one
#: false pair in 1,000 .75 -> .88 at 64 bits in 30 statutes of one subject.
#: docs/calibration.md, "Batch signature"
SHARED_WORDS = 0.5
#: A text that would lose more than this share of its weight keeps all of it. A bound, not a
#: measurement. docs/calibration.md, "Batch signature"
SHARED_WORDS_GUARD = 0.6

# --------------------------------------------------------------------------- false alarms
#: Expected false pairs at which the threshold of a batch is set: in 11 kinds of batches of 30 to
#: 400 texts 0 to .69 false pairs came in, more only where statutes share their formulae (1.6 and
#: 2.0). docs/calibration.md, "False alarms"
EXPECTED_FALSE = 0.5
#: Pairs from which a share of 1e-4 is still seen ten times (450 documents), and one of 1e-3 (142).
#: docs/calibration.md, "False alarms"
MANY_PAIRS, SOME_PAIRS = 100_000, 10_000
#: Pairs (15 documents) below which a batch says nothing about its own spread.
FEW_PAIRS = 105
#: Shares of the pairs at which the tail is anchored: with many pairs, and with some. Predicted over
#: observed .2 to 3.9 and .3 to 5.3 on held-out halves. docs/calibration.md, "False alarms"
MANY_ANCHORS, SOME_ANCHORS = (1e-3, 1e-4), (1e-2, 1e-3)
#: (z3, d) per width: where the robust normal reaches 1e-3, and how fast the tail then falls.
#: Predicted over observed .4 to 40, median 4. docs/calibration.md, "False alarms"
TAIL = {64: (3.4, 0.65), 128: (3.4, 0.85), 256: (3.75, 1.0)}
#: Unrelated Chinese prose on one subject (518,946 pairs): mean and deviation of the distance, and
#: the distances that a share of 1e-6, 1e-5, 1e-4 and 1e-3 reaches. docs/calibration.md, "Distances"
PRIOR = {64: (27.0, 4.39), 128: (53.8, 6.81), 256: (107.5, 10.90)}
PRIOR_TAIL = {64: (7, 8, 11, 13), 128: (22, 25, 28, 32), 256: (57, 61, 67, 73)}

# --------------------------------------------------------------------------- what is kept and shown
#: Rows of a pair table: a threshold that moves stays instant. docs/calibration.md, "Pair table"
KEEP_PAIRS = 200_000
#: Share of the bits beyond which no pair is kept: even unrelated texts lie at half of them.
KEEP_SHARE = 5 / 8
#: Share of one text inside shared passages that links two documents into a group. A decision: what
#: a person calls a copy, not a sentence in common; on the sample essays .10 to .40 link the same.
#: docs/calibration.md, "Groups"
PASSAGE_LINK = 0.30
#: A passage that many texts hold is a group from this many texts. A decision.
LEAST_WITNESSES = 3
#: Share of the longer of two stretches of one text from which they are the same; and of a stretch,
#: what a passage must cover to carry it on. Above 1/2, so that of two stretches side by side one at
#: most is the same as the longer one that holds both. docs/adr/0004
SAME_STRETCH = 2 / 3
#: Times the stretch: insertions make a witness longer, but never without a bound.
MOST_STRETCHED = 2.0
#: Share of the words of the stretch a group began with that a text must have: by the passages that
#: lead there, each of which keeps the share of the words that its two sides have in common.
#: Measured on planted groups and on statutes. docs/adr/0004
LEAST_SHARED = 0.25
#: Share of a shorter stretch from which it lies in a longer one.
INSIDE = 0.8
#: Share of the sum of squared weights from which one word decides a fingerprint: 99 % of texts lie
#: below .14 (Chinese) and .25 (English). docs/calibration.md, "One word that decides"
DOMINANT = 0.25

#: What is left to count of a text of which something is left out, in its units and as a share of
#: it, below which no share is given: 100 % of the last 26 words of a worksheet says "copied" of a
#: text that is mostly the task. A decision: below 50 words a text has no fingerprint either, and of
#: a tenth a share says nothing about the whole. docs/calibration.md, "Exclusions"
FEW_COUNTED, FEW_COUNTED_SHARE = 50, 0.1

# --------------------------------------------------------------------------- passages
#: Han characters (8/13 of it in words): the shortest common run of a compared pair that is certain
#: to be met. docs/calibration.md, "Passages"
MIN_RUN = 13
#: The frequencies of a batch are not applied to a text that would keep less of its weight.
KEPT_WEIGHT = 0.4
#: Share of the shorter text in exact runs too short for a passage from which they count.
SHORT_RUNS_SHARE = 0.5

#: Share of the words in common runs that must lie in the common order of a passage: below, its
#: sentences were shuffled and it counts as moved. docs/calibration.md, "Passages"
KEPT_ORDER = 0.7

#: Strength of a passage that words alone show in Chinese, with the frequencies of a batch and
#: without; the unrelated pairs with such a passage: 12 in 1,000 statutes (by meanings 8) and 3 in
#: 1,000 chapters, without frequencies 181 and 37. docs/calibration.md, "Rewording in Chinese"
WORDS_STRENGTH, WORDS_STRENGTH_ALONE = 4.55, 5.4
#: Share of Han among the tokens of such a passage: code inside Chinese prose is no rewording.
#: docs/calibration.md, "Rewording in Chinese"
WORDS_HAN_SHARE = 0.6

# --------------------------------------------------------------------------- pairs worth aligning
#: Tokens of a block, nats by which a shared word must be rarer than once in two blocks, and the
#: floor of a score: scale ln M + extra nats, M pairs of blocks compared. On 4,995 held-out texts
#: of PAN 2013 misses 3 in 1,000 reworded pairs that alignment finds; Chinese was not checked on
#: held-out texts. Free rewordings of Chinese, which words show, reach the floor by characters: all
#: 150 planted ones, the weakest by eight nats. docs/calibration.md, "Candidates"
BLOCK_WIDTH = {"en": 25, "zh": 60}
BLOCK_MARGIN = {"en": 2.0, "zh": 3.0}
BLOCK_FLOOR = {"en": (1.0, 2.0), "zh": (2.0, 0.0)}
#: Shared winnowed prints, of the smaller set, that always make a candidate: one short statute
#: shared .08 to .25 with 19 others and too few rare words. docs/calibration.md, "Candidates"
CANDIDATE_SHARE = 0.05
#: Texts that hold a winnowed print at most for it to make a pair a candidate; beside prints that
#: more hold, the share of the smaller set from which two texts are one all the same; and how many
#: of the texts that hold a print first each other one is aligned with. docs/calibration.md, "What
#: many hold"
MANY_HOLDERS, NEARLY_WHOLE, WITNESSES = 50, 0.8, 3
#: Postings that a search for pairs may visit, some seven seconds: at 4,995 texts it cost .5 % of
#: the reworded pairs. docs/calibration.md, "Candidates"
SEARCH_BUDGET = 1e9
#: Tokens of both sides of all pairs that are aligned whatever they share, in some five seconds: of
#: 50 pairs of short texts on one task 41 reach the floor. docs/calibration.md, "Candidates"
AFFORDABLE_TOKENS = 30e6
#: Pairs up to which every score is remembered, to take the likeliest that can be afforded: a bound
#: of memory. docs/calibration.md, "Candidates"
SCORED_PAIRS = 2_000_000

# --------------------------------------------------------------------------- an archive
#: Archive texts that are aligned with each new text on average, the likeliest first, and with one
#: alone: 200 take .15 s, but where a text is reused hundreds of times, copies stand behind them.
#: Equal and near texts are always among them; of pairs by rare words and by winnowed hashes the
#: best take turns. Against a million articles, hashes first: 63 of 67 paragraphs with a fifth of
#: the words replaced were found and 20 of 66 with half; in turn 65 and 28. docs/calibration.md,
#: "Archive"
ARCHIVE_PAIRS, ARCHIVE_PAIRS_ALONE = 200, 1_000
#: Pairs for each new text up to which the wide net of fingerprints is searched: beyond, they are
#: unrelated texts of one subject. docs/calibration.md, "Archive"
ARCHIVE_NEAR = 20
#: Postings of winnowed hashes that are read for one new text, the rarest hashes first: a bound, a
#: tenth of a second. Hashes in more texts than that are formulae.
ARCHIVE_HASHES = 2_000_000
#: Texts of an archive among which unrelated pairs are drawn to learn what chance gives, and how
#: many of these are aligned, some seconds once. docs/calibration.md, "Archive"
ARCHIVE_SAMPLE, ARCHIVE_SAMPLED = 300, 6_000
#: How many times as many texts an archive has when that is learnt anew. A decision: among 120, 240
#: and 480 statutes the anchor stood at 6.43, 6.37 and 6.43, which is what two draws differ by.
ARCHIVE_GROWTH = 4

# --------------------------------------------------------------------------- numbers
#: Tokens on either side of a number, and how many of them are numbers too where it stands in a
#: table; and neighbours on either side with which it then counts. Of fourteen pairs of essays with
#: tables of other numbers seven shared up to 87 %, none shares anything; copies keep their numbers:
#: plagdet on PAN 2013 is .9423 for .9426, and .9344 with 3 and 2. docs/calibration.md, "Numbers"
NUMBERS_AROUND, NUMBERS_AMONG, NUMBERS_BESIDE = 8, 8, 3

# --------------------------------------------------------------------------- zones of a text
#: Units between marks from which they hold a quotation though no source stands beside them; fewer
#: are a word used with a doubt, an answer in a dialogue, a title. A decision.
QUOTATION_LEAST = {"characters": 12, "words": 6}
#: Characters of a quotation in marks. A bound: a longer one is set as a block.
QUOTATION_MOST = 2_000
#: Blanks before each line of a block quotation: as Markdown and style guides set it.
BLOCK_QUOTE_INDENT = 4
#: Times that a line comes again before it is the header of pages, and characters between: a page
#: holds some 400 to 3,000, a refrain comes sooner. A bound, not a measurement.
RUNNING_LINE_TIMES, RUNNING_LINE_GAP = 3, 300
#: Entries of a list of references, or lines of contents, that are taken for one without a heading.
LIST_LINES = 3
#: Characters of such an entry at most.
ENTRY_MOST = 400
#: Longest heading, in characters, with Han and without.
HEADING_HAN, HEADING_LETTERS = 30, 80
#: First lines among which a cover is looked for, and the lines `Name: ...` that make one.
COVER_LINES, COVER_LABELS = 25, 2
#: Characters of acknowledgements at most: no heading ends those that are the last of a text.
ACKNOWLEDGEMENTS_MOST = 3_000

# --------------------------------------------------------------------------- exclusions
#: Words in a row by which two texts count as linked before they are compared: the shortest run that
#: is shown, `MIN_RUN`, by language.
LINK_RUN = {"zh": 13, "en": 8}
#: Share of a text from which leaving it out takes the ground from under its fingerprint: two texts
#: equal in less than .64 of their words are not within the threshold of "edited" by that alone.
#: docs/calibration.md, "Exclusions"
FINGERPRINT_STANDS = 0.5
#: Share of equal words from which a passage is the template, lightly edited, and words between two
#: stretches of it that go with them. Decisions. docs/calibration.md, "Exclusions"
TEMPLATE_EDITED, TEMPLATE_GAP = 0.7, 6

# --------------------------------------------------------------------------- cases
#: Words in a row (Han: characters) by which a text holds what others have, and how many words under
#: no such run count as the texts whose passages cover them. docs/calibration.md, "Cases"
HOLDER_RUN = {"zh": 6, "en": 4}
HOLDER_PRIOR = 4.0
#: Texts that hold what "few" have, in a check of at least `SMALL_CHECK` texts and in a smaller one.
#: Decisions of the design. docs/calibration.md, "Cases"
FEW_HOLDERS, FEW_HOLDERS_SMALL, SMALL_CHECK = 5, 3, 15
#: Words that only two texts hold from which they are a case, and words of a passage that several
#: hold from which it is one. On four honest classes of 300 that leaves 7 pairs of 1,691, and the
#: verbatim plants, but for one that the search misses, at the first 9 places.
#: docs/calibration.md, "Cases"
CASE_UNITS = {"zh": 20, "en": 15}
#: Words in runs that no third text has from which a pair is looked at closer, and by how much less
#: strength a passage then needs that holds as many of them: what the class has in common says
#: nothing of it. Chosen on two honest classes and pieces planted into them, measured on two others.
#: docs/calibration.md, "Cases"
OWN_LOOK, OWN_STRENGTH = {"zh": 14, "en": 6}, {"zh": 0.5, "en": 0.8}
#: Words between two such runs of one place; the share of all aligned words that is looked at so
#: at most, the pairs with most of them first; words of all texts together up to which their runs
#: are counted. Decisions, for time and memory. docs/calibration.md, "Cases"
OWN_GAP, OWN_WORK, OWN_TOKENS = 50, 0.25, 10_000_000
#: Words that only two texts hold by which such pairs become ten times rarer where nobody copied: on
#: four honest classes of 300, 107 pairs hold one word and more, 9 hold 15, 2 hold 30.
#: docs/calibration.md, "Cases"
OWN_DECADE = {"zh": 23, "en": 17}
#: Share of both texts from which what a few others hold too makes a pair a case: alike as a whole.
#: docs/calibration.md, "Cases"
CASE_WHOLE = 0.9
#: Texts that hold a passage from which it is one question, words between two runs of it, and the
#: share of their texts that have two of them side by side from which they are one.
#: docs/calibration.md, "Cases"
PASSAGE_HOLDERS, PASSAGE_GAP, PASSAGE_TOGETHER = 3, 2, 0.6
#: Share of a class, and number of texts, from which a passage is answered template by itself.
#: Decisions of the design. docs/calibration.md, "Cases"
TEMPLATE_SHARE, TEMPLATE_HOLDERS = 0.8, 10

# --------------------------------------------------------------------------- who wrote what
#: Words in a row, their share of the shorter text, and texts of one person up to which two of them
#: are versions: an essay quotes less of itself, a portfolio holds more. Decisions.
#: docs/calibration.md, "Who wrote what"
VERSION_RUN, VERSION_SHARE, MOST_VERSIONS = 5, 0.5, 5
#: Share of the file names that a pattern must fit before it is proposed. A decision: it is shown
#: with what it makes of every name, and changed by hand. docs/calibration.md, "Who wrote what"
PATTERN_SHARE = 0.6
#: The same for patterns that hardly fit by chance: beside the hand-ins lie task sheets and lists.
#: docs/calibration.md, "Who wrote what"
DISTINCT_SHARE = 0.2
#: Share of short Chinese names in files that must begin with one of the hundred commonest
#: surnames, which 85 % of the people bear, before they are taken for persons. docs/calibration.md,
#: "Who wrote what"
SURNAME_SHARE = 0.8
#: Seconds that a pattern may take, compiled and on all names together. docs/calibration.md, "Who
#: wrote what"
PATTERN_SECONDS = 5.0

# --------------------------------------------------------------------------- significance
#: Random pairs aligned to learn how strong findings between unrelated texts are, at most so many
#: tokens of both sides of all of them, and pairs below which nothing is said.
#: docs/calibration.md, "Significance"
SAMPLED_PAIRS, SAMPLED_TOKENS, SAMPLED_LEAST = 1_500, 10e6, 150
#: What lets weaker findings of that sample through: strength, least dice, and least shared weight
#: as a share of the preset's. docs/calibration.md, "Significance"
SAMPLED_STRENGTH, SAMPLED_DICE, SAMPLED_WEIGHT = 4.0, 0.36, 0.6
#: Share of the sample at which the tail is anchored, and the strength by which findings become ten
#: times rarer beyond it: .5 to .75 on four collections. docs/calibration.md, "Significance"
CHANCE_SHARE, CHANCE_DECADE = 0.01, 0.7
#: Words (Han: characters) in shared passages from which two texts count as versions or parts of
#: each other, where neither holds `PASSAGE_LINK` of the other. A decision: a sentence and a half;
#: a shared formula or a line of code is shorter. docs/calibration.md, "Reposts"
REPOST_WORDS = 30
#: Share and number of the words of a text that a further source must give it beside a likelier one.
#: Hits that chance could give and that add less are folded: of 60 plants against 1,500 statutes and
#: news 1.68 hits to look at a true one become 1.12, none of 66 sources lost.
#: docs/calibration.md, "Reposts"
FURTHER_SHARE, FURTHER_WORDS = 0.1, 30
#: Findings as strong that chance would give, above which one is marked: it could be a formula of
#: the batch. docs/calibration.md, "Significance"
CHANCE_MARKED = 5.0

#: Texts of a check from which anything is said about chance. A decision: below, the sample that it
#: rests on says more about these texts than about chance. docs/calibration.md, "Significance"
CHANCE_TEXTS = 50
#: Characters or words of an identical run that unrelated texts on one subject do not share: 0 of
#: 3,276 pairs of Chinese sections from 35 on, 0 of 6,607 English ones from 24 on. Statutes do: 17
#: in 1,000 pairs share 40, formulae that many of them have. docs/calibration.md, "Longest runs"
LONG_RUN = {"characters": 40, "words": 24}
#: Texts with one passage from which it decides nothing alone: a task, a quotation, a formula. A
#: decision. docs/calibration.md, "Longest runs"
COMMON_TEXTS = 5

# --------------------------------------------------------------------------- same meaning
#: Nats of background IDF from which a word that two answering sentences share is called rare, and
#: the share of the texts of a check from which it is none. A decision.
#: docs/calibration.md, "Same meaning, as it is shown"
RARE_WORD, RARE_SHARE = 3.0, 0.25

# --------------------------------------------------------------------------- translations
#: Nats by which "a translation" must beat "any text" for a passage of a Chinese and an English
#: text to be listed: at 22 of 1,000 pairs 0 of other subjects and 2 of other chapters are, of 121
#: pairs of sample essays none. docs/calibration.md, "Translations"
TRANSLATED_SCORE = 22.0
#: Nats that the order of words that occur once adds at most: without a cap six of 121 pairs of the
#: sample essays had a finding at 20, some plainly wrong. docs/calibration.md, "Translations"
TRANSLATED_ORDER = 12.0
#: Score of findings that are looked at to learn what chance gives.
TRANSLATED_SAMPLED = 6.0
#: Score by which findings between unrelated texts become ten times rarer, for what chance gives.
#: docs/calibration.md, "Translations"
TRANSLATED_DECADE = 5.0
#: Pairs of a Chinese and an English text that are all aligned, some 90 s of one core for texts of
#: one subject with 250 words each; above, the likeliest so many by rare stems in one place.
#: docs/calibration.md, "Translations"
TRANSLATED_PAIRS = 90_000
#: Texts of a library that are aligned with each new text of the other language, and with all new
#: ones together at least: among 4,000 texts the source of a passage of 80 to 440 Han characters was
#: among the first 50 in 240 of 240. docs/calibration.md, "Translations"
TRANSLATED_ARCHIVE, TRANSLATED_ARCHIVE_ALONE = 100, 400

# --------------------------------------------------------------------------- meaning
#: Words of a unit of meaning, at least and at most; a Han character is .6 of a word. With at most
#: 32 words .85 instead of .90 of the English rewordings were found. docs/calibration.md, "Meaning"
MEANING_UNIT = (8, 48)
#: Cosine at which "the same statement" and "another one on the subject" are equally likely, within
#: a script and across scripts, and nats by which a greater one is more likely: slope, least, most.
#: docs/calibration.md, "Meaning"
MEANING_ANSWER, MEANING_ANSWER_ACROSS = 0.32, 0.27
MEANING_RATIO = (12.0, -1.2, 4.0)
#: What is taken from a cosine: the share of how near a unit is to other texts of the batch (its
#: hub), and from which nearness on. Without it 1 instead of 0 of 1,678 unrelated English pairs, and
#: 9 instead of 4 of 1,474 Chinese ones, have a finding. docs/calibration.md, "Meaning"
MEANING_HUB, MEANING_HUB_FROM = 0.5, 0.35
#: Texts that are left out on top of the nearest ones, at least and as a share of the batch: they
#: may be the source and its other copies. Twice as many are needed. docs/calibration.md, "Meaning"
MEANING_HUB_TEXTS, MEANING_HUB_SHARE = 8, 1 / 16
#: Units among which the nearest are looked for, of each script. A bound of time.
MEANING_HUB_UNITS = 6_000
#: The same for how near a unit is to the next best units opposite: share, nearness, how many of
#: them, and units of the text opposite from which the rule holds at all, and in full. Without it 32
#: of 1,678 unrelated English pairs have a finding. docs/calibration.md, "Meaning"
MEANING_NEXT, MEANING_NEXT_FROM, MEANING_NEXT_UNITS = 0.5, 0.15, 8
MEANING_NEXT_TEXT = (4, 20)
#: Units of the windows in which a passage begins to grow.
MEANING_WINDOWS = (3, 5, 8, 12, 18)
#: Nats for each answering unit beyond the second: chance gives two, seldom three.
#: docs/calibration.md, "Meaning"
MEANING_THIRD = 1.5
#: Nats of a passage that is listed, and of one that is looked at to learn what chance gives; and
#: passages of a pair at most. docs/calibration.md, "Meaning"
MEANING_SCORE, MEANING_SAMPLED, MEANING_PASSAGES = 5.0, 1.0, 4
#: Cosine from which a sentence is word for word the one that it answers: such answers are no other
#: words, and a passage needs two that are. Equal sentences have 1.00. Without it equal lines of a
#: bibliography were listed as of one meaning: 11 pairs of a class of 40.
#: docs/calibration.md, "Meaning"
MEANING_VERBATIM = 0.99
#: Cosine from which a sentence says almost the same words as the one of its script that it answers:
#: where words have found no passage this is a formula of the genre, and speaks for nothing. Without
#: it 59 of 11,353 unrelated pairs of statutes reach 5, with it 25; nothing planted is lost.
#: Chosen on `llm_rewritten_dev` in statutes. docs/calibration.md, "Meaning"
MEANING_FORMULA = 0.8
#: How much nearer, in cosine and on average, the answers of a passage are than the next best
#: sentence of one of its texts. Of 40 pairs of short texts on one event or question 14 were listed
#: without it, 5 are with it; of 229 rewordings 3 are lost. docs/calibration.md, "Meaning"
MEANING_AHEAD = 0.12
#: How much nearer, in cosine, the sentences of a summary are to its source than those of the rest
#: of its text; below, a pair that shares nothing else is folded. Chosen on one half of such pairs
#: of PAN 2013; of the other half 16 of 17 planted ones stay listed, and 9 of 63 others.
#: docs/calibration.md, "Meaning"
SUMMARY_LEAD = 0.24
#: Share of the pairs below `MEANING_SCORE` with a weaker finding from which a class says the same
#: by its task: short answers to one question; nothing is listed by meaning. Six such classes have
#: .15 to .21, essays about one text .008 to .010, statutes .016. docs/calibration.md, "Meaning"
MEANING_ONE_TASK = 0.08
#: Score by which findings between unrelated texts become ten times rarer, for what chance gives:
#: 2.3 to 3.6 among statutes without their formulae. docs/calibration.md, "Meaning"
MEANING_DECADE = 3.6
#: Share of a unit inside counted passages of a pair from which words have found it already.
MEANING_COVERED = 0.5
#: Pairs that are all aligned, about a minute; above, the likeliest so many for each text by the
#: first numbers of its vectors. docs/calibration.md, "Meaning"
MEANING_PAIRS, MEANING_LIKELY, MEANING_SHORT = 90_000, 20, 128
#: Texts of a library that are aligned with each new text, and with all new ones together at least:
#: of 120 reworded passages of 150 words the source was among the first 20 of 1,706 texts in 120,
#: among the first 10 in 117; of 60 translated ones 58 to 59 were among the first 20, 56 to 57 among
#: the first 10. docs/calibration.md, "Meaning"
MEANING_ARCHIVE, MEANING_ARCHIVE_ALONE = 20, 20
#: Texts of a library whose vectors one check makes where they are missing, unless meaning is asked
#: for by name: about a minute of one core. Where more than so many wait, none: a library of 290,000
#: would cost every check 12 s for 600 checks (docs/how-to/library.md).
MEANING_ARCHIVE_MADE, MEANING_ARCHIVE_WAITING = 500, 5_000
#: Sentences of a stored check whose vectors are kept for the next one, 413 bytes each where .24 ms
#: would make them again: 21 MB for 12 s of one core. A bound of the file: 10,000 texts of 900 bytes
#: have some 70,000 sentences. docs/calibration.md, "Meaning"
MEANING_KEPT = 50_000
#: Unrelated pairs below which nothing is said of how near their sentences are, and at most.
MEANING_UNRELATED, MEANING_UNRELATED_MOST = 200, 1_500

#: A text in Latin letters is foreign, and has no fingerprint, from so many words on where so many
#: of them hold one other language together, of so many kinds (names are full of de and la), and so
#: many times as many as hold English together. Of 37,000 pieces of 30 English words 4 are (lists of
#: postcodes, a sentence of Dutch), of 2,300 English texts none. docs/calibration.md, "False alarms"
FOREIGN_WORDS = 30
FOREIGN_SHARE = 0.09
FOREIGN_KINDS = 4
FOREIGN_AHEAD = 2

#: Share of kana in the tokens of a text from which no words of Chinese are looked for in it:
#: Japanese has half. docs/calibration.md, "False alarms"
KANA_SHARE = 0.1
