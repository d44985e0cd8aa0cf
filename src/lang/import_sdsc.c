// Reads SDSC data files: numbers, rows, and whether they make a diagram.
#include "lang/import_sdsc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_blocks = 1000000, most_token = 60 };

static const char *const modules[sdsc_modules] = {"adder",
                                                  "integrator",
                                                  "limiter",
                                                  "comparator",
                                                  "comparator with hysteresis",
                                                  "half-wave rectifier",
                                                  "absolute value",
                                                  "dead zone",
                                                  "backlash",
                                                  "squarer",
                                                  "square root",
                                                  "natural logarithm",
                                                  "exponential",
                                                  "sine",
                                                  "cosine",
                                                  "time delay",
                                                  "one-shot",
                                                  "multiplier",
                                                  "divider",
                                                  "analog switch",
                                                  "AND gate",
                                                  "NAND gate",
                                                  "OR gate",
                                                  "NOR gate",
                                                  "SR flip-flop"};

const char *sdsc_module(uint32_t code) { return code < sdsc_modules ? modules[code] : "?"; }

typedef struct SdscReader {
  Arena *arena;
  const Source *source;
  uint32_t id;
  Diags *diags;
  VEC(SdscLine) lines;
  uint32_t at; // the next line
  Span blocks; // where their number stands
  SdscFile *file;
} SdscReader;

// ---- numbers

// Blanks of old files: commas of WRITE#, form feeds of a printer.
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == ',' || c == ';'; }
static bool starts_number(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+'; }

// `.5`, `1D-3` and `2E+05` are numbers, too.
static bool read_number(const char *text, size_t length, double *value) {
  char copy[most_token + 1];
  bool digit = false;
  if (length == 0 || length > most_token) return false;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (c == 'D' || c == 'd') c = 'e';
    if (!starts_number(c) && c != 'e' && c != 'E') return false;
    digit = digit || (c >= '0' && c <= '9');
    copy[i] = c;
  }
  copy[length] = '\0';
  char *end;
  *value = number_parse(copy, &end);
  return digit && *end == '\0' && isfinite(*value);
}

double sdsc_difference(double a, double b) {
  char digits[40];
  if (b == 0) return a;
  number_format(digits, sizeof digits, "%.12g", a - b);
  return number_parse(digits, NULL);
}

bool sdsc_recognise(const char *name, const char *text, size_t length) {
  size_t named = strlen(name), numbers = 0, others = 0;
  bool extension = false;
  static const char *const endings[] = {".dat", ".prn"};
  for (size_t e = 0; e < 2 && named >= 4; e++) {
    bool same = true;
    for (size_t i = 0; i < 4; i++) {
      char c = name[named - 4 + i];
      same = same && (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) == endings[e][i];
    }
    extension = extension || same;
  }
  bool first = false;
  for (size_t at = 0; at < length && numbers + others < 10;) {
    while (at < length && (is_blank(text[at]) || text[at] == '\n')) at++;
    size_t stop = at;
    while (stop < length && !is_blank(text[stop]) && text[stop] != '\n') stop++;
    if (stop > at && text[at] != 0x1a) {
      bool is_number = starts_number(text[at]);
      if (numbers + others == 0) first = is_number;
      numbers += is_number;
      others += !is_number;
    }
    const char *line = memchr(text + at, '\n', length - at);
    at = line ? (size_t)(line - text) + 1 : length;
  }
  return first || (extension && numbers > others);
}

