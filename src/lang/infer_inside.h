// Inside the inference of dimensions.
//
// A name without a unit is a variable. Every sum, comparison, energy, force, equation and function of a plain number
// gives an equation between products of powers of variables and base units: linear in the exponents, and solved one by
// one by exact elimination. An equation that cannot hold is a clash, and is reported if a unit that was written takes
// part in it; what follows from energies and time alone is no ground for a complaint,
// so a model without units is never warned of.
//
// A number without a unit fits any. As a term it is skipped. As a factor it leaves the dimension of the product as it
// is if it is the kind of number that formulas have (2, 1/2, 4*pi); any other one (0.1, 9.81, 20) may have a unit that
// was left out, so the product fits any.
// parts: infer_ops.c infer_linked.c infer_expr.c infer_decl.c infer_calls.c infer_rules.c
#ifndef VIVA_LANG_INFER_INSIDE_H
#define VIVA_LANG_INFER_INSIDE_H

#include "lang/infer.h"
#include "system/dimension.h"

typedef struct FormTerm {
  uint32_t var;
  Ratio power;
} FormTerm;

// base units times powers of variables, by their number
typedef struct Form {
  Dimension base;
  FormTerm *terms;
  uint32_t count;
  bool grounded; // a written unit is in it
} Form;

typedef enum DimKind {
  dim_any,    // fits any, also as a factor
  dim_number, // fits any as a term
  dim_form
} DimKind;

typedef struct Dim {
  DimKind kind;
  bool odd;    // of a number: no number of a formula
  bool scaled; // of a form: a number is a factor of it
  bool bare;   // the value of a function, its amplitude left out: fits any as a term, is plain as a factor
  Form form;
} Dim;

// What Value is to expressions.
typedef struct DimValue {
  ValueShape shape;
  uint32_t rows, cols;
  Dim scalar;
  Dim *items;
} DimValue;

typedef struct DimVar {
  const char *name; // NULL: not a name of the model
  const Form *form; // it equals this; NULL: it is not solved
  Span by;          // what decided it
  bool angle;       // it stands in a sine or cosine
} DimVar;

// Names inside a function, `sum` or `integral_of`.
typedef struct DimBinding {
  const char *name;
  DimValue value;
  const struct DimBinding *next;
} DimBinding;

typedef struct DimEnv {
  const DimBinding *dims; // innermost first
  const Binding *elab;    // the same for whole numbers, and the variables of `for` behind them
} DimEnv;

// A value with a unit of its own: looked at when everything is solved.
typedef struct DimDeferred {
  Dim inner;
  Unit unit;
  Span span;
} DimDeferred;

// Two things of one dimension that cannot be alike; no unit was known yet that shows it.
typedef struct DimEquation {
  Dim a, b;
  Span at, other;
  const char *why;
} DimEquation;

typedef struct Infer Infer;
typedef DimValue DimRule(Infer *f, const Ast *a, DimEnv env);

enum { infer_most_work = 4000000 }; // nodes and entries; more would take longer than evaluating them did

struct Infer {
  Elab *e;
  Arena *arena;
  Diags *diags; // of the model; those of the elaborator are quiet meanwhile
  VEC(DimVar) vars;
  VEC(DimValue) values; // of declarations
  VEC(DimDeferred) deferred;
  VEC(DimEquation) later; // clashes that no written unit takes part in so far
  uint32_t energy;        // the variable of all energies
  struct {
    Span span;
    Dim dim;
    bool power;
  } first;         // the first energy whose dimension is known
  bool quantities; // something besides coordinates and states has a unit: there is something to check them against
  bool said;       // a unit is written somewhere
  bool lenient;    // an equation: 2*x may have left out the unit of 2
  struct {
    const Stmt *statement;
    uint32_t count;
  } repeated; // a statement of nodes or bars, and how often it was looked at
  uint32_t depth;
  uint64_t work;
  bool cut;              // too large: the rest was not looked at
  DimRule *call, *apply; // f(x), inverse(f)(y): the way back to infer_calls.c
};

