// The static equilibrium of a structure as text or JSON.
//
// in    a linkage, what statics/balance.h found; of a comparison what each method came to
// out   positions, forces with their signs, reactions, verdict with lowest-stiffness directions, remarks; a table
//       of methods
#include "show/structure.h"

#include "show/json.h"

#include <math.h>
#include <string.h>

enum { most_shown = 40 }; // of nodes, bars, springs in text; JSON has all

const char *structure_method_word(BalanceMethod method) {
  static const char *const words[] = {"auto",       "lagrange",   "penalty",      "stiffness",
                                      "alm-direct", "alm-linear", "alm-quadratic"};
  return words[method];
}

const char *structure_verdict_word(BalanceVerdict verdict) {
  static const char *const words[] = {"not judged", "stable", "unstable", "singular", "mechanism"};
  return words[verdict];
}

static const char *status_word(BalanceStatus status) {
  switch (status) {
  case balance_found: return "found";
  case balance_not_converged: return "no convergence";
  case balance_diverged: return "diverged";
  case balance_singular_matrix: return "singular matrix";
  case balance_infeasible: return "lengths contradict";
  case balance_unbounded: return "unbounded";
  case balance_no_stiffness: return "needs springs";
  default: return "stopped";
  }
}

static double without(double x, double rounding) { return fabs(x) <= rounding ? 0 : x; }
static const double lost = 1e-12;
double structure_plain_length(const BalanceResult *b, double x) { return without(x, lost * b->extent); }
double structure_plain_force(const BalanceResult *b, double x) { return without(x, lost * b->largest_force); }
double structure_plain_moment(const BalanceResult *b, double x) {
  return without(x, lost * b->largest_force * b->extent);
}
static double plain(double x) { return without(x, 1e-9); } // of what is 1 at most: entries of directions

static void text_vector(Text *out, const BalanceResult *b, const double *x, bool force) {
  text_put(out, "[");
  for (uint32_t i = 0; i < b->dim; i++) {
    text_printf(out, "%s%.9g", i ? ", " : "", force ? structure_plain_force(b, x[i]) : structure_plain_length(b, x[i]));
  }
  text_put(out, "]");
}

// ---- what went wrong

static const char *worst_bars(Arena *arena, const BarsReport *r) {
  enum { most_named = 8 };
  const Linkage *l = &r->system->linkage;
  Text t = text_in(arena);
  uint32_t named = 0;
  for (uint32_t i = 0; i < r->result.note_count; i++) {
    const BalanceNote *n = &r->result.notes[i];
    const char *comma = t.length ? ", " : "";
    named += n->kind >= balance_note_contradicts && n->kind <= balance_note_contradicts_slider;
    if (named > most_named) {
      text_put(&t, ", and others");
      break;
    }
    if (n->kind == balance_note_contradicts)
      text_printf(&t, "%sbar %s would have to be %.4g m %s", comma, l->bars.items[n->index].name, fabs(n->value),
                  n->value > 0 ? "longer" : "shorter");
    if (n->kind == balance_note_contradicts_body) text_printf(&t, "%srigid %s", comma, l->rigids.items[n->index].name);
    if (n->kind == balance_note_contradicts_slider)
      text_printf(&t, "%sthe slider of %s", comma, l->nodes.items[l->sliders.items[n->index].node].name);
  }
  return t.length ? text_str(&t) : NULL;
}

// The first part that cannot be what it should.
static Span contradiction_place(const BarsReport *r) {
  const Linkage *l = &r->system->linkage;
  for (uint32_t i = 0; i < r->result.note_count; i++) {
    const BalanceNote *n = &r->result.notes[i];
    if (n->kind == balance_note_contradicts) return l->bars.items[n->index].span;
    if (n->kind == balance_note_contradicts_body) return l->rigids.items[n->index].span;
    if (n->kind == balance_note_contradicts_slider) return l->sliders.items[n->index].span;
  }
  return (Span){0};
}

static Diag contradiction(Arena *arena, const BarsReport *r) {
  const char *bars = worst_bars(arena, r);
  return (Diag){.span = contradiction_place(r),
                .message = arena_printf(arena, "the lengths contradict each other: no places have them all%s%s",
                                        bars ? "; " : "", bars ? bars : "")};
}

