// The state of elaboration: from statements to a `Model`.
//
// Order of the modules: names <- eval (with paths, definitions, rates, loops) <- functions, blocks <- calls, and beside
// them visits <- settings, given, contents, events, shown <- elaborate. The way back, from an expression to the
// function or block that it calls, is `EvalCalls` alone.
#ifndef VIVA_LANG_ELAB_H
#define VIVA_LANG_ELAB_H

#include "expr/calculus.h"
#include "expr/value.h"
#include "lang/model.h"
#include "lang/names.h"

typedef struct Elab Elab;

// What evaluation asks of the modules behind it.
typedef struct EvalCalls {
  Value (*call)(Elab *e, const Ast *a, const Binding *env);  // f(x)
  Value (*apply)(Elab *e, const Ast *a, const Binding *env); // inverse(f)(y), hip.f(x)
  void (*set_entries)(Elab *e, const Decl *d, Value *v);     // of a vector, that settings change one by one
  Value (*multiplier)(Elab *e, struct Decl *d, Span use);    // of a constraint
  // of a family of nodes or bars: a declaration for an element; NULL: there is none
  Decl *(*element)(Elab *e, Scope *scope, const Family *family, int64_t index);
  Value (*linked)(Elab *e, struct Decl *d, Span use);           // a node, as a vector
  Value (*linked_field)(Elab *e, struct Decl *d, const Ast *a); // of a bar, spring or body; NULL: of all bodies
  Decl *(*coordinate)(Elab *e, const char *name, Span use);     // of a node: B.x; NULL: it is none
  Value (*port_output)(Elab *e, struct Decl *input, Span use);  // U.y
} EvalCalls;

enum {
  most_repetitions = 1000000,  // of `for` and `sum`
  most_evaluations = 20000000, // of formulas, while a file is read: some seconds
  // Nodes, bars and springs are rows of lists, of which a file may have millions: each brings the work of its own row
  // with it, until the whole is ten times as much.
  element_evaluations = 40,
  most_list_evaluations = 10 * most_evaluations,
  element_words = 100, // of expressions, likewise
  most_list_words = 4 * pool_most_words
};

typedef struct ElabLimits {
  uint32_t depth;           // of evaluation
  uint64_t work, most_work; // evaluations so far, and how many there may be
  bool exhausted;           // one of the limits of the whole file was crossed, and reported
} ElabLimits;

// A derivative of a higher order than the equations of motion have: x''' of a coordinate, z'' of a state.
typedef struct HigherRate {
  SymbolId symbol, of; // the derivative of `of`
} HigherRate;

// While expressions are evaluated.
typedef struct EvalState {
  VEC(Decl *) active; // being evaluated, outermost first
  uint32_t constant;  // > 0: parameters count with their values
  bool no_blocks;     // in a text that is no model
  bool keep_parts;    // every value on the way goes into `parts`: simplified, sqrt(x)^2 has values where it has none
  VEC(ExprId) parts;
  bool further;                    // derivatives of any order are symbols, in `higher`: in equations of a user
  VEC(HigherRate) higher;          // each behind the one it is the derivative of
  SymbolId bound[bound_outermost]; // variables of integrals, by nesting
  uint32_t bound_depth;
} EvalState;

// Other files.
typedef struct PartState {
  VEC(uint32_t) files; // sources of parts, one a file
  bool confined;       // they lie in the model's folder
  bool full;           // there are too many parts
} PartState;

typedef VEC(struct Setting *) SettingList;

// What the command line, a case and the users of parts change (settings.h).
typedef struct SettingState {
  SettingList list;
  bool unread;     // a part could not be read, or the settings make no sense: go no further
  NameList *plain; // vectors in repeated parts, found where a list seemed to ask for a family: read once more
  uint32_t round;  // grows when settings change what names mean
} SettingState;

// The statement that is visited, and which of its items.
typedef struct VisitState {
  const Stmt *statement;
  const Item *item;
  const Binding *env;
} VisitState;

// How many blocks of a word stand in something, as far as they need names.
typedef struct BlockCount {
  const char *word; // integral, latch
  uint32_t count;
  struct BlockCount *next;
} BlockCount;

// The same of all statements that have no name: of potential, when.
typedef struct WordBlocks {
  const char *word; // with the prefix of its part
  BlockCount *blocks;
} WordBlocks;

// The inputs of a block with memory are read last: they may depend on its own output.
typedef struct DeferredBlock {
  const Ast *a;
  const Binding *env;
  Scope *scope;
  uint32_t index; // of its state, memory, delay or friction
  void (*read)(Elab *e, const struct DeferredBlock *job);
  const char *name; // of the block
} DeferredBlock;

// Blocks: their names, and inputs that were not read yet.
typedef struct BlockState {
  VEC(DeferredBlock) deferred;
  uint32_t deferred_done;
  const char *owner; // of what is evaluated outside of declarations: a block whose inputs are read; NULL: a statement
  BlockCount *owner_blocks; // inside that block
  VEC(WordBlocks) words;    // of statements without a name, which own blocks
  const char *last_name;    // of the block that was evaluated last, where its states have made one; NULL: none
} BlockState;

// Energies with structure: which states have equations, by their index.
typedef struct PortState {
  struct PortFile *current; // that is read now
  bool *written, *assigned; // by an equation; by an event
} PortState;

struct Elab {
  Model *model;
  Arena *arena;
  ExprPool *pool;
  Diags *diags;
  const EvalCalls *calls;
  Names names;
  ElabLimits limits;
  EvalState eval;
  PartState parts;
  SettingState settings;
  VisitState visit;
  BlockState blocks;
  PortState ports;
  bool strict;             // a clash of units is an error
  const char *const *taps; // of ModelOptions
  size_t tap_count;
  struct Infer *infer;              // dimensions; NULL: there was an error
  struct MeasureReading *measuring; // a measure of a run is read (measures.c); NULL: none
};

// Counts work; false when there was too much of it, which is reported once.
bool elab_spend(Elab *e, Span span, uint64_t amount);
void elab_grant_element(Elab *e); // one more of a list: that much more is allowed
// Reports the limit that the expressions crossed, if they did.
void elab_report_limit(Elab *e, Span span);
// The name of an entry: tip.x tip.y (tip.z), of longer vectors tip[1], of matrices tip[1,2]; of a number its own.
const char *elab_entry_name(Elab *e, const char *name, const Value *v, uint32_t i);
const char *elab_written(Elab *e, Span span);       // an expression's own text as a name, without blanks
bool elab_is_lost(const Elab *e, const char *name); // declared in a line that could not be read, which was reported
const char *elab_file_beside(Elab *e, Span span, const char *path); // a path of the text at span; NULL: out of memory
// Reads a file that the model names; where it is confined, only from its folder.
char *elab_file_near(Elab *e, const char *path, size_t most, size_t *length, const char **why);
char *elab_file_head(Elab *e, const char *path, size_t most, size_t *length, const char **why); // its first bytes
void elab_add_coord(Elab *e, Decl *d); // the coordinate of a new declaration, into the model
void elab_add_state(Elab *e, Decl *d); // the same for a state
// Remembers where functions with corners came from.
void elab_note_place(Elab *e, ExprId id, const char *word, Span span);

#endif
