// Inside the elaborator: names, and expressions of the text turned into values.
#ifndef VIVA_LANG_ELAB_H
#define VIVA_LANG_ELAB_H

#include "expr/calculus.h"
#include "expr/value.h"
#include "lang/model.h"

// A local name: an argument, the variable of `for`, `sum` or `integral_of`.
typedef struct Binding {
  const char *name;
  Value value;
  const struct Binding *next;
} Binding;

typedef enum DeclKind {
  decl_param,
  decl_coord,
  decl_state,
  decl_input,
  decl_let,
  decl_output,
  decl_fun,
  decl_part,
  decl_unknown
} DeclKind;
typedef enum DeclState { decl_new, decl_active, decl_done } DeclState;

enum {
  most_repetitions = 1000000, // of `for` and `sum`
  most_evaluations = 20000000 // of formulas, while a file is read
};

typedef struct Scope Scope;
typedef struct Setting Setting;

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

typedef struct Decl {
  DeclKind kind;
  DeclState state;
  const char *name; // with its parts and its index: hip.th[3]
  Scope *scope;     // the file it stands in
  const Item *item;
  const Binding *env;     // variables of `for`
  const Setting *changed; // by `with`, a case, --set or --input
  bool entries_changed;   // of a vector, one by one
  Span span;
  Scope *part;              // of a part: its names
  const Scope *start_by[2]; // who said where a coordinate starts: position, velocity
  uint32_t index;           // into the model's list of its kind
  Value value;
  SymbolId loop; // of a circle that was cut here
  bool structural;
  BlockCount *blocks; // in its text
  bool used;          // somewhere in the text
  Value known;        // the value where parameters count with theirs
  uint32_t dims;      // of its dimensions, index plus one (infer.h)
  uint32_t round;     // of the settings in which `known` was found; 0: not yet
} Decl;

// All of a family th[1] .. th[n] that were declared with an index.
typedef struct Family {
  const char *name;
  int64_t least, most;
} Family;

// The names of one file: of the model itself, or of a part. In the table a name has the prefix before it.
struct Scope {
  const char *prefix; // "" or "hip."
  size_t prefix_length;
  const Scope *outer; // NULL: the model itself
  const Program *program;
  uint32_t source;
  uint32_t depth; // parts around it
  VEC(Family) families;
};

// A new text for a parameter, an input or a starting value.
struct Setting {
  const Item *item;
  const char *name; // with its index, as `names` knows it; NULL: reported
  Scope *names;     // where the name is looked up
  Scope *scope;     // where the value is read
  const Binding *env;
  uint32_t rank;      // of two for the same name the higher one counts
  bool with, input;   // by the user of a part; by --input
  bool varied;        // chosen from a list
  bool done;          // what it names was found
  const Decl *vector; // it is an entry of this one
};

typedef VEC(const char *) NameList;

// The inputs of a block with memory are read later: they may depend on its own output.
typedef struct Later {
  const Ast *a;
  const Binding *env;
  Scope *scope;
  uint32_t index; // of its state, memory, delay or friction
  void (*read)(struct Elab *e, const struct Later *job);
  const char *name; // of the block
} Later;

typedef struct Elab {
  Model *model;
  Arena *arena;
  ExprPool *pool;
  Diags *diags;
  VEC(Decl *) decls; // in order of declaration
  Decl **table;      // by name
  uint32_t table_size;
  Scope *scope;        // where names are looked up now
  VEC(Scope *) scopes; // the model itself first, a part after its user
  VEC(uint32_t) files; // sources of parts, one a file
  bool confined;       // they lie in the model's folder
  VEC(Setting *) settings;
  bool unread;        // a part could not be read, or the settings make no sense: go no further
  NameList *plain;    // vectors in repeated parts, found where a list seemed to ask for a family: read once more
  bool full;          // there are too many parts
  VEC(Decl *) active; // being evaluated, outermost first
  uint32_t constant;  // > 0: parameters count with their values
  uint32_t round;     // grows when settings change what names mean
  uint32_t depth;
  uint64_t work, most_work; // evaluations so far, and how many there may be
  bool exhausted;           // one of the limits of the whole file was crossed, and reported
  VEC(Later) later;         // blocks whose inputs were not read yet
  uint32_t later_done;
  const char *owner; // of what is evaluated outside of declarations: a block whose inputs are read; NULL: a statement
  BlockCount *owner_blocks; // inside that block
  const Stmt *statement;    // that is evaluated, and which of its items
  const Item *item;
  const Binding *statement_env;
  VEC(WordBlocks) words;  // of statements without a name, which own blocks
  const char *block_name; // of the block that was evaluated last, where its states have made one; NULL: none
  bool no_blocks;         // in a text that is no model
  bool keep_parts; // every value on the way goes into `parts`: simplified, sqrt(x)^2 has values where it has none
  VEC(ExprId) parts;
  bool strict;                     // a clash of units is an error
  struct Infer *infer;             // dimensions; NULL: there was an error
  SymbolId bound[bound_outermost]; // variables of integrals, by nesting
  uint32_t bound_depth;
} Elab;

// names
Scope *scope_enter(Elab *e, Scope *scope);        // returns the one before
Decl *decl_find(const Elab *e, const char *name); // in the present scope; hip.th and link[2].th are found, too
Decl *decl_find_in(const Elab *e, const Scope *scope, const char *name);
Family *family_find(const Scope *scope, const char *name);
Decl *decl_add(Elab *e, DeclKind kind, const char *name, const Item *item, const Binding *env);
const char *decl_word(DeclKind kind);                      // "a parameter"
const char *decl_place(Elab *e, const Decl *d, Span from); // "line 3", "motor.viva:3"
const char *name_nearest(Elab *e, const char *name);
const char *name_nearest_in(Elab *e, const Scope *scope, const char *name, unsigned kinds); // kinds: 1u << decl_...
bool is_builtin(const char *name);
uint32_t builtin_names(const char *const **names);