// The node that goes furthest, and where to.
static Diag fall(Arena *arena, const BarsReport *r) {
  const BalanceResult *b = &r->result;
  uint32_t most = 0;
  double furthest = 0;
  for (uint32_t i = 0; i < b->nodes; i++) {
    double sum = 0;
    for (uint32_t k = 0; k < b->dim; k++) sum += pow(b->direction[(size_t)i * b->dim + k], 2);
    if (!(sum > furthest)) continue;
    furthest = sum;
    most = i;
  }
  const LinkageNode *node = &r->system->linkage.nodes.items[most];
  Text way = text_in(arena);
  for (uint32_t k = 0; k < b->dim; k++)
    text_printf(&way, "%s%.3g", k ? ", " : "", plain(b->direction[(size_t)most * b->dim + k]));
  return (Diag){.span = node->span,
                .message =
                    arena_printf(arena,
                                 "there is no equilibrium: the potential falls without bound while %s goes along "
                                 "[%s]",
                                 node->name, text_str(&way)),
                .hint = "nothing holds it there: a bar, a spring or `fixed` would"};
}

static Diag no_convergence(Arena *arena, const BarsReport *r) {
  const BalanceResult *b = &r->result;
  const Linkage *l = &r->system->linkage;
  bool known = b->worst_node < l->nodes.count; // else it is a point on a moving line
  const char *method = structure_method_word(r->method);
  return (Diag){
      .span = known ? l->nodes.items[b->worst_node].span : (Span){0},
      .message = arena_printf(arena,
                              "%s did not converge in %u iterations: at node %s a force of %.4g N is left, and lengths "
                              "are off by up to %.2g m",
                              method, b->iterations, known ? l->nodes.items[b->worst_node].name : "that slides",
                              b->force_residue, b->length_residue),
      .hint = r->method == balance_auto ? "`--at B.x=1,...` starts elsewhere"
                                        : "`--method auto` goes downhill; `--max N` lets this one go on"};
}

Diag structure_failure(Arena *arena, const BarsReport *r) {
  const BalanceResult *b = &r->result;
  const char *method = structure_method_word(r->method), *message = NULL;
  switch (b->status) {
  case balance_not_converged: return no_convergence(arena, r);
  case balance_infeasible: return contradiction(arena, r);
  case balance_unbounded: return fall(arena, r);
  case balance_diverged: message = arena_printf(arena, "%s diverges after %u iterations", method, b->iterations); break;
  case balance_singular_matrix:
    message = arena_printf(arena, "%s: the linear system of iteration %u has no solution", method, b->iterations + 1);
    break;
  case balance_no_stiffness:
    message = arena_printf(arena, "%s weighs bars by the stiffness of springs, sum(s)/2r, and %s: (39) is undefined",
                           method, r->system->linkage.springs.count ? "that is not above 0" : "there are none");
    break;
  case balance_no_module: message = "structures need libviva-solvers.so beside the library"; break;
  default: break;
  }
  bool springs = b->status == balance_no_stiffness;
  return (Diag){.message = message, .hint = springs ? "`--method auto` and `lagrange` need no springs" : NULL};
}

// ---- text

static void text_nodes(const BarsReport *r, Text *out) {
  const Linkage *l = &r->system->linkage;
  const BalanceResult *b = &r->result;
  text_put(out, "Nodes\n");
  for (uint32_t i = 0; i < b->nodes && i < most_shown; i++) {
    bool fixed = b->supported[i];
    text_printf(out, "  %-8s ", l->nodes.items[i].name);
    text_vector(out, b, b->x + (size_t)i * b->dim, false);
    text_put(out, " m");
    if (fixed) text_put(out, ", reaction ");
    if (fixed) text_vector(out, b, b->reaction + (size_t)i * b->dim, true);
    text_put(out, fixed ? " N\n" : "\n");
  }
  if (b->nodes > most_shown) text_printf(out, "  ... %u nodes in all\n", b->nodes);
}

