// An SDSC diagram as a model: potentiometers and references are parameters, each block is a `let`.
//
// Every line of the text has the span of the file that it was made from (Imported.origin), so that an error
// in the model is reported where the user wrote it. Inputs come from the table of results where the file has one, and
// are assumed to be 1 otherwise.
#include "lang/import_sdsc.h"

#include <math.h>
#include <string.h>

typedef struct Writer {
  Arena *arena;
  const SdscFile *file;
  Imported *out;
} Writer;

static void number(Text *t, double value) {
  char digits[number_text_size];
  number_print(value, digits);
  text_put(t, digits);
}

// A line ends; it came from there.
static void end_line(Writer *w, Span from) {
  text_putc(&w->out->text, '\n');
  vec_push(w->arena, &w->out->origin, from);
}

static void line(Writer *w, const char *text) {
  text_put(&w->out->text, text);
  end_line(w, (Span){0});
}

// `text # what`, the comments under each other.
static void end_commented(Writer *w, size_t start, Span from, const char *format, uint32_t a, const char *b) {
  Text *t = &w->out->text;
  size_t used = t->length - start;
  text_pad(t, ' ', used < 38 ? 38 - used : 1);
  text_put(t, "# ");
  text_printf(t, "%u: ", a);
  text_put(t, format);
  text_put(t, b);
  end_line(w, from);
}

// ---- parameters

static bool plain(double pot) { return pot == 1 || pot == -1; }

static void put_param(Writer *w, const char *name, const SdscNumber *value, uint32_t block, const char *what) {
  Text *t = &w->out->text;
  size_t start = t->length;
  text_printf(t, "param %s = ", name);
  number(t, value->value);
  end_commented(w, start, value->span, what, block, "");
}

// The references of each module, in the order of the file; NULL: not used.
static const char *const references[sdsc_modules][4][2] = {
    [sdsc_integrator] = {{"0", "start"}},
    [sdsc_limiter] = {{"max", "maximum"}, {"min", "minimum"}},
    [sdsc_comparator] = {{"ref", "reference"}, {"max", "maximum"}, {"min", "minimum"}},
    [sdsc_hysteresis] = {{"xlo", "lower reference"},
                         {"xhi", "upper reference"},
                         {"max", "maximum"},
                         {"min", "minimum"}},
    [sdsc_dead_zone] = {{"width", "total width"}},
    [sdsc_backlash] = {{"gap", "total width"}, {"max", "maximum"}, {"min", "minimum"}},
    [sdsc_delay] = {{"T", "delay"}},
    [sdsc_one_shot] = {{"T", "length of the pulse"}},
};

static void put_params(Writer *w) {
  const SdscFile *f = w->file;
  for (uint32_t b = 0; b < f->blocks; b++) {
    const SdscBlock *block = &f->block[b];
    for (uint32_t i = 0; i < block->branch_count; i++) {
      const SdscBranch *branch = &f->branches[block->branches[i]];
      const SdscNumber *pot = &branch->line->numbers[3];
      if (plain(pot->value)) continue;
      const char *name = arena_printf(w->arena, "k%u_%u", branch->from, branch->to);
      const char *what = arena_printf(w->arena, "potentiometer from %u", branch->from);
      put_param(w, name ? name : "", pot, b + 1, what ? what : "");
    }
    for (uint32_t k = 0; k < 4; k++) {
      const char *const *ref = references[block->code][k];
      if (!ref[0]) break;
      const char *name = arena_printf(w->arena, "y%u_%s", b + 1, ref[0]);
      put_param(w, name ? name : "", &f->branches[block->branches[0]].line->numbers[4 + k], b + 1, ref[1]);
    }
  }
}

// ---- inputs

// A column of results as a signal: a constant, steps where it jumps from level to level, or straight lines.
static void put_signal(Writer *w, uint32_t column) {
  const SdscFile *f = w->file;
  Text *t = &w->out->text;
  double last = f->rows[0].numbers[column].value;
  uint32_t jumps = 0, rests = 0;
  for (uint32_t i = 1; i < f->row_count; i++) {
    double value = f->rows[i].numbers[column].value;
    if (value == last) rests++;
    else jumps++;
    last = value;
  }
  bool steps = jumps <= rests / 2;
  last = f->rows[0].numbers[column].value;
  number(t, last);
  double slope = 0;
  uint32_t written = 0;
  for (uint32_t i = 1; i < f->row_count; i++) {
    double value = f->rows[i].numbers[column].value, before = f->rows[i - 1].numbers[0].value,
           now = f->rows[i].numbers[0].value;
    double change = steps ? sdsc_difference(value, last) : (value - last) / (now - before) - slope,
           at = sdsc_difference(steps ? now : before, f->from);
    last = value;
    if (change == 0) continue;
    slope += change;
    text_put(t, change < 0 ? " - " : " + ");
    if (++written % 6 == 0) { // the line goes on after an operator
      end_line(w, (Span){0});
      text_put(t, "  ");
    }
    number(t, fabs(change));
    text_put(t, steps ? "*step(t - " : "*ramp(t - ");
    number(t, at);
    text_putc(t, ')');
  }
}