// forms (infer.c)
Form form_plain(void);
Form form_of_unit(const Unit *unit);
Form form_of_var(Infer *f, uint32_t var);
Form form_mul(Infer *f, Form a, Form b, Ratio power); // a * b^power
Form form_resolve(Infer *f, Form a);
uint32_t infer_var(Infer *f, const char *name);
Dim dim_of(Form form);
Dim dim_mechanical(int kilogram, int metre, int second); // kg^a m^b s^c
// A statement that repeats says the same about dimensions each time: were enough of its repetitions looked at? The
// first says that energies are in joule.
bool infer_is_enough(Infer *f, const Stmt *s);
Dim dim_wild(void);
Dim dim_literal(bool odd);
Dim dim_level(void); // a number that leaves out no unit as a factor: a function of time, 0, 1 and -1 of logic
bool dim_known(Infer *f, const Dim *d, Dimension *out);
// clash_later: no written unit takes part, but one may when more is solved
typedef enum Unified { unified, clash_ignored, clash_later, clash } Unified;
Unified infer_equal(Infer *f, Form a, Form b, Span by);
// a is an energy: only its own units count as written.
Unified infer_energy(Infer *f, Form a, Span by);

// Two things of one dimension; a clash is reported at `at`, with its reason. `other` is where b stands; nowhere: `why`
// says what b is ("a force on `x` is"). False: a clash.
bool infer_same(Infer *f, const Dim *a, Span at, const Dim *b, Span other, const char *why);
void infer_again(Infer *f); // clashes in which a written unit takes part now that everything is solved
void infer_reasons(Infer *f, const Dim *a, const Dim *b); // a hint: which names were inferred, and from where
const char *infer_words(Infer *f, const Dim *d);
const char *infer_quote(Infer *f, Span span); // its text in backticks, shortened

// expressions (infer_expr.c)
DimValue infer_expr(Infer *f, const Ast *a, DimEnv env);
Dim infer_scalar(Infer *f, const Ast *a, DimEnv env);
DimValue infer_unit(Infer *f, DimValue v, const Unit *unit, Span span);

// names of nodes, bars and springs (infer_linked.c)
DimValue infer_linked(Infer *f, const Decl *d);
DimValue infer_linked_field(Infer *f, const Decl *d, const char *field); // AB.force, upper.com; NULL: bodies.com

// calls (infer_calls.c) and the rules of words.def (infer_rules.c)
DimRule infer_call, infer_apply;
#define FUNCTION(word, least, most, shape, rule, picture, line) DimRule rule_##rule;
#define ELEMENTARY(word, least, most, rule, picture) DimRule rule_##rule;
#define BLOCK(word, least, most, rule, picture, line) DimRule rule_##rule;
#include "lang/words.def"

// declarations, and a value against what it is for (infer_decl.c)
typedef void TermVisit(Infer *f, const Dim *term, Span span, const void *context);
DimValue infer_decl(Infer *f, Decl *d);
void infer_begin(Infer *f, Decl *d); // before any statement
// The terms of a sum one by one, so that a clash names the term.
void infer_each_term(Infer *f, const Ast *a, DimEnv env, TermVisit *visit, const void *context);
// value [unit] for something of the dimension of the target. Numbers may have left out their units.
void infer_match(Infer *f, const Item *item, DimEnv env, Dim target, const char *words);
const char *infer_called(Infer *f, const char *name, uint32_t primes); // "`x'` is"

// While dimensions are found the elaborator is quiet, and its work is not counted.
void infer_quiet(Infer *f, Elab *e, Diags *silent, uint64_t *work, uint64_t *most);
void infer_loud(Infer *f, Elab *e, uint64_t work, uint64_t most);

static inline DimValue dim_value(Dim d) { return (DimValue){value_scalar, 1, 1, d, NULL}; }
static inline Dim dim_item(const DimValue *v, uint32_t i) { return v->shape == value_scalar ? v->scalar : v->items[i]; }

// what formulas do with dimensions, and names inside of them (infer_ops.c)
static inline uint32_t dims_count(const DimValue *v) { return v->rows * v->cols; }
DimValue dims_none(void); // bad
DimValue dims_any(void);
DimValue dims_new(Infer *f, ValueShape shape, uint32_t rows, uint32_t cols);
Dim dim_times(Infer *f, Dim a, Dim b, Ratio power); // a * b^power
Dim dim_raised(Infer *f, Dim a, Ratio power);
Dim dim_plus(Infer *f, Dim a, Span at_a, Dim b, Span at_b, const char *why); // two terms of one sum
Dim dim_rate(Infer *f, Dim a, int order);                                    // its time derivative; -1: its integral
void dim_plain(Infer *f, const Dim *d, Span span, const char *what);         // it must be a plain number
const DimBinding *infer_local(DimEnv env, const char *name);                 // NULL: none
bool infer_bind(Infer *f, DimEnv *env, const char *name, DimValue dims, Value value); // false: out of memory

#endif
