// The words of words.def as tables, and how one is found in them. All searches are linear: the tables are short, and a
// word is looked up once where it stands in the text. Only calls are asked for again and again (dimensions), and go by
// their first letters.
#include "lang/words.h"

#include "base/text.h"

#include <string.h>

static const StatementWord statements[] = {
#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line)                            \
  {word, decl_##declares, stage_##stage, drawn_##picture, repeats, line},
#include "lang/words.def"
};

// Words that start a statement, in the order in which a mistaken one is compared with them.
static const struct {
  const char *word;
  StmtKind kind;
} starts[] = {
#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line) {word, stmt_##kind},
#define ANOTHER(word, kind, line) {word, stmt_##kind},
#include "lang/words.def"
};

static const CallWord calls[] = {
#define FUNCTION(word, least, most, shape, rule, picture, line) {#word, word_function, least, most, shape_of_##shape},
#define ELEMENTARY(word, least, most, rule, picture) {#word, word_elementary, least, most, shape_of_number},
#define BLOCK(word, least, most, rule, picture, line) {#word, word_block, least, most, shape_of_number},
#include "lang/words.def"
};

static const char first_letters[] = {
#define FUNCTION(word, least, most, shape, rule, picture, line) #word[0],
#define ELEMENTARY(word, least, most, rule, picture) #word[0],
#define BLOCK(word, least, most, rule, picture, line) #word[0],
#include "lang/words.def"
};

static const struct {
  const char *word, *meaning;
} reserved[] = {
#define RESERVED(word, meaning) {word, meaning},
#include "lang/words.def"
};

static const char *const clauses[] = {
#define CLAUSE(word) word,
#include "lang/words.def"
};

static const struct {
  const char *word;
  uint32_t points;
  const char *clauses;
} shapes[] = {
#define SHAPE(word, points, clauses, line) {#word, points, clauses},
#include "lang/words.def"
};

#define COUNT(table) (sizeof table / sizeof *table)

const StatementWord *word_statement(StmtKind kind) { return &statements[kind]; }

bool word_starts(const char *word, StmtKind *kind) {
  for (size_t i = 0; i < COUNT(starts) && *word; i++) {
    if (strcmp(starts[i].word, word) != 0) continue;
    *kind = starts[i].kind;
    return true;
  }
  return false;
}

bool word_is_statement(const char *word) {
  StmtKind kind;
  return word_starts(word, &kind);
}

// What other languages call it.
static const char *foreign_statement(const char *word) {
  static const struct {
    const char *said, *here;
  } words[] = {{"const", "param"}, {"constant", "param"}, {"var", "let"}, {"variable", "let"}, {"model", "title"}};
  for (size_t i = 0; i < COUNT(words); i++) {
    if (strcmp(words[i].said, word) == 0 && word_is_statement(words[i].here)) return words[i].here;
  }
  return NULL;
}

// A statement's word with an ending: `initial`, `parameter`, `parametro`.
static const char *longer_statement(const char *word) {
  const size_t least = 4; // letters: `let` starts many words
  for (size_t i = 0; i < COUNT(starts); i++) {
    size_t n = strlen(starts[i].word);
    if (n >= least && strncmp(word, starts[i].word, n) == 0) return starts[i].word;
  }
  return NULL;
}

const char *word_nearest_statement(const char *word) {
  const char *best = foreign_statement(word);
  if (!best) best = longer_statement(word);
  if (best) return best;
  unsigned least = strlen(word) > 4 ? 3 : 2;
  for (size_t i = 0; i < COUNT(starts); i++) {
    if (!*starts[i].word) continue;
    unsigned d = word_distance(word, starts[i].word);
    if (d >= least) continue;
    least = d;
    best = starts[i].word;
  }
  return best;
}

uint32_t word_call(const char *word) {
  const char *at = first_letters, *end = first_letters + COUNT(calls);
  while ((at = memchr(at, word[0], (size_t)(end - at)))) {
    if (strcmp(calls[at - first_letters].word, word) == 0) return (uint32_t)(at - first_letters);
    at++;
  }
  return word_no_call;
}

const CallWord *word_call_at(uint32_t i) { return i < COUNT(calls) ? &calls[i] : NULL; }

bool word_is_function(const char *word) {
  const CallWord *w = word_call_at(word_call(word));
  return w && w->kind != word_block;
}

const char *word_reserved(const char *name) {
  for (size_t i = 0; i < COUNT(reserved); i++) {
    if (strcmp(reserved[i].word, name) == 0) return reserved[i].meaning;
  }
  return NULL;
}

bool word_is_clause(const char *word) {
  for (size_t i = 0; i < COUNT(clauses); i++) {
    if (strcmp(clauses[i], word) == 0) return true;
  }
  return false;
}

uint32_t word_shape_points(const char *word) {
  for (size_t i = 0; i < COUNT(shapes); i++) {
    if (strcmp(shapes[i].word, word) == 0) return shapes[i].points;
  }
  return 0;
}

const char *word_shape_clauses(const char *word) {
  for (size_t i = 0; i < COUNT(shapes); i++) {
    if (strcmp(shapes[i].word, word) == 0) return shapes[i].clauses;
  }
  return "";
}