static void put_inputs(Writer *w) {
  const SdscFile *f = w->file;
  Text *t = &w->out->text;
  bool *done = arena_array(w->arena, f->input_count + 1, sizeof *done);
  if (!done) return;
  for (uint32_t i = 0; i < f->input_count; i++) {
    const SdscInput *u = &f->inputs[i];
    if (done[u->subscript]) continue;
    done[u->subscript] = true;
    size_t start = t->length;
    text_printf(t, "input u%u = ", u->subscript);
    if (f->row_count) {
      put_signal(w, u->subscript);
      end_commented(w, start, u->span, "from the results of the file", u->block, "");
    } else {
      text_put(t, "1");
      end_commented(w, start, u->span, "not in the file, so 1 is assumed", u->block, "");
      ImportAssumed assumed = {.input = arena_printf(w->arena, "u%u", u->subscript),
                               .text = arena_printf(w->arena,
                                                    "the file does not hold the input u%u of block %u: 1 is assumed",
                                                    u->subscript, u->block),
                               .span = u->span};
      if (assumed.input && assumed.text) vec_push(w->arena, &w->out->assumed, assumed);
    }
  }
}

// ---- blocks

static void put_branch(Writer *w, const SdscBranch *b) {
  Text *t = &w->out->text;
  double pot = b->line->numbers[3].value;
  if (plain(pot)) text_printf(t, "%sy%u", pot < 0 ? "-" : "", b->from);
  else text_printf(t, "k%u_%u*y%u", b->from, b->to, b->from);
}

// The operands of a block, joined; outside inputs come last.
static void put_operands(Writer *w, const SdscBlock *block, const char *join) {
  Text *t = &w->out->text;
  bool sum = *join == ' ', product = *join == '*';
  for (uint32_t i = 0; i < block->branch_count; i++) {
    const SdscBranch *b = &w->file->branches[block->branches[i]];
    bool minus = b->line->numbers[3].value == -1;
    if (i > 0 && sum && minus) {
      text_printf(t, " - y%u", b->from);
      continue;
    }
    if (i > 0) text_put(t, join);
    bool bracket = product && minus;
    if (bracket) text_putc(t, '(');
    put_branch(w, b);
    if (bracket) text_putc(t, ')');
  }
  for (uint32_t i = 0; i < block->input_count; i++)
    text_printf(t, "%su%u", join, w->file->inputs[block->inputs[i]].subscript);
}

// Of a block with two inputs: the marked one (first) and the other. An outside input takes the mark that no branch has.
static void put_one_of_two(Writer *w, const SdscBlock *block, bool first) {
  for (uint32_t i = 0; i < block->branch_count; i++) {
    const SdscBranch *b = &w->file->branches[block->branches[i]];
    if ((b->line->numbers[4].value == 1) == first) {
      bool divisor = block->code == sdsc_quotient && !first, bracket = divisor && b->line->numbers[3].value != 1;
      if (bracket) text_putc(&w->out->text, '(');
      put_branch(w, b);
      if (bracket) text_putc(&w->out->text, ')');
      return;
    }
  }
  if (block->input_count) text_printf(&w->out->text, "u%u", w->file->inputs[block->inputs[0]].subscript);
}

// The formula of each module; block b is y(b + 1). Sums, products and squares are written by hand.
//   @  all operands, joined by ", "     *  the one branch     $  the block's own name in names of parameters: y3_
//   <  of two operands the marked one   >  the other one
static const char *const formulas[sdsc_modules] = {
    [sdsc_rectifier] = "rectify(@)",
    [sdsc_abs] = "abs(@)",
    [sdsc_root] = "sqrt(@)",
    [sdsc_logarithm] = "ln(@)",
    [sdsc_exponential] = "exp(@)",
    [sdsc_sine] = "sin(@)",
    [sdsc_cosine] = "cos(@)",
    [sdsc_and] = "all(@)",
    [sdsc_nand] = "nand(@)",
    [sdsc_or] = "any(@)",
    [sdsc_nor] = "nor(@)",
    [sdsc_integrator] = "integral(*, $0)",
    [sdsc_limiter] = "limit(*, $min, $max)",
    [sdsc_comparator] = "compare(*, $ref, $min, $max)",
    [sdsc_hysteresis] = "hysteresis(*, $xlo, $xhi, $min, $max)",
    [sdsc_dead_zone] = "deadzone(*, $width)",
    [sdsc_backlash] = "limit(backlash(*, $gap), $min, $max)",
    [sdsc_delay] = "delay(*, $T)",
    [sdsc_one_shot] = "pulse(nor(*), $T)", // triggered by a low level
    [sdsc_quotient] = "</>",
    [sdsc_switch] = "switch(<, >)",
    [sdsc_latch] = "latch(<, >)",
};