static bool read_lines(SdscReader *r) {
  const char *text = r->source->text;
  uint32_t length = (uint32_t)r->source->length;
  const char *end = memchr(text, 0x1a, length); // the end of a DOS file
  if (end) length = (uint32_t)(end - text);
  bool good = true;
  for (uint32_t at = 0; at < length;) {
    VEC(SdscNumber) numbers = {0};
    SdscLine line = {.span = {r->id, at, at}};
    while (at < length && text[at] != '\n') {
      if (is_blank(text[at])) {
        at++;
        continue;
      }
      uint32_t from = at;
      while (at < length && text[at] != '\n' && !is_blank(text[at])) at++;
      SdscNumber n = {.span = {r->id, from, at}};
      if (!read_number(text + from, at - from, &n.value)) {
        diag_error(r->diags, diag_sdsc_number, n.span, "this is not a number");
        good = false;
      }
      if (numbers.count == 0) line.span.start = from;
      line.span.end = at;
      vec_push(r->arena, &numbers, n);
    }
    at++;
    line.numbers = numbers.items;
    line.count = numbers.count;
    if (line.count > 0 && !vec_push(r->arena, &r->lines, line)) return false;
  }
  return good && !arena_failed(r->arena);
}

// ---- rows

static void wrong(SdscReader *r, Span span, const char *what) {
  diag_error(r->diags, diag_sdsc_rows, span, "%s", what);
}

static bool whole(SdscReader *r, const SdscNumber *n, double least, double most, const char *what, uint32_t *out) {
  *out = 0;
  if (n->value == floor(n->value) && n->value >= least && n->value <= most) {
    *out = (uint32_t)n->value;
    return true;
  }
  diag_error(r->diags, diag_sdsc_rows, n->span, "%s must be a whole number from %.0f to %.0f", what, least, most);
  return false;
}

// How many successive lines from here on have `numbers` numbers each; at most `most`.
static uint32_t run_of(const SdscReader *r, uint32_t numbers, uint32_t most) {
  uint32_t n = 0;
  while (n < most && r->at + n < r->lines.count && r->lines.items[r->at + n].count == numbers) n++;
  return n;
}

// The rows of one kind. On a mismatch says which of the two is wrong: the head's count, or the row.
static bool expect_rows(SdscReader *r, const char *kind, uint32_t numbers, uint32_t wanted, Span said,
                        uint32_t next_numbers) {
  uint32_t found = run_of(r, numbers, wanted);
  if (found == wanted) {
    // rows of this kind that the head does not count, where another kind must follow
    uint32_t more = run_of(r, numbers, UINT32_MAX) - wanted;
    if (numbers == next_numbers || r->at + wanted + more > r->lines.count || more == 0 || next_numbers == 0)
      return true;
    diag_error(r->diags, diag_sdsc_rows, said, "the head counts %u %s, the file has %u", wanted, kind, wanted + more);
    return false;
  }
  if (r->at + found >= r->lines.count) {
    Span end = r->lines.items[r->lines.count - 1].span;
    diag_error(r->diags, diag_sdsc_rows, end, "the file ends here, after %u of %u %s", found, wanted, kind);
    diag_hint(r->diags, "it seems to be cut off");
    return false;
  }
  const SdscLine *line = &r->lines.items[r->at + found];
  if (line->count == next_numbers && next_numbers) {
    diag_error(r->diags, diag_sdsc_rows, said, "the head counts %u %s, the file has %u", wanted, kind, found);
    return false;
  }
  diag_error(r->diags, diag_sdsc_rows, line->span, "row %u of the %u %s has %u number%s where %u belong", found + 1,
             wanted, kind, line->count, line->count == 1 ? "" : "s", numbers);
  if (r->at + found + 1 == r->lines.count && line->count < numbers)
    diag_hint(r->diags, "the file seems to be cut off in this row");
  return false;
}

static bool read_branches(SdscReader *r, uint32_t count) {
  SdscFile *f = r->file;
  f->branch_count = count;
  f->branches = arena_array(r->arena, count, sizeof *f->branches);
  if (count && !f->branches) return false;
  bool good = true;
  for (uint32_t i = 0; i < count; i++) {
    const SdscLine *line = &r->lines.items[r->at++];
    SdscBranch *b = &f->branches[i];
    b->line = line;
    good &= whole(r, &line->numbers[0], 1, f->blocks, "a branch comes from a block, which", &b->from);
    good &= whole(r, &line->numbers[1], 1, f->blocks, "a branch goes to a block, which", &b->to);
    good &= whole(r, &line->numbers[2], 0, sdsc_modules - 1, "the code of a module", &b->code);
  }
  return good;
}

