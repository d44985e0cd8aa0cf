// The system of a run that switches: every function with a corner or jump that depends on the state gets a mode.
//
// in    a System with a pool of its own, values of the parameters
// out   the same System as it was before its order, its expressions rewritten: event_order.h orders it;
//       modes with their guards; rules of memories, conditions and values of `when`, inputs of delays and checks,
//       rewritten as well
//
// At an operating point (linear models, equilibria) the equations keep their corners: there only what jumps with
// velocities, states or multipliers has a mode, because that may stick. Rules and conditions are as in a run. Stepwise,
// for runs without events (--no-events), every function stays as it is and has no mode, but for those of unknowns: on
// each choice of branches an algebraic loop is another one.
#ifndef VIVA_HYBRID_REWRITE_H
#define VIVA_HYBRID_REWRITE_H

#include "hybrid/modes.h"
#include "tape/tape.h"

// What expressions are rewritten for.
typedef enum RewritePoint {
  rewrite_motion, // of a run
  rewrite_point,  // an operating point
  rewrite_rest    // where all rests: a delayed signal is what it delays
} RewritePoint;

typedef struct Rewriting {
  Arena *arena;
  System *s; // its expressions are rewritten
  bool stepwise;
  RewritePoint point;
  uint32_t known;  // modes that further expressions may read: all of a run, at a point those of the equations
  uint32_t acting; // modes of the equations: the first ones
  VEC(SwitchMode) modes;
  // rewritten, one an item of the model
  ExprId *rules, *starts, *conditions, *inputs, *checks;
  ExprId **values;      // of the assignments of each `when`
  double *delay_times;  // by the values of the parameters: a delay without length is its input
  uint32_t delay_count; // of the model; more stand behind them
  ExprId *delay_shapes; // by delay of the model: f of delayed symbols that it stands for; 0: none
  const Tape *times;    // no variables; results: the dead times of the delays; NULL: no delays
  const char *failure;  // why it cannot be; NULL
  Span failure_place;
  ExprList originals; // expressions as they were, whose breaks in time are looked for
  bool timed;         // functions of time have modes, too: something reads them at an instant
  bool corners;       // a constraint has other rates from branch to branch
  // the work itself
  bool frozen, missing; // all modes are known; one was asked for that is not there
  bool jumps;           // the function that is made smooth now jumps
  ExprId of;            // see SwitchMode
  bool in_rules;        // a rule or condition is rewritten now
  ExprId *map;          // by expression: what it became; 0: not yet
  uint32_t map_size;
  ExprId *rule_map; // the same for rules and conditions
  uint32_t rule_map_size;
  uint32_t *mode_table, mode_table_size; // by kind and g
  Span reported;                         // of the block whose rule is rewritten now
  bool image;                            // the f of a delay_shape is rewritten now
  bool *opened;                          // by delay: it has no length, and its input is rewritten now
  uint32_t *placed, placed_size;         // index into the model's spans plus one, by expression
} Rewriting;

void rewrite_roots(const System *s, Arena *arena, ExprList *roots); // all expressions of the equations of motion

// Does the model have memories, delays, friction, `when`, checks, or functions with corners or jumps?
bool rewrite_needed(System *s);
bool rewrite_remembers(const System *s); // also without events: memories, delays, friction, `when` or checks
// False: out of memory, or w->failure.
bool rewrite_system(Rewriting *w, System *s, const double *params, bool stepwise);
// The same at a point; parameters may be without values.
bool rewrite_at_point(Rewriting *w, System *s, bool rest);
ExprId rewrite_of(Rewriting *w, ExprId id); // any further expression; 0: out of memory
// The same for all expressions that are equal but for a number; side: the sign of that number. 0: out of memory.
ExprId rewrite_form(ExprPool *p, ExprId id, int8_t *side);
// For work on a copy of the system after all is built. NULL: out of memory.
Rewriting *rewrite_clone(Arena *arena, const Rewriting *w, System *s);

#endif