static void put_square(Writer *w, const SdscBranch *branch) {
  bool bracket = branch->line->numbers[3].value != 1;
  if (bracket) text_putc(&w->out->text, '(');
  put_branch(w, branch);
  text_put(&w->out->text, bracket ? ")^2" : "^2");
}

static void put_formula(Writer *w, uint32_t b) {
  const SdscBlock *block = &w->file->block[b];
  const SdscBranch *branch = &w->file->branches[block->branches[0]];
  Text *t = &w->out->text;
  if (block->code == sdsc_sum) put_operands(w, block, " + ");
  if (block->code == sdsc_product) put_operands(w, block, "*");
  if (block->code == sdsc_square) put_square(w, branch);
  for (const char *c = formulas[block->code]; c && *c; c++) {
    switch (*c) {
    case '@': put_operands(w, block, ", "); break;
    case '*': put_branch(w, branch); break;
    case '$': text_printf(t, "y%u_", b + 1); break;
    case '<':
    case '>': put_one_of_two(w, block, *c == '<'); break;
    default: text_putc(t, *c); break;
    }
  }
}

static void put_blocks(Writer *w) {
  Text *t = &w->out->text;
  for (uint32_t b = 0; b < w->file->blocks; b++) {
    size_t start = t->length;
    text_printf(t, "let y%u = ", b + 1);
    put_formula(w, b);
    const SdscBlock *block = &w->file->block[b];
    const char *more = block->code == sdsc_one_shot   ? ", triggered by 0"
                       : block->code == sdsc_backlash ? ", then its limits"
                                                      : "";
    end_commented(w, start, w->file->branches[block->branches[0]].line->span, sdsc_module(block->code), b + 1, more);
  }
}

// ---- the whole

// The name of the file without its folder, as far as a string of the language can hold it.
static const char *title_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
  if (back && (!slash || back > slash)) slash = back;
  const char *name = slash ? slash + 1 : path;
  Text t = text_in(arena);
  for (size_t n, left = strlen(name); left; name += n, left -= n) {
    uint32_t c;
    n = utf8_decode(name, left, &c);
    if (n && c >= 32 && c != '"' && c != '\\' && c != 127) text_putn(&t, name, n);
    if (!n) n = 1;
  }
  return text_str(&t);
}

void sdsc_write(Arena *arena, const char *name, const SdscFile *file, Imported *out) {
  *out = (Imported){.text = text_in(arena)};
  Writer writer = {arena, file, out}, *w = &writer;
  Text *t = &out->text;
  text_printf(t, "title \"%s\"", title_of(arena, name));
  end_line(w, (Span){0});
  text_printf(
      t,
      "# A diagram of SDSC: %u block%s, %u branch%s. y3 is the output of block 3, k5_6 the potentiometer from 5 to 6.",
      file->blocks, file->blocks == 1 ? "" : "s", file->branch_count, file->branch_count == 1 ? "" : "es");
  end_line(w, (Span){0});
  if (file->from != 0) {
    text_put(t, "# The file starts at ");
    number(t, file->from);
    text_put(t, "; here t counts from there.");
    end_line(w, (Span){0});
  }
  line(w, "");
  put_inputs(w);
  put_params(w);
  line(w, "");
  put_blocks(w);
  line(w, "");
  for (uint32_t b = 0; b < file->blocks; b++) {
    text_printf(t, b == 0 ? "output y%u" : b % 16 ? ", y%u" : ",\n  y%u", b + 1);
    if (b && b % 16 == 0) vec_push(arena, &out->origin, (Span){0});
  }
  end_line(w, (Span){0});
  text_put(t, "simulate to ");
  number(t, sdsc_difference(file->to, file->from));
  text_put(t, " step ");
  number(t, file->step);
  if (file->every != file->step) {
    text_put(t, " every ");
    number(t, file->every);
  }
  text_put(t, " by rk4");
  end_line(w, (Span){0});
}

bool sdsc_import(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out) {
  SdscFile file;
  if (!sdsc_read(arena, from->sources, from->source, diags, &file)) return false;
  sdsc_write(arena, source_get(from->sources, (Span){from->source, 0, 0})->name, &file, out);
  return !arena_failed(arena);
}