static bool read_inputs(SdscReader *r) {
  SdscFile *f = r->file;
  f->inputs = arena_array(r->arena, f->input_count, sizeof *f->inputs);
  if (f->input_count && !f->inputs) return false;
  bool good = true;
  for (uint32_t i = 0; i < f->input_count; i++) {
    const SdscLine *line = &r->lines.items[r->at++];
    SdscInput *u = &f->inputs[i];
    u->span = line->span;
    good &= whole(r, &line->numbers[0], 1, f->input_count, "the subscript of an input", &u->subscript);
    good &= whole(r, &line->numbers[1], 1, f->blocks, "an input goes to a block, which", &u->block);
  }
  return good;
}

static bool read_times(SdscReader *r, const SdscNumber *from, const SdscNumber *to, const SdscNumber *step) {
  SdscFile *f = r->file;
  f->from = from->value;
  f->to = to->value;
  f->step = step->value;
  if (!(f->to > f->from)) wrong(r, to->span, "the end must come after the start");
  else if (!(f->step > 0)) wrong(r, step->span, "the step must be above 0");
  else if (f->step > f->to - f->from) wrong(r, step->span, "the step is longer than the run");
  else return true;
  return false;
}

// n l m nlmi ti tf h hi; branches; inputs; blocks
static bool read_data(SdscReader *r) {
  SdscFile *f = r->file;
  const SdscLine *head = &r->lines.items[r->at++];
  const SdscNumber *h = head->numbers;
  uint32_t integrators, branches;
  r->blocks = h[2].span;
  bool good = whole(r, &h[0], 0, most_blocks, "the number of integrators", &integrators);
  good &= whole(r, &h[1], 0, most_blocks, "the number of inputs", &f->input_count);
  good &= whole(r, &h[2], 1, most_blocks, "the number of blocks", &f->blocks);
  good &= whole(r, &h[3], 1, most_blocks, "the number of branches", &branches);
  good = good && read_times(r, &h[4], &h[5], &h[6]);
  f->every = h[7].value;
  if (good && !(f->every > 0)) {
    wrong(r, h[7].span, "the interval of printing must be above 0");
    good = false;
  }
  if (!good) return false;
  if (!expect_rows(r, "branches", 8, branches, h[3].span, f->input_count ? 2 : 4) || !read_branches(r, branches))
    return false;
  if (!expect_rows(r, "inputs", 2, f->input_count, h[1].span, 4) || !read_inputs(r)) return false;
  if (!expect_rows(r, "blocks", 4, f->blocks, h[2].span, 0)) return false;
  if (r->at + f->blocks < r->lines.count) {
    const SdscLine *line = &r->lines.items[r->at + f->blocks];
    if (line->count == 4)
      diag_error(r->diags, diag_sdsc_rows, h[2].span, "the head counts %u block%s, the file has %u", f->blocks,
                 f->blocks == 1 ? "" : "s", run_of(r, 4, UINT32_MAX));
    else wrong(r, line->span, "nothing was expected after the rows of the blocks");
    return false;
  }
  // each block once more: 1, start, number of the state, start for an integrator, else zeros
  uint32_t counted = 0;
  for (uint32_t i = 0; i < f->branch_count; i++) {
    if (f->branches[i].code != sdsc_integrator) continue;
    counted++;
    const SdscLine *line = &r->lines.items[r->at + f->branches[i].to - 1];
    const SdscNumber *start = &f->branches[i].line->numbers[4];
    if (line->numbers[0].value != 1) {
      diag_error(r->diags, diag_sdsc_rows, line->numbers[0].span,
                 "this row must start with 1: block %u is an integrator", f->branches[i].to);
    } else if (line->numbers[1].value != start->value) {
      diag_error(r->diags, diag_sdsc_rows, line->numbers[1].span, "block %u starts at %g by its branch, at %g here",
                 f->branches[i].to, start->value, line->numbers[1].value);
    }
  }
  if (counted != integrators)
    diag_error(r->diags, diag_sdsc_rows, h[0].span, "the head counts %u integrator%s, the branches have %u",
               integrators, integrators == 1 ? "" : "s", counted);
  return r->diags->errors == 0;
}