// evaluation; errors are reported and give a bad value
Value eval(Elab *e, const Ast *a, const Binding *env);
Value eval_call(Elab *e, const Ast *a, const Binding *env);
Value eval_apply(Elab *e, const Ast *a, const Binding *env);
Value eval_decl(Elab *e, Decl *d, Span use);
ExprId eval_scalar(Elab *e, const Ast *a, const Binding *env, const char *what); // 0: reported
bool eval_integer(Elab *e, const Ast *a, const Binding *env, const char *what, int64_t *value);
// Counts work; false when there was too much of it, which is reported once.
bool spend(Elab *e, Span span, uint64_t amount);
// Reports the limit that the expressions crossed, if they did.
void report_limit(Elab *e, Span span);
Value apply_unit(Elab *e, Value v, const Unit *unit);
const char *indexed_name(Elab *e, const char *name, const Ast *index, const Binding *env); // NULL: reported
// Reads a table's text: the column over the first one. False: reported, or memory is out.
bool table_read(Arena *arena, Diags *diags, ModelTable *t, const char *data, size_t length, const char *path,
                const char *column, Span span);
const char *written_text(Elab *e, Span span);                  // an expression's own text as a name, without blanks
const char *file_beside(Elab *e, Span span, const char *path); // a path of the text at span; NULL: memory is out
// Reads a file that the model names; where it is confined, only from its folder.
char *file_near(Elab *e, const char *path, size_t most, size_t *length, const char **why);

// blocks
bool is_block(const char *name);
const char *block_name_at(uint32_t i); // NULL: no more
Value eval_block(Elab *e, const Ast *a, const Binding *env);
void read_later(Elab *e); // reads the inputs of blocks with memory
// Remembers where functions with corners came from.
void note_place(Elab *e, ExprId id, const char *word, Span span);
bool time_derivatives(Elab *e, ExprId *ids, uint32_t count, Span span); // in place; false: reported

// parts
typedef enum PathState { path_other, path_found, path_bad } PathState; // bad: reported
// What a name, th[3], hip.th or link[2].th stands for; other: it is no such thing, or a local name.
PathState path_find(Elab *e, const Ast *a, const Binding *env, Decl **decl);
const char *path_name(Elab *e, const Ast *a, const Binding *env);              // as in tables; NULL: not a name
uint32_t table_load(Elab *e, const char *path, const char *column, Span span); // index + 1; 0: reported

// ---- statements

typedef void Visit(Elab *e, const Stmt *s, const Binding *env);
// The statements of one kind, in the model and all of its parts.
void visit_all(Elab *e, StmtKind kind, Visit *visit);

// settings: changes by `with`, a case, --set and --input
void settings_collect(Elab *e, const ModelOptions *options);
void settings_with(Elab *e, const Stmt *use, const Binding *env, Scope *part);
void settings_step(Elab *e, bool final); // final: what names nothing is reported
void settings_entries(Elab *e);
void settings_starts(Elab *e);
void settings_varied(Elab *e);
void settings_override(Elab *e, const Decl *d, Value *v); // entries of a vector whose value is needed now
void case_check(Elab *e, const Stmt *s);
void unknown_setting(Elab *e, const Item *item, const char *name);

// The coordinate or state whose start an item gives; NULL: none
Decl *find_start(Elab *e, const Item *item, const char *name);
const char *full_name(Elab *e, const Item *item, const Binding *env); // NULL: reported

// given: starting values, inputs, parameters
bool only_params(Elab *e, ExprId id, Span span, const char *what);
// A value of numbers and parameters; 0: reported
ExprId constant_value(Elab *e, const Item *item, const Binding *env, const char *what);
void set_start(Elab *e, const Item *item, const char *name, const Binding *env, bool again);
void declared_starts(Elab *e);
void input_values(Elab *e);
void input_circles(Elab *e);
void all_params(Elab *e);

// contents
Visit visit_init, visit_use, visit_energy, visit_force, visit_equation, visit_output, visit_when;
void declare_names(Elab *e, Scope *scope, int pass); // 0: what is known at once, 1: what a range or an index decides
// units: of its entries, for an output; NULL: it is none
void put_named(Elab *e, const char *name, const Value *v, Unit unit, Span span, const char *const *units);

// infer: dimensions (infer.h)
void infer_model(Elab *e); // from declarations, energies, forces and equations
// The SI units of what is shown: an expression, or a declared name. count texts: "": a plain number, NULL: not known.
const char **infer_shown(Elab *e, const Ast *a, Decl *d, const Binding *env, uint32_t count);
void infer_finish(Elab *e); // into the model

// implicit: algebraic unknowns
Visit visit_implicit;
bool declare_unknown(Elab *e, const char *name, Span span, Unit unit, const char *chain, uint32_t *index);
const char *circle_text(Elab *e, const Decl *d, Span use); // the circle that a use of d closes, in words
Value loop_enter(Elab *e, Decl *d, Span use);              // d is used inside its own definition
Value loop_close(Elab *e, Decl *d, Value v);               // its definition is read
void unknown_guesses(Elab *e);

// shown
Visit visit_plot, visit_draw;

#endif