static void text_parts(const BarsReport *r, Text *out) {
  const Linkage *l = &r->system->linkage;
  const BalanceResult *b = &r->result;
  if (l->bars.count) text_put(out, "\nBars (tension is positive)\n");
  for (uint32_t i = 0; i < l->bars.count && i < most_shown; i++)
    text_printf(out, "  %-8s %.9g N\n", l->bars.items[i].name, structure_plain_force(b, b->bar_force[i]));
  if (l->bars.count > most_shown) text_printf(out, "  ... %u bars in all\n", l->bars.count);
  if (l->springs.count) text_put(out, "\nSprings\n");
  for (uint32_t i = 0; i < l->springs.count && i < most_shown; i++)
    text_printf(out, "  %-8s %.9g N, %.9g m long%s\n", l->springs.items[i].name,
                structure_plain_force(b, b->spring_force[i]), b->spring_length[i],
                l->springs.items[i].cable && b->spring_force[i] == 0 ? ", slack" : "");
  if (l->springs.count > most_shown) text_printf(out, "  ... %u springs in all\n", l->springs.count);
  for (uint32_t i = 0, shown = 0; i < l->sliders.count && shown < most_shown; i++) {
    const LinkageSlider *x = &l->sliders.items[i];
    if (x->c == linkage_none) continue; // a support: among the reactions
    text_printf(out, "%s  %-8s ", shown++ ? "" : "\nSliders (force on the node)\n", l->nodes.items[x->node].name);
    text_vector(out, b, b->slider_force + (size_t)i * b->dim, true);
    text_put(out, " N\n");
  }
  if (l->torsions.count) text_put(out, "\nTorsion springs\n");
  for (uint32_t i = 0; i < l->torsions.count && i < most_shown; i++)
    text_printf(out, "  at %-5s %.9g N m, turned to %.9g rad\n", l->nodes.items[l->torsions.items[i].b].name,
                structure_plain_moment(b, b->torsion_moment[i]), b->torsion_angle[i]);
}

static double displacement(const BalanceResult *b, const BalanceMotion *m, uint32_t node) {
  double most = 0;
  for (uint32_t k = 0; k < b->dim; k++) most = fmax(most, fabs(m->motion[(size_t)node * b->dim + k]));
  return most;
}

// The nodes that move most, in their order.
static void text_motion(const BarsReport *r, const BalanceMotion *m, Text *out) {
  enum { most_nodes = 6 };
  const Linkage *l = &r->system->linkage;
  const BalanceResult *b = &r->result;
  uint32_t nodes[most_nodes], count = 0;
  for (uint32_t i = 0; i < b->nodes; i++) {
    double by = displacement(b, m, i);
    uint32_t least = 0;
    for (uint32_t k = 1; k < count; k++) {
      if (displacement(b, m, nodes[k]) < displacement(b, m, nodes[least])) least = k;
    }
    if (by < 0.05 || (count == most_nodes && by <= displacement(b, m, nodes[least]))) continue;
    if (count == most_nodes) memmove(&nodes[least], &nodes[least + 1], (--count - least) * sizeof *nodes);
    nodes[count++] = i;
  }
  for (uint32_t i = 0; i < count; i++) {
    text_printf(out, "%s%s by [", i ? ", " : "", l->nodes.items[nodes[i]].name);
    for (uint32_t k = 0; k < b->dim; k++)
      text_printf(out, "%s%.3g", k ? ", " : "", plain(m->motion[(size_t)nodes[i] * b->dim + k]));
    text_put(out, "]");
  }
}

static void text_axis(Text *out, const double *v, uint32_t dim) {
  text_put(out, "[");
  for (uint32_t i = 0; i < dim; i++) text_printf(out, "%s%.4g", i ? ", " : "", plain(v[i]));
  text_put(out, "]");
}

// The structure moves as a whole.
static void text_whole(const BalanceMotion *m, uint32_t dim, Text *out) {
  bool along = !m->turns;
  for (uint32_t i = 0; i < 3; i++) along = along || fabs(m->along[i]) > 1e-9;
  text_printf(out, "  as a whole it can be %s", m->turns ? "turned about " : "moved ");
  if (m->turns && dim == 3) {
    text_axis(out, m->turn, 3);
    text_put(out, " through ");
  }
  if (m->turns) text_axis(out, m->about, dim);
  if (along) text_put(out, m->turns ? ", going along " : "along ");
  if (along) text_axis(out, m->along, dim);
  text_put(out, "\n");
}

