// Data files of SDSC, a simulator of block diagrams for the first personal computers (Quito, 1988), as models.
//
// Two layouts are read: `.DAT` (a head of 8 numbers, then branches, inputs, blocks) and `.PRN` (the same diagram with
// the results below it). A file starts with a number, which no model does.
// parts: import_sdsc_text.c
#ifndef VIVA_LANG_IMPORT_SDSC_H
#define VIVA_LANG_IMPORT_SDSC_H

#include "lang/imported.h"

enum { sdsc_modules = 25 };

typedef struct SdscNumber {
  double value;
  Span span;
} SdscNumber;

typedef struct SdscLine {
  SdscNumber *numbers;
  uint32_t count;
  Span span;
} SdscLine;

// A wire: from block `from` through a potentiometer into block `to`.
typedef struct SdscBranch {
  uint32_t from, to, code;
  const SdscLine *line; // pot is numbers[3], the references numbers[4 .. 7]
} SdscBranch;

typedef struct SdscInput {
  uint32_t subscript, block;
  Span span;
} SdscInput;

typedef struct SdscBlock {
  uint32_t code;
  uint32_t *branches, branch_count;
  uint32_t *inputs, input_count; // outside ones: indices into SdscFile.inputs
} SdscBlock;

typedef struct SdscFile {
  bool results; // a .PRN: with rows of results
  uint32_t blocks, input_count, branch_count;
  double from, to, step, every;
  SdscBranch *branches;
  SdscInput *inputs;
  SdscBlock *block;     // from 0
  const SdscLine *rows; // of results: t, u1 .., y1 ..
  uint32_t row_count;
} SdscFile;

// Is this such a file? Looks at the text; the name alone proves nothing.
bool sdsc_recognise(const char *name, const char *text, size_t length);
// Reads the source; everything wrong is reported. False: it was, or out of memory.
bool sdsc_read(Arena *arena, const Sources *sources, uint32_t source, Diags *diags, SdscFile *file);
// The diagram as a model in the language.
void sdsc_write(Arena *arena, const char *name, const SdscFile *file, Imported *out);
// Both: what the table of importers calls.
bool sdsc_import(Arena *arena, const ImportFrom *from, Diags *diags, Imported *out);

const char *sdsc_module(uint32_t code);     // "adder"
double sdsc_difference(double a, double b); // as of decimals: 16.1 - 0.1 is 16
typedef enum SdscCode {
  sdsc_sum,
  sdsc_integrator,
  sdsc_limiter,
  sdsc_comparator,
  sdsc_hysteresis,
  sdsc_rectifier,
  sdsc_abs,
  sdsc_dead_zone,
  sdsc_backlash,
  sdsc_square,
  sdsc_root,
  sdsc_logarithm,
  sdsc_exponential,
  sdsc_sine,
  sdsc_cosine,
  sdsc_delay,
  sdsc_one_shot,
  sdsc_product,
  sdsc_quotient,
  sdsc_switch,
  sdsc_and,
  sdsc_nand,
  sdsc_or,
  sdsc_nor,
  sdsc_latch
} SdscCode;

#endif
