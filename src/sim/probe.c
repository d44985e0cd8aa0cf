// Evaluation of further expressions for messages. See probe.h.
//
// A probe works on a copy of the program's system, in the scratch memory of the run: the program stays as it is. An
// expression of the text is rewritten for events as those of the program were.
#include "sim/probe.h"

Probe *probe_open(Run *r) {
  Probe *p = arena_new_of(r->scratch, Probe);
  if (!p) return NULL;
  p->r = r;
  if (!system_clone(&p->s, &r->p->s, &p->pool, r->scratch)) return NULL;
  if (!r->p->events) return p;
  p->rewriting = rewrite_clone(r->scratch, r->p->events->rewriting, &p->s);
  return p->rewriting ? p : NULL;
}

ExprId probe_of(Probe *p, ExprId id) { return p->rewriting ? rewrite_of(p->rewriting, id) : id; }

const Tape *probe_tape(Probe *p, const ExprId *wanted, uint32_t count, bool origins, double **w) {
  Run *r = p->r;
  const Tape *tape = program_tape(r->scratch, r->p, &p->s, wanted, count, origins);
  *w = tape ? arena_array(r->scratch, tape->slot_count, sizeof **w) : NULL;
  if (!*w) return NULL;
  run_prepare(r, tape, *w);
  if (r->h) run_put_z(r, tape, *w);
  return tape;
}

Span probe_energy(Run *r, double t, const double *y, const char **what) {
  const System *m = &r->p->s;
  Probe *p = probe_open(r);
  ExprId *wanted = p ? arena_array(r->scratch, (size_t)m->energies.count + 1, sizeof *wanted) : NULL;
  for (uint32_t i = 0; wanted && i < m->energies.count; i++) wanted[i] = probe_of(p, m->energies.items[i].value);
  double *w = NULL;
  const Tape *tape = wanted ? probe_tape(p, wanted, m->energies.count, false, &w) : NULL;
  if (!tape) return (Span){0};
  run_eval_at(r, tape, w, t, y);
  for (uint32_t i = 0; i < m->energies.count; i++) {
    if (isfinite(tape_result(tape, w, i))) continue;
    TapeFault fault = tape_diagnose(tape, w);
    if (fault.found) *what = fault.what;
    return m->energies.items[i].span;
  }
  return (Span){0};
}
