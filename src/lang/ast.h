// Abstract syntax tree of the text: expressions and statements, each with its span in the text.
#ifndef VIVA_LANG_AST_H
#define VIVA_LANG_AST_H

#include "base/source.h"
#include "expr/rational.h"
#include "lang/words.h"
#include "system/tree.h"
#include "system/units.h"

typedef enum AstKind {
  ast_number,  // number, unit
  ast_name,    // name
  ast_string,  // name
  ast_sum,     // items with signs: ops[i] is '+' or '-'
  ast_product, // items: ops[i] is '*' or '/'
  ast_negate,
  ast_power,
  ast_prime,   // items[0], primes
  ast_call,    // name(items), with primes: gm'(i)
  ast_apply,   // items[0](items[1..])
  ast_index,   // items[0] is the name, items[1..] the indices
  ast_field,   // items[0].name
  ast_list,    // [a, b], unit
  ast_matrix,  // [a, b; c, d]: rows
  ast_bars,    // |a|
  ast_compare, // op
  ast_and,
  ast_or,
  ast_not
} AstKind;

typedef struct Ast {
  AstKind kind : 8;
  int op : 8; // a TokenKind
  Span span;
  const char *name;
  const Unit *unit; // NULL: none
  union {
    Rat number; // of ast_number, whose count is 0
    struct {
      struct Ast **items;
      char *ops;
    };
  };
  uint32_t count; // of items
  union {
    uint32_t primes; // of ast_prime, ast_call, ast_apply
    uint32_t rows;   // of ast_matrix
  };
} Ast;

// A part on the way to a name: the link[2] of link[2].th
typedef struct PathStep {
  const char *name;
  Ast *index; // NULL: none
} PathStep;

typedef VEC(const char *) ArgList;

// One declared thing: name[index]'' = value [unit] "note"
// `from a to b` behind a curve: where its axis begins and ends, in the unit of showing, or in units of their own.
typedef struct AxisLimits {
  Ast *from, *to;
  const Unit *from_unit, *to_unit;
  Span span;
} AxisLimits;

// The attributes behind the points of a shape: `size [1, 2] turned th color red`.
typedef enum ShapeClause {
  clause_size,
  clause_radius,
  clause_width,
  clause_turned,
  clause_coils,
  shape_clauses
} ShapeClause;
typedef struct ShapeLook {
  Ast *said[shape_clauses]; // NULL: not said
  uint32_t colour;          // see SystemShape
  const char *text;         // of `text`
} ShapeLook;

typedef struct Item {
  VEC(PathStep) path; // empty where the name stands alone
  const char *name;
  Span name_span, span;
  Ast *index; // NULL: none
  uint32_t primes;
  Ast *value;       // NULL: none
  const Unit *unit; // of the whole value; unit_unsaid where none is written
  const char *note;
  const AxisLimits *limits; // of a plot; NULL: none
  const ShapeLook *look;    // of the first point of a shape
  union {
    Ast *until;          // of a fit: where the range ends that starts at `value`; NULL: none
    const ArgList *args; // of a fun
  };
} Item;
// Has its second end the only unit of `a .. b [mm]`, which then is that of both?
static inline bool range_shares_unit(const Item *item) {
  return item->value->unit && item->value->unit == item->until->unit;
}

// `over i in 2 .. 5 at 0, 1, 5`: which index, which of its values, at which times.
typedef struct Over {
  const char *name;
  Ast *from, *to; // NULL: all there are
  VEC(Ast *) at;
  Span span, at_span;
} Over;

typedef struct ForClause {
  const char *name;
  Ast *from, *to;
  Span span;
} ForClause;

typedef struct Simulate {
  Ast *from, *to, *step, *every;
  const char *method;
  Span method_span;
} Simulate;

// What a fit compares: an expression with a column of the data.
typedef struct Measured {
  Ast *value;
  const char *column; // NULL: named as the expression is written
  Span span;          // of the column
  Ast *sd;            // NULL: not said
} Measured;

// What `simulate`, `case` and `fit` say beside their items.
typedef struct Study {
  Simulate simulate;
  VEC(Measured) measured;
  const char *in_case; // of a fit; NULL: none
  Span in_case_span;
} Study;

// What a statement of nodes, bars and springs says beside its name: the nodes that it joins, and its clauses.
typedef enum LinkClause {
  link_mass,
  link_length,
  link_stiffness,
  link_damping,
  link_force,
  link_angle,
  link_along,
  link_with,  // a bar
  link_fixed, // directions, in `fixed`
  link_on,    // two more ends
  link_clauses
} LinkClause;
enum { link_fixed_all = 7, link_ends_many = UINT32_MAX - 1 };
typedef struct Link {
  VEC(Ast *) ends;
  Ast *clause[link_clauses]; // NULL: not said
  uint8_t fixed;             // a bit for each direction: 1 x, 2 y, 4 z
} Link;

// What a statement of a body says beside its names: on what it hangs, by which joint, and its clauses.
typedef enum BodyClause {
  body_at,
  body_rotated,
  body_mass,
  body_com,
  body_inertia,
  body_box,
  body_sphere,
  body_cylinder,
  body_rod,
  body_clauses
} BodyClause;
typedef struct BodyForm {
  Ast *parent;
  TreeJoint joint;
  Span joint_span;
  Ast *axes[2];              // NULL: not said
  Ast *clause[body_clauses]; // NULL: not said
  bool about_origin;         // the inertia
} BodyForm;

typedef struct Stmt {
  StmtKind kind;
  bool broken;     // an error was reported inside: do not use it
  Span span, word; // the whole, and its first word
  VEC(Item) items;
  Ast *expr;
  Ast *against;        // of plot, and the right side of an equation
  const Item *axis;    // of plot: the unit and the limits of what it is plotted against; NULL: none are said
  bool x_log, y_log;   // of plot
  const Over *over;    // of plot and heat; NULL: none
  bool heat;           // of plot: it is a `heat`
  bool equal;          // of plot: a unit is as long in x as in y
  bool period, stop;   // of when: it is an `every`; it stops the run
  bool robot, limits;  // of use: it is a `robot`; the limits of its joints are stops
  const char *name;    // of a case, the text of a title, the path of a use or of the data of a fit
  Span name_span;      // of the path
  Study *study;        // of simulate, case and fit; NULL of others
  Link *link;          // of nodes, bars and springs; NULL of others
  BodyForm *body;      // of a body, whose name is the first item and the coordinates of its joint the others
  VEC(ForClause) fors; // the outermost first
} Stmt;

typedef struct Program {
  VEC(Stmt) statements;
  VEC(const char *) lost; // names in statements that could not be read: they may be declared there
} Program;

#endif
