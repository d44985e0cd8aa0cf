// Port-Hamiltonian form of a run: workspaces and callbacks. A part of balance.h.
#include "sim/motion.h"

#include <string.h>

void gradient_cut(GradientRun *g, const SimProgram *p, Cutter *cutter) {
  if (!p->gradient) return;
  BLOCK_CUT(cutter, g->of_H, p->gradient->of_H->slot_count);
  BLOCK_CUT(cutter, g->of_structure, p->gradient->of_structure->slot_count);
  BLOCK_CUT(cutter, g->y, p->gradient->ports);
}

void gradient_prepare(Run *r) {
  const GradientPlan *g = r->p->gradient;
  if (!g) return;
  run_prepare(r, g->of_H, r->gradient.of_H);
  run_prepare(r, g->of_structure, r->gradient.of_structure);
}

static bool gradient_at(void *self, double t, const double *y, double *to) {
  Run *r = self;
  const GradientPlan *g = r->p->gradient;
  double sum = 0;
  run_eval_at(r, g->of_H, r->gradient.of_H, ode_seen(r->ode.breaks.after_start, r->ode.t0, t), y);
  for (uint32_t i = 0; i <= g->rows; i++) {
    to[i] = tape_result(g->of_H, r->gradient.of_H, i);
    sum += to[i] - to[i];
  }
  return sum == 0;
}

// x' = F e + E u; lost = e'R e + 2 e'P u + u'S u; supplied = u.(W e + S u). Other components as they are.
static bool rates_with(void *self, double t, const double *y, const double *e, double *dydt) {
  Run *r = self;
  const GradientPlan *g = r->p->gradient;
  double *w = r->gradient.of_structure, *out = r->gradient.y, lost = 0, supplied = 0;
  if (!(r->p->momenta ? momenta_rates : run_right_side)(r, t, y, dydt)) return false;
  run_eval_at(r, g->of_structure, w, ode_seen(r->ode.breaks.after_start, r->ode.t0, t), y);
  for (uint32_t i = 0; i < g->rows; i++) dydt[g->place[i]] = 0;
  memset(out, 0, g->ports * sizeof *out);
  for (uint32_t k = 0; k < g->entries.count; k++) {
    GradientEntry a = g->entries.items[k];
    double value = tape_result(g->of_structure, w, k);
    // an entry whose column or row is a port's takes its input
    double col_u = a.col < g->ports ? tape_result(g->of_structure, w, g->entries.count + a.col) : 0;
    double row_u = a.row < g->ports ? tape_result(g->of_structure, w, g->entries.count + a.row) : 0;
    switch (a.of) {
    case gradient_F: dydt[g->place[a.row]] += value * e[a.col]; break;
    case gradient_E: dydt[g->place[a.row]] += value * col_u; break;
    case gradient_W: out[a.row] += value * e[a.col]; break;
    case gradient_R: lost += value * e[a.row] * e[a.col]; break;
    case gradient_P: lost += 2 * value * e[a.row] * col_u; break;
    case gradient_S:
      lost += value * row_u * col_u;
      out[a.row] += value * col_u;
      break;
    }
  }
  for (uint32_t k = 0; k < g->ports; k++) supplied += out[k] * tape_result(g->of_structure, w, g->entries.count + k);
  dydt[r->p->y.count + flow_dissipated] = lost;
  dydt[r->p->y.count + flow_supplied] = supplied;
  double sum = lost - lost + supplied - supplied;
  for (uint32_t i = 0; i < g->rows; i++) sum += dydt[g->place[i]] - dydt[g->place[i]];
  return sum == 0;
}

static bool usable(void *self) { return momenta_usable(self); }

const OdeGradient *gradient_of(Run *r) {
  const GradientPlan *g = r->p->gradient;
  if (!g) return NULL;
  r->gradient.gradient = (OdeGradient){.count = g->rows,
                                       .gradient = gradient_at,
                                       .rates = rates_with,
                                       .entered = r->p->y.count + flow_supplied,
                                       .usable = usable};
  return &r->gradient.gradient;
}