// Where the branches of a .PRN end and its results begin:
// rows of both may have 8 numbers, and their counts are not stored.
static uint32_t count_branches(const SdscReader *r) {
  const SdscFile *f = r->file;
  uint32_t rows = run_of(r, 8, UINT32_MAX);
  if (f->input_count || f->blocks != 7) return rows;
  for (uint32_t i = 0; i < rows; i++) {
    const SdscNumber *n = r->lines.items[r->at + i].numbers;
    bool branch = n[0].value == floor(n[0].value) && n[0].value >= 1 && n[0].value <= f->blocks &&
                  n[2].value == floor(n[2].value);
    bool later = i + 1 < rows && r->lines.items[r->at + i + 1].numbers[0].value > n[0].value;
    if (n[0].value == f->from && (!branch || later) && i > 0) return i;
  }
  return rows;
}

// l; m; t0; tf; h; h^4; branches; inputs; rows of results
static bool read_results(SdscReader *r) {
  SdscFile *f = r->file;
  const SdscNumber *head[6];
  f->results = true;
  static const char *const names[6] = {
      "the number of inputs", "the number of blocks", "the start", "the end", "the step", "the error of a step"};
  for (uint32_t i = 0; i < 6; i++) {
    const SdscLine *line = r->at < r->lines.count ? &r->lines.items[r->at] : &r->lines.items[r->lines.count - 1];
    if (r->at >= r->lines.count) {
      diag_error(r->diags, diag_sdsc_rows, line->span, "the file ends here, before %s", names[i]);
      diag_hint(r->diags, "a data file starts with 8 numbers in a row, a file of results with 6 rows of one number");
      return false;
    }
    if (line->count != 1) {
      diag_error(r->diags, diag_sdsc_rows, line->span, "one number was expected here, %s, not %u", names[i],
                 line->count);
      diag_hint(r->diags, "a data file starts with 8 numbers in a row, a file of results with 6 rows of one number");
      return false;
    }
    head[i] = &line->numbers[0];
    r->at++;
  }
  r->blocks = head[1]->span;
  bool good = whole(r, head[0], 0, most_blocks, names[0], &f->input_count);
  good &= whole(r, head[1], 1, most_blocks, names[1], &f->blocks);
  if (!good || !read_times(r, head[2], head[3], head[4])) return false;
  f->every = f->step;
  uint32_t branches = count_branches(r), wide = 1 + f->input_count + f->blocks;
  if (branches == 0) branches = 1; // then the row is wrong, or missing
  if (!expect_rows(r, "branches", 8, branches, head[1]->span, 0) || !read_branches(r, branches)) return false;
  if (!expect_rows(r, "inputs", 2, f->input_count, head[0]->span, 0) || !read_inputs(r)) return false;
  f->rows = r->lines.items + r->at;
  f->row_count = r->lines.count - r->at;
  for (uint32_t i = 0; i < f->row_count; i++) {
    const SdscLine *line = &f->rows[i];
    if (line->count != wide) {
      diag_error(r->diags, diag_sdsc_rows, line->span,
                 "a row of results has %u number%s where %u belong: the time, %u input%s, %u block%s", line->count,
                 line->count == 1 ? "" : "s", wide, f->input_count, f->input_count == 1 ? "" : "s", f->blocks,
                 f->blocks == 1 ? "" : "s");
      if (i + 1 == f->row_count && line->count < wide) diag_hint(r->diags, "the file seems to be cut off in this row");
      return false;
    }
    if (i > 0 && !(line->numbers[0].value > f->rows[i - 1].numbers[0].value)) {
      wrong(r, line->numbers[0].span, "the times of the results must grow");
      return false;
    }
  }
  if (f->row_count > 1) f->every = sdsc_difference(f->rows[1].numbers[0].value, f->rows[0].numbers[0].value);
  return true;
}

