// Inside the elaborator: names, and expressions of the text turned into values.
#ifndef VIVA_LANG_ELAB_H
#define VIVA_LANG_ELAB_H

#include "lang/model.h"
#include "lang/value.h"

// A local name: an argument, the variable of `for`, `sum` or `integral_of`.
typedef struct Binding {
  const char *name;
  Value value;
  const struct Binding *next;
} Binding;

typedef enum DeclKind { decl_param, decl_coord, decl_state, decl_input, decl_let, decl_output, decl_fun } DeclKind;
typedef enum DeclState { decl_new, decl_active, decl_done } DeclState;

typedef struct Decl {
  DeclKind kind;
  DeclState state;
  const char *name; // with its index: th[3]
  const Item *item;
  const Item *changed; // by a case, --set or --input
  const Binding *env;  // variables of `for`
  Span span;
  uint32_t index; // into the model's list of its kind
  Value value;
  bool structural;
} Decl;

// All of a family th[1] .. th[n] that were declared with an index.
typedef struct Family {
  const char *name;
  int64_t least, most;
} Family;

typedef struct Elab {
  Model *model;
  Arena *arena;
  ExprPool *pool;
  Diags *diags;
  VEC(Decl *) decls; // in order of declaration
  Decl **table;      // by name
  uint32_t table_size;
  VEC(Family) families;
  VEC(Decl *) active; // being evaluated, outermost first
  uint32_t constant;  // > 0: parameters count with their values
  uint32_t depth;
  SymbolId bound[16]; // variables of integrals, by nesting
  uint32_t bound_depth;
} Elab;

// names
Decl *decl_find(const Elab *e, const char *name);
Decl *decl_add(Elab *e, DeclKind kind, const char *name, const Item *item, const Binding *env);
const char *decl_word(DeclKind kind); // "a parameter"
const char *name_nearest(Elab *e, const char *name);
bool is_builtin(const char *name);
uint32_t builtin_names(const char *const **names);

// evaluation; errors are reported and give a bad value
Value eval(Elab *e, const Ast *a, const Binding *env);
Value eval_call(Elab *e, const Ast *a, const Binding *env);
Value eval_apply(Elab *e, const Ast *a, const Binding *env);
Value eval_decl(Elab *e, Decl *d, Span use);
ExprId eval_scalar(Elab *e, const Ast *a, const Binding *env, const char *what); // 0: reported
bool eval_integer(Elab *e, const Ast *a, const Binding *env, const char *what, int64_t *value);
Value apply_unit(Elab *e, Value v, const Unit *unit);
ExprId time_derivative(Elab *e, ExprId id, Span span); // 0: reported
const char *indexed_name(Elab *e, const char *name, const Ast *index, const Binding *env); // NULL: reported
const char *written_text(Elab *e, Span span); // an expression's own text as a name, without blanks
void visit_plot(Elab *e, const Stmt *s, const Binding *env);
void visit_draw(Elab *e, const Stmt *s, const Binding *env);
uint32_t table_load(Elab *e, const char *path, const char *column, Span span); // index + 1; 0: reported

#endif
