// The steps of an exported model with discrete states, delays, `when` and `every` events, as C; and what all files that
// write its text share.
// parts: export_text.c export_main.c export_mark.c export_constraints.c
#ifndef VIVA_SHOW_EXPORT_STEPS_H
#define VIVA_SHOW_EXPORT_STEPS_H

#include "base/text.h"
#include "sim/export.h"

typedef struct ExportShow {
  const Export *e;
  const char *name, *upper;
  bool single;
  const char *version;
} ExportShow;

enum { export_most_tapes = 7 }; // of steps and constraints

// Text of C in which @n is the name of the model, @N the same in capitals.
void export_put(const ExportShow *s, Text *out, const char *text);

// What brings the quaternions of balls back to length 1, behind a step.
void export_put_balls(const ExportShow *s, const char *indent, Text *out);

// Text inside a comment or a string of C.
void export_safe(Text *out, const char *s);

void export_steps_header(const ExportShow *s, Text *out);
// The tapes it needs beside the others, and what their functions are called; how many.
uint32_t export_steps_tapes(const ExportEvents *e, const Tape **tapes, const char **names);
// Behind the workspaces of the right-hand side, the outputs and the steps: those of the constraints.
uint32_t export_bound_at(const Export *e);
// Behind all of them: the stages of a step of rk4, and the state between them.
enum { export_stages = 5 };
uint32_t export_stages_at(const Export *e);
void export_put_stages(const ExportShow *s, Text *out, const char *last); // last: what the state is called

// The functions, after those of the tapes; jobs: of the tapes in the same order.
void export_steps_source(const ExportShow *s, const EmitJob *jobs, Text *out);
// The part of NAME_prepare.
void export_steps_prepare(const ExportShow *s, Text *out);

// ---- constraints (export_constraints.c), as above

void export_bound_header(const ExportShow *s, Text *out);
uint32_t export_bound_tapes(const ExportConstraints *c, const Tape **tapes, const char **names);
void export_bound_start(const ExportShow *s, Text *out); // the end of NAME_start
void export_bound_prepare(const ExportShow *s, Text *out);
void export_bound_memory(const ExportShow *s, uint32_t total, Text *out); // the part of show_memory
// Whose rates a stage takes: those of the model, or as seen on constraints.
const char *export_bound_rates(const ExportShow *s);
void export_bound_source(const ExportShow *s, const EmitJob *jobs, Text *out);

// ---- what stands around them

// Lines that put t and y into the workspace at w.
void export_put_variables(const ExportShow *s, Text *out);
uint32_t export_memory_at(const Export *e); // the memories, in the workspace of a tape

// A number as C has it.
void export_number(const ExportShow *s, Text *out, double x);
// Who wrote a file, for its first line; export_put_sum fills the checksum of what follows in (export_mark.c).
void export_mark(const ExportShow *s, Text *out);
void export_put_sum(Text *out);
// main.c (export_main.c)
void export_example(const ExportShow *s, Text *out);

#endif