static void text_verdict(const BarsReport *r, Text *out) {
  static const char *const meaning[] = {"the best place that was found, and no equilibrium",
                                        "a minimum of the potential", "the potential falls along a direction",
                                        "directions without stiffness that are no motion",
                                        "it can be moved without any force"};
  const BalanceResult *b = &r->result;
  text_printf(out, "\nVerdict\n  %s: %s\n", structure_verdict_word(b->verdict), meaning[b->verdict]);
  if (b->verdict == balance_stable && b->unknowns && !b->motion_count)
    text_put(out, "  nothing may move: bars and supports hold every node\n");
  for (uint32_t i = 0, others = 0; i < b->motion_count && others < 6; i++) {
    const BalanceMotion *m = &b->motions[i];
    if (m->whole) {
      text_whole(m, b->dim, out);
      continue;
    }
    others++;
    text_printf(out, "  %s: ", m->stiffness > 0 ? "softest" : m->stiffness < 0 ? "falls along" : "moves along");
    text_motion(r, m, out);
    if (m->stiffness != 0) text_printf(out, " (%.6g N/m)", m->stiffness);
    text_put(out, "\n");
  }
  text_printf(out,
              "  potential: %.9g J\n  %s: %u iteration%s; largest force left: %.2g N; largest error of a length: "
              "%.2g m\n",
              b->potential, structure_method_word(r->method), b->iterations, b->iterations == 1 ? "" : "s",
              b->force_residue, b->length_residue);
  if (b->position_error > 0)
    text_printf(out, "  bars that are only stiff leave the places off by up to %.2g m\n", b->position_error);
}

static void text_notes(const BarsReport *r, Text *out) {
  const Linkage *l = &r->system->linkage;
  for (uint32_t i = 0; i < r->result.note_count; i++) {
    const BalanceNote *n = &r->result.notes[i];
    const char *head = i ? "" : "\n";
    switch (n->kind) {
    case balance_note_redundant:
      text_printf(out, "%sNote: bar %s is redundant: its force is not unique\n", head, l->bars.items[n->index].name);
      break;
    case balance_note_redundant_body:
      text_printf(out, "%sNote: rigid %s is redundant: its forces are not unique\n", head,
                  l->rigids.items[n->index].name);
      break;
    case balance_note_slack:
      text_printf(out, "%sNote: cable %s is slack\n", head, l->springs.items[n->index].name);
      break;
    case balance_note_load_on_fixed:
      text_printf(out, "%sNote: the load on %s, which is fixed, goes into its reaction\n", head,
                  l->nodes.items[n->index].name);
      break;
    case balance_note_follows:
      text_printf(out, "%sNote: loads that follow bars have no potential: the verdict is that of dead loads\n", head);
      break;
    default: break;
    }
  }
}

static void text_trials(const BarsReport *r, Text *out) {
  text_put(out, "Methods\n  method         iterations  evaluations  time       force left  lengths off  ends\n");
  for (uint32_t i = 0; i < r->trials.count; i++) {
    const BarsTrial *t = &r->trials.items[i];
    const BalanceResult *b = &t->result;
    text_printf(out, "  %-13s  %10u  %11u  %7.3g ms  %8.1e N  %9.1e m  ", structure_method_word(t->method),
                b->iterations, b->evaluations, 1e3 * t->seconds, b->force_residue, b->length_residue);
    text_printf(out, "%s\n", b->status == balance_found ? structure_verdict_word(b->verdict) : status_word(b->status));
  }
  text_put(out, "\n");
}

static void text_document(const BarsReport *r, Text *out) {
  if (r->system->title) text_printf(out, "%s\n\n", r->system->title);
  if (r->trials.count) text_trials(r, out);
  text_nodes(r, out);
  text_parts(r, out);
  text_verdict(r, out);
  text_notes(r, out);
}

// ---- JSON

static void json_vector(Json *j, const char *key, const double *x, uint32_t count) {
  json_open(j, key, '[');
  for (uint32_t i = 0; i < count; i++) json_number(j, NULL, x[i]);
  json_close(j, ']');
}

static void json_places(const BarsReport *r, Json *j) {
  const Linkage *l = &r->system->linkage;
  const BalanceResult *b = &r->result;
  json_open(j, "nodes", '{');
  for (uint32_t i = 0; i < b->nodes; i++) json_vector(j, l->nodes.items[i].name, b->x + (size_t)i * b->dim, b->dim);
  json_close(j, '}');
  json_open(j, "reactions", '{');
  for (uint32_t i = 0; i < b->nodes; i++) {
    if (b->supported[i]) json_vector(j, l->nodes.items[i].name, b->reaction + (size_t)i * b->dim, b->dim);
  }
  json_close(j, '}');
}