// ---- blocks

static void bad_block(SdscReader *r, uint32_t block, Span span, const char *what) {
  diag_error(r->diags, diag_sdsc_block, span, "block %u (%s): %s", block + 1, sdsc_module(r->file->block[block].code),
             what);
}

static bool gather_blocks(SdscReader *r) {
  SdscFile *f = r->file;
  f->block = arena_array(r->arena, f->blocks, sizeof *f->block);
  uint32_t *room = arena_array(r->arena, f->branch_count + f->input_count, sizeof *room);
  if (!f->block || (f->branch_count + f->input_count && !room)) return false;
  for (uint32_t i = 0; i < f->branch_count; i++) f->block[f->branches[i].to - 1].branch_count++;
  for (uint32_t i = 0; i < f->input_count; i++) f->block[f->inputs[i].block - 1].input_count++;
  for (uint32_t b = 0; b < f->blocks; b++) {
    f->block[b].branches = room;
    room += f->block[b].branch_count;
    f->block[b].inputs = room;
    room += f->block[b].input_count;
    f->block[b].branch_count = f->block[b].input_count = 0;
  }
  for (uint32_t i = 0; i < f->branch_count; i++) {
    SdscBlock *b = &f->block[f->branches[i].to - 1];
    if (b->branch_count == 0) b->code = f->branches[i].code;
    b->branches[b->branch_count++] = i;
  }
  for (uint32_t i = 0; i < f->input_count; i++) {
    SdscBlock *b = &f->block[f->inputs[i].block - 1];
    b->inputs[b->input_count++] = i;
  }
  return true;
}

// Which of two inputs is the dividend, the control, the set side: its row says 1.
static void check_marks(SdscReader *r, uint32_t block) {
  static const char *const marked[] = {"the dividend", "the control", "S"};
  const SdscFile *f = r->file;
  const SdscBlock *b = &f->block[block];
  const char *what = marked[b->code == sdsc_quotient ? 0 : b->code == sdsc_switch ? 1 : 2];
  uint32_t marks = 0;
  for (uint32_t i = 0; i < b->branch_count; i++) marks += f->branches[b->branches[i]].line->numbers[4].value == 1;
  Span span = f->branches[b->branches[0]].line->span;
  if (marks > 1) {
    diag_error(r->diags, diag_sdsc_block, span, "block %u (%s): both of its branches are marked as %s", block + 1,
               sdsc_module(b->code), what);
  } else if (marks == 0 && b->input_count == 0) {
    diag_error(r->diags, diag_sdsc_block, span, "block %u (%s): no branch is marked as %s", block + 1,
               sdsc_module(b->code), what);
    diag_hint(r->diags, "its fifth number must be 1");
  }
}

static void check_references(SdscReader *r, uint32_t block) {
  const SdscBlock *b = &r->file->block[block];
  const SdscNumber *ref = &r->file->branches[b->branches[0]].line->numbers[4];
  switch (b->code) {
  case sdsc_limiter:
    if (ref[0].value < ref[1].value)
      bad_block(r, block, span_join(ref[0].span, ref[1].span), "its maximum, which comes first, is below its minimum");
    break;
  case sdsc_comparator:
    if (ref[1].value < ref[2].value)
      bad_block(r, block, span_join(ref[1].span, ref[2].span), "its maximum, which comes first, is below its minimum");
    break;
  case sdsc_hysteresis:
    if (ref[0].value > ref[1].value)
      bad_block(r, block, span_join(ref[0].span, ref[1].span),
                "its lower reference, which comes first, is above the upper one");
    if (ref[2].value < ref[3].value)
      bad_block(r, block, span_join(ref[2].span, ref[3].span), "its maximum, which comes first, is below its minimum");
    break;
  case sdsc_dead_zone:
    if (ref[0].value < 0) bad_block(r, block, ref[0].span, "its width is negative");
    break;
  case sdsc_backlash:
    if (ref[0].value < 0) bad_block(r, block, ref[0].span, "its width is negative");
    if (ref[1].value < ref[2].value)
      bad_block(r, block, span_join(ref[1].span, ref[2].span), "its maximum, which comes first, is below its minimum");
    break;
  case sdsc_delay:
    if (ref[0].value < 0) bad_block(r, block, ref[0].span, "its delay is negative");
    break;
  case sdsc_one_shot:
    if (ref[0].value <= 0) bad_block(r, block, ref[0].span, "the length of its pulse must be above 0");
    break;
  default: break;
  }
}

