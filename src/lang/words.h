// The words of the language as data: what each is, without anything that reads it.
// Modules behind the model may ask here.
//
// Everything comes from words.def. The functions that parse and evaluate a word are known to the modules that call them
// alone: parser_inside.h, calls.h, infer.h, statements.h.
#ifndef VIVA_LANG_WORDS_H
#define VIVA_LANG_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum StmtKind {
#define STATEMENT(kind, word, parse, declares, stage, visit, units, picture, repeats, line) stmt_##kind,
#include "lang/words.def"
  stmt_kinds
} StmtKind;

// What a declared name is.
typedef enum DeclKind {
  decl_param,
  decl_coord,
  decl_state,
  decl_input,
  decl_let,
  decl_output,
  decl_fun,
  decl_part,
  decl_unknown,
  decl_multiplier, // of a constraint
  decl_node,
  decl_bar,
  decl_spring, // or a cable
  decl_rigid,
  decl_body,
  decl_ball, // of a joint: r, with r.w and the others as states
  decl_none
} DeclKind;

// When a statement is read. Names come first, in any order; then the stages follow each other, dimensions after events.
typedef enum Stage {
  stage_none,    // with the names, or when a name is first needed
  stage_body,    // behind parameters, before what may ask where bodies are
  stage_linkage, // behind parameters, before the names that may ask for its positions
  stage_energy,
  stage_force,
  stage_equation,
  stage_implicit,
  stage_event,
  stage_start, // scope by scope, the innermost first
  stage_output,
  stage_study, // by elaborate.c itself
  stage_shown, // of the model itself, not of parts
  stage_count
} Stage;

// What a block diagram makes of a statement.
typedef enum StmtPicture {
  drawn_nothing,
  drawn_title,
  drawn_signal,   // a name that blocks may use
  drawn_plant,    // its text is inside the plant
  drawn_force,    // a wire into the plant
  drawn_equation, // integrators
  drawn_solver,   // its text is inside the box of implicit equations
  drawn_event,    // a box of its own
  drawn_part,     // a box of its own
  drawn_output
} StmtPicture;

// What a function gives, as far as its text tells.
typedef enum WordShape {
  shape_of_number,
  shape_of_vector, // or a matrix
  shape_of_alike   // a vector if an argument is one
} WordShape;

typedef struct StatementWord {
  const char *word; // "": it starts with none
  DeclKind declares;
  Stage stage;
  StmtPicture picture;
  bool repeats;
  const char *line;
} StatementWord;

typedef enum CallKind { word_function, word_elementary, word_block } CallKind;

// A word with arguments in brackets, in the order of the table.
typedef struct CallWord {
  const char *word;
  CallKind kind;
  uint32_t least, most;
  WordShape shape;
} CallWord;

const StatementWord *word_statement(StmtKind kind);
// The statement that starts with this word, built or not; false: there is none.
bool word_starts(const char *word, StmtKind *kind);
bool word_is_statement(const char *word);
// The built word that is nearest to a mistaken one; NULL: none is near.
const char *word_nearest_statement(const char *word);

static const uint32_t word_no_call = UINT32_MAX;
uint32_t word_call(const char *word);        // its index in the table of calls; word_no_call: there is none
const CallWord *word_call_at(uint32_t i);    // NULL: no more
bool word_is_function(const char *word);     // a function, no block
const char *word_reserved(const char *name); // what a reserved name is; NULL: it is free

bool word_is_clause(const char *word);        // belongs to statements without starting one
uint32_t word_shape_points(const char *word); // of a shape of `draw`; 0: it is none
// Clauses of a shape, with blanks between; `!` stands behind one that must be said.
const char *word_shape_clauses(const char *word);

#endif