static void json_forces(const BarsReport *r, Json *j) {
  const Linkage *l = &r->system->linkage;
  const BalanceResult *b = &r->result;
  json_open(j, "bars", '{');
  for (uint32_t i = 0; i < l->bars.count; i++) {
    json_open(j, l->bars.items[i].name, '{');
    json_number(j, "force", b->bar_force[i]);
    json_close(j, '}');
  }
  json_close(j, '}');
  json_open(j, "springs", '{');
  for (uint32_t i = 0; i < l->springs.count; i++) {
    json_open(j, l->springs.items[i].name, '{');
    json_number(j, "force", b->spring_force[i]);
    json_number(j, "length", b->spring_length[i]);
    json_close(j, '}');
  }
  json_close(j, '}');
  json_open(j, "sliders", '[');
  for (uint32_t i = 0; i < l->sliders.count; i++) {
    json_open(j, NULL, '{');
    json_string(j, "node", l->nodes.items[l->sliders.items[i].node].name);
    json_vector(j, "force", b->slider_force + (size_t)i * b->dim, b->dim);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "torsions", '[');
  for (uint32_t i = 0; i < l->torsions.count; i++) {
    json_open(j, NULL, '{');
    json_string(j, "at", l->nodes.items[l->torsions.items[i].b].name);
    json_number(j, "moment", b->torsion_moment[i]);
    json_number(j, "angle", b->torsion_angle[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_values(const BarsReport *r, Json *j) {
  const Linkage *l = &r->system->linkage;
  const BalanceResult *b = &r->result;
  Text name = text_in(j->out->arena);
  json_open(j, "values", '{');
  for (uint32_t i = 0; i < b->nodes; i++) {
    for (uint32_t k = 0; k < b->dim; k++) {
      if (l->nodes.items[i].fixed >> k & 1u) continue;
      name.length = 0;
      text_printf(&name, "%s.%c", l->nodes.items[i].name, "xyz"[k]);
      json_number(j, text_str(&name), b->x[(size_t)i * b->dim + k]);
    }
  }
  json_close(j, '}');
}

static void json_whole(const BalanceMotion *m, uint32_t dim, Json *j) {
  if (!m->whole) return;
  json_open(j, "whole", '{');
  json_vector(j, "along", m->along, dim);
  if (m->turns) json_vector(j, "turn", m->turn, 3);
  if (m->turns) json_vector(j, "about", m->about, dim);
  json_close(j, '}');
}

static void json_motions(const BarsReport *r, Json *j) {
  const Linkage *l = &r->system->linkage;
  const BalanceResult *b = &r->result;
  json_open(j, "soft", '[');
  for (uint32_t m = 0; m < b->motion_count; m++) {
    json_open(j, NULL, '{');
    json_number(j, "stiffness", b->motions[m].stiffness);
    json_whole(&b->motions[m], b->dim, j);
    json_open(j, "direction", '{');
    for (uint32_t i = 0; i < b->nodes; i++)
      json_vector(j, l->nodes.items[i].name, b->motions[m].motion + (size_t)i * b->dim, b->dim);
    json_close(j, '}');
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_trials(const BarsReport *r, Json *j) {
  json_open(j, "methods", '[');
  for (uint32_t i = 0; i < r->trials.count; i++) {
    const BarsTrial *t = &r->trials.items[i];
    json_open(j, NULL, '{');
    json_string(j, "method", structure_method_word(t->method));
    json_string(j, "ends", status_word(t->result.status));
    json_string(j, "verdict", structure_verdict_word(t->result.verdict));
    json_count(j, "iterations", t->result.iterations);
    json_count(j, "evaluations", t->result.evaluations);
    json_number(j, "seconds", t->seconds);
    json_number(j, "residue", t->result.force_residue);
    json_number(j, "length_residue", t->result.length_residue);
    json_number(j, "potential", t->result.potential);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json_document(const BarsReport *r, Text *out) {
  Json json = {.out = out}, *j = &json;
  const BalanceResult *b = &r->result;
  json_open(j, NULL, '{');
  json_string(j, "verdict", structure_verdict_word(b->verdict));
  json_string(j, "by", "potential");
  json_string(j, "method", structure_method_word(r->method));
  json_count(j, "iterations", b->iterations);
  json_number(j, "potential", b->potential);
  json_number(j, "residue", b->force_residue);
  json_number(j, "constraint_residue", b->length_residue);
  json_values(r, j);
  json_places(r, j);
  json_forces(r, j);
  json_motions(r, j);
  if (r->trials.count) json_trials(r, j);
  Text notes = text_in(out->arena);
  text_notes(r, &notes);
  json_string(j, "notes", text_str(&notes));
  json_close(j, '}');
  text_putc(out, '\n');
}

void show_structure(const BarsReport *r, ShowFormat format, Text *out) {
  if (format == show_json) json_document(r, out);
  else text_document(r, out);
}

void show_structure_verdict(const BarsReport *r, Text *out) {
  text_verdict(r, out);
  text_notes(r, out);
}