static void check_block(SdscReader *r, uint32_t block) {
  const SdscFile *f = r->file;
  const SdscBlock *b = &f->block[block];
  if (b->branch_count == 0) {
    Span place = b->input_count ? f->inputs[b->inputs[0]].span : r->blocks;
    diag_error(r->diags, diag_sdsc_block, place, "no branch goes to block %u, so its kind is not known", block + 1);
    return;
  }
  Span span = f->branches[b->branches[0]].line->span;
  for (uint32_t i = 1; i < b->branch_count; i++) {
    const SdscBranch *branch = &f->branches[b->branches[i]];
    const SdscNumber *code = &branch->line->numbers[2];
    if (branch->code != b->code) {
      diag_error(r->diags, diag_sdsc_block, code->span, "block %u is the %s of its first branch, and here the %s",
                 block + 1, sdsc_module(b->code), sdsc_module(branch->code));
      return;
    }
    for (uint32_t k = 0; k < i; k++) {
      if (f->branches[b->branches[k]].from == branch->from)
        bad_block(r, block, branch->line->span, "this branch stands twice");
    }
  }
  uint32_t inputs = b->branch_count + b->input_count;
  bool two = b->code == sdsc_quotient || b->code == sdsc_switch || b->code == sdsc_latch;
  bool many = b->code == sdsc_sum || b->code == sdsc_product || (b->code >= sdsc_and && b->code <= sdsc_nor);
  if (two) {
    if (inputs != 2)
      diag_error(r->diags, diag_sdsc_block, span, "block %u (%s): it has %u input%s, and needs 2", block + 1,
                 sdsc_module(b->code), inputs, inputs == 1 ? "" : "s");
    else check_marks(r, block);
  } else if (many) {
    if (inputs < 2) bad_block(r, block, span, "it has one input, and needs 2 or more");
  } else if (b->input_count) {
    bad_block(r, block, f->inputs[b->inputs[0]].span, "an outside input may go to blocks with several inputs only");
  } else if (inputs != 1) {
    diag_error(r->diags, diag_sdsc_block, f->branches[b->branches[1]].line->span,
               "block %u (%s): it has %u inputs, and takes one", block + 1, sdsc_module(b->code), inputs);
  }
  check_references(r, block);
}

bool sdsc_read(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, SdscFile *file) {
  *file = (SdscFile){0};
  SdscReader reader = {
      .arena = arena, .source = source_get(sources, (Span){source, 0, 0}), .id = source, .diags = diags, .file = file};
  SdscReader *r = &reader;
  if (!r->source || !read_lines(r)) return false;
  if (r->lines.count == 0) {
    wrong(r, (Span){source, 0, 0}, "the file holds no numbers");
    return false;
  }
  bool good;
  if (r->lines.items[0].count == 8) good = read_data(r);
  else if (r->lines.items[0].count == 1) good = read_results(r);
  else {
    diag_error(diags, diag_sdsc_rows, r->lines.items[0].span,
               "the head has %u numbers where 8 belong: integrators, inputs, blocks, branches, start, end, step, "
               "interval of printing",
               r->lines.items[0].count);
    good = false;
  }
  if (!good || !gather_blocks(r)) return false;
  for (uint32_t i = 0; i < file->blocks; i++) check_block(r, i);
  return diags->errors == 0 && !arena_failed(arena);
}
