// All equilibria in a box and their stability, by interval branch and prune or by Newton's method from many starts.
//
// in    an operating point; ranges of coordinates and states
// out   points; whether they are all (by intervals, rest/search.h), or what Newton's method found from seeded starts
#include "linear/equilibria.h"

#include "base/random.h"
#include "rest/search.h"

#include <math.h>
#include <string.h>

enum { starts = 300 };
static const double two_pi = 6.28318530717958647692;
static const double same_part = 1e-7; // of a size: what Newton's method found twice
static const double still = 1e-9;     // a rate that is none

typedef struct Gather {
  Equilibria *e;
  BoxSearch search;
  uint32_t *shown; // by unknown: its index among the names, plus one
  bool judged;     // the descent is open, for verdicts
} Gather;

// ---- the box

static const char *unbounded_message(const Operating *o, const char *name) {
  return arena_printf(o->arena,
                      "`%s` is no angle on which everything depends with its turns, so a search needs its range", name);
}

static bool take_ranges(Gather *g, const SearchRequest *request, RestingTrouble *trouble) {
  StaticForm *f = &g->e->resting.form;
  for (uint32_t k = 0; k < request->count; k++) {
    const SearchRange *r = &request->ranges[k];
    bool found = false;
    for (uint32_t i = 0; i < f->n; i++) {
      if (f->unknown[i] != r->symbol) continue;
      g->search.lo[i] = r->lo;
      g->search.hi[i] = r->hi;
      found = true;
    }
    if (found && r->lo < r->hi && isfinite(r->lo) && isfinite(r->hi)) continue;
    trouble->place = r->span;
    trouble->message = found ? "a range goes from a number to a larger one"
                             : "a search is over places and states: velocities are zero, and inputs are given";
    return false;
  }
  return true;
}

// The box as names have it.
static bool show_box(Gather *g) {
  Equilibria *e = g->e;
  EquilibriaSearch *s = &e->search;
  Arena *arena = e->o->arena;
  s->done = true;
  s->lo = arena_array(arena, (size_t)e->count + 1, sizeof(double));
  s->hi = arena_array(arena, (size_t)e->count + 1, sizeof(double));
  s->asked = arena_array(arena, (size_t)e->count + 1, sizeof(bool));
  s->turns = arena_array(arena, (size_t)e->count + 1, sizeof(bool));
  s->counts = arena_array(arena, (size_t)e->count + 1, sizeof(bool));
  if (arena_failed(arena)) return false;
  for (uint32_t i = 0; i < e->resting.form.n; i++) {
    uint32_t at = g->shown[i];
    if (!at) continue;
    s->lo[at - 1] = g->search.lo[i];
    s->hi[at - 1] = g->search.hi[i];
    s->asked[at - 1] = g->search.active[i] && !isnan(g->search.lo[i]);
    s->turns[at - 1] = g->search.turns[i];
    s->counts[at - 1] = g->search.active[i];
  }
  return true;
}

static bool map_names(Gather *g) {
  const Operating *o = g->e->o;
  uint32_t n = o->n + o->model_states, next = 0;
  g->shown = arena_array(o->arena, (size_t)n + 1, sizeof *g->shown);
  for (uint32_t i = 0; g->shown && i < n; i++) {
    bool hidden = i >= o->n && o->s.states.items[i - o->n].hidden;
    g->shown[i] = hidden ? 0 : ++next;
  }
  return g->shown != NULL;
}

// ---- points

// The verdict of the potential at u, lambda.
static RestingStatus judge_potential(Gather *g, const double *u, const double *lambda, EquilibriumPoint *p) {
  Equilibria *e = g->e;
  StaticForm *f = &e->resting.form;
  Downhill *d = &e->resting.descent;
  if (!g->judged) {
    if (!descent_open(d, f)) return resting_no_memory;
    if (d->status == descent_no_module) return resting_found; // no verdict
    g->judged = true;
  }
  memcpy(d->u, u, f->n * sizeof *u);
  memcpy(d->lambda, lambda, f->m * sizeof *lambda);
  for (uint32_t i = 0; i < f->n; i++) {
    double width = g->search.hi[i] - g->search.lo[i];
    d->first[i] = u[i] + (isfinite(width) ? 0.1 * width : fmax(1, fabs(u[i])));
  }
  if (!descent_look(d, d->u, d->lambda)) return resting_found;
  descent_residue(d, d->u, d->lambda);
  p->potential = isfinite(d->potential) ? d->potential : p->potential;
  p->residue = d->residue;
  memcpy(p->multipliers, lambda, f->m * sizeof *lambda);
  if (stiffness_judge(d, &p->stiffness) == stiffness_no_memory) return resting_no_memory;
  p->verdict = p->stiffness.verdict;
  p->by = by_potential;
  return resting_found;
}

static RestingStatus add_root(Gather *g, const SearchRoot *r, RestingTrouble *trouble) {
  Equilibria *e = g->e;
  StaticForm *f = &e->resting.form;
  EquilibriumPoint p;
  if (!equilibria_point(e, &p)) return resting_no_memory;
  static_put(f, r->u, p.y);
  if (!equilibria_values(e, &p)) return resting_no_memory;
  p.lo = arena_array(e->o->arena, (size_t)e->count + 1, sizeof(double));
  p.hi = arena_array(e->o->arena, (size_t)e->count + 1, sizeof(double));
  if (!p.lo || !p.hi) return resting_no_memory;
  for (uint32_t i = 0; i < f->n; i++) {
    if (!g->shown[i]) continue;
    p.values[g->shown[i] - 1] = r->u[i];
    p.lo[g->shown[i] - 1] = r->lo[i];
    p.hi[g->shown[i] - 1] = r->hi[i];
  }
  memcpy(p.multipliers, r->lambda, f->m * sizeof *r->lambda);
  RestingStatus status = f->symmetric ? judge_potential(g, r->u, r->lambda, &p) : equilibria_judge(e, &p, trouble);
  if (status != resting_found) return status;
  return vec_push(e->o->arena, &e->points, p) ? resting_found : resting_no_memory;
}

static void sort_points(Equilibria *e) {
  for (uint32_t i = 1; i < e->points.count; i++) {
    EquilibriumPoint p = e->points.items[i];
    uint32_t k = i;
    for (; k; k--) {
      const EquilibriumPoint *q = &e->points.items[k - 1];
      uint32_t c = 0;
      while (c + 1 < e->count && fabs(p.values[c] - q->values[c]) < 1e-9 * (1 + fabs(q->values[c]))) c++;
      if (p.values[c] >= q->values[c]) break;
      e->points.items[k] = *q;
    }
    e->points.items[k] = p;
  }
}

// Where the parts of the box lie that are not decided: a point to the eye, or ranges.
static void say_left(Equilibria *e, const BoxSearch *s) {
  enum { most_reported = 6 };
  const double point = 1e-3; // of the box: as narrow is a point
  const StaticForm *f = s->form;
  for (uint32_t k = 0; k < s->left.count && k < most_reported; k++) {
    const SearchLeft *x = &s->left.items[k];
    Text t = text_in(e->o->arena);
    for (uint32_t i = 0; i < f->n; i++) {
      if (isnan(x->lo[i])) continue;
      bool narrow = x->hi[i] - x->lo[i] <= point * (s->hi[i] - s->lo[i]);
      double middle = 0.5 * (x->lo[i] + x->hi[i]), width = x->hi[i] - x->lo[i];
      text_printf(&t, "%s%s ", t.length ? ", " : "", f->names[i]);
      if (narrow) text_printf(&t, "near %.6g", fabs(middle) <= width ? 0 : middle);
      else text_printf(&t, "from %.4g to %.4g", x->lo[i], x->hi[i]);
    }
    equilibria_note(e, arena_printf(e->o->arena, "not decided: %s", text_str(&t)));
  }
}

static RestingStatus certified(Gather *g, RestingTrouble *trouble) {
  Equilibria *e = g->e;
  BoxSearch *s = &g->search;
  if (!s->contradiction && !search_run(s)) return resting_no_memory;
  if (s->interrupted) return resting_interrupted;
  e->search.certified = true;
  e->search.complete = s->left.count == 0;
  e->search.undecided = s->left.count;
  e->search.boxes = (uint32_t)s->boxes;
  for (uint32_t i = 0; i < s->roots.count; i++) {
    RestingStatus status = add_root(g, &s->roots.items[i], trouble);
    if (status != resting_found) return status;
  }
  sort_points(e);
  equilibria_say_held(e);
  say_left(e, s);
  for (uint32_t i = 0; i < s->form->n; i++) {
    if (!s->active[i] && g->shown[i])
      equilibria_note(
          e, arena_printf(e->o->arena, "nothing depends on %s: it is kept where it starts", s->form->names[i]));
  }
  return resting_found;
}

// ---- from many starts

static bool is_known(const Gather *g, const EquilibriumPoint *p) {
  const Equilibria *e = g->e;
  for (uint32_t k = 0; k < e->points.count; k++) {
    bool same = true;
    for (uint32_t i = 0; i < e->count && same; i++) {
      if (!e->search.counts[i]) continue;
      double a = p->values[i], b = e->points.items[k].values[i];
      double turn = e->search.turns[i] ? two_pi * nearbyint((a - b) / two_pi) : 0;
      same = fabs(a - b - turn) <= same_part * (1 + fabs(b));
    }
    if (same) return true;
  }
  return false;
}

enum { stations = 8 }; // on the way from one rest to another

// Does friction hold everything on the way from one of two points to the other? Then they are of one range.
static RestingStatus same_range(Gather *g, const EquilibriumPoint *a, const EquilibriumPoint *b, bool *same) {
  Operating *o = g->e->o;
  double *y = arena_array(o->arena, (size_t)o->dim + 1, sizeof *y);
  double *rates = arena_array(o->arena, (size_t)o->dim + 1, sizeof *rates);
  if (!y || !rates) return resting_no_memory;
  *same = a->sticks && b->sticks;
  for (uint32_t k = 1; *same && k < stations; k++) {
    RestingTrouble none = {0};
    bool changed;
    for (uint32_t at = 0; at < o->dim; at++) y[at] = a->y[at] + (double)k / stations * (b->y[at] - a->y[at]);
    RestingStatus status = resting_events(o, y, events_of_rest, &changed, &none);
    if (status == resting_failed) *same = false;
    else if (status != resting_found) return status;
    if (!operating_rates(o, y, rates, NULL)) return resting_no_memory;
    for (uint32_t i = 0; i < o->states; i++) *same = *same && fabs(rates[o->component[i]]) <= still;
  }
  return resting_found;
}

// Is it of a range of which a point is known?
static RestingStatus in_known_range(Gather *g, const EquilibriumPoint *p, bool *known) {
  *known = false;
  for (uint32_t k = 0; !*known && p->sticks && k < g->e->points.count; k++) {
    RestingStatus status = same_range(g, &g->e->points.items[k], p, known);
    if (status != resting_found) return status;
  }
  return resting_found;
}

static bool is_inside(const Gather *g, EquilibriumPoint *p) {
  const EquilibriaSearch *s = &g->e->search;
  for (uint32_t i = 0; i < g->e->count; i++) {
    if (!s->asked[i]) continue;
    if (s->turns[i]) p->values[i] -= two_pi * nearbyint(p->values[i] / two_pi);
    if (s->turns[i] && p->values[i] < s->lo[i] + 1e-9) p->values[i] += two_pi;
    double slack = 1e-9 * (s->hi[i] - s->lo[i]);
    if (p->values[i] < s->lo[i] - slack || p->values[i] > s->hi[i] + slack) return false;
  }
  return true;
}

static void scatter(Gather *g, const double *first, uint64_t seed, uint32_t round) {
  Operating *o = g->e->o;
  memcpy(o->y, first, o->dim * sizeof *first);
  if (round == 0) return;
  for (uint32_t i = 0; i < o->n + o->model_states; i++) {
    SymbolId symbol = i < o->n ? o->s.coords.items[i].q : o->s.states.items[i - o->n].x;
    uint32_t at = system_place(&o->s, symbol);
    if (at == no_place || operating_kept(o, at) || !g->search.active[i]) continue;
    double part = random_uniform(seed, (uint64_t)round * 1000003 + i);
    bool said = !isnan(g->search.lo[i]);
    double wide = fmax(1, fabs(first[at]));
    o->y[at] = said ? g->search.lo[i] + part * (g->search.hi[i] - g->search.lo[i]) : first[at] + (2 * part - 1) * wide;
  }
}

static RestingStatus judge_found(Gather *g, EquilibriumPoint *p, RestingTrouble *trouble) {
  Equilibria *e = g->e;
  StaticForm *f = &e->resting.form;
  if (f->why || !f->symmetric) return equilibria_judge(e, p, trouble);
  double *u = arena_array(e->o->arena, (size_t)f->n + 1, sizeof *u);
  if (!u) return resting_no_memory;
  memcpy(e->o->y, p->y, e->o->dim * sizeof *p->y);
  if (!static_start(f, u)) return resting_no_memory;
  return judge_potential(g, u, p->multipliers, p);
}

static RestingStatus seeded(Gather *g, uint64_t seed, RestingTrouble *trouble) {
  Equilibria *e = g->e;
  Operating *o = e->o;
  double *first = arena_array(o->arena, (size_t)o->dim + 1, sizeof *first);
  if (!first) return resting_no_memory;
  memcpy(first, o->y, o->dim * sizeof *first);
  for (uint32_t k = 0; k < starts; k++) {
    Equilibrium found;
    RestingTrouble none = {0};
    EquilibriumPoint p;
    scatter(g, first, seed, k);
    RestingStatus status = resting_newton(o, &found, &none);
    e->search.starts++;
    if (status == resting_failed || (status == resting_found && found.status != equilibrium_rest)) continue;
    if (status != resting_found) return status;
    if (!equilibria_point(e, &p)) return resting_no_memory;
    memcpy(p.y, found.y, o->dim * sizeof *p.y);
    if (!equilibria_values(e, &p)) return resting_no_memory;
    if (!is_inside(g, &p) || is_known(g, &p)) continue;
    bool known;
    if ((status = judge_found(g, &p, trouble)) != resting_found) return status;
    if (p.sticks) equilibria_say_held(e);
    if ((status = in_known_range(g, &p, &known)) != resting_found) return status;
    if (!known && !vec_push(o->arena, &e->points, p)) return resting_no_memory;
  }
  sort_points(e);
  equilibria_say_held(e);
  return resting_found;
}

// The box of a model whose equations at rest no intervals know: jumps, memories, implicit equations.
static bool open_plain(Gather *g) {
  StaticForm *f = &g->e->resting.form;
  const Operating *o = f->o;
  BoxSearch *s = &g->search;
  f->n = o->n + o->model_states;
  f->unknown = arena_array(o->arena, (size_t)f->n + 1, sizeof *f->unknown);
  s->lo = arena_array(o->arena, (size_t)f->n + 1, sizeof *s->lo);
  s->hi = arena_array(o->arena, (size_t)f->n + 1, sizeof *s->hi);
  s->active = arena_array(o->arena, (size_t)f->n + 1, sizeof *s->active);
  s->turns = arena_array(o->arena, (size_t)f->n + 1, sizeof *s->turns);
  if (arena_failed(o->arena)) return false;
  for (uint32_t i = 0; i < f->n; i++) {
    f->unknown[i] = i < o->n ? o->s.coords.items[i].q : o->s.states.items[i - o->n].x;
    s->lo[i] = s->hi[i] = NAN;
    s->active[i] = true;
  }
  return true;
}

RestingStatus equilibria_search(Operating *o, const SearchRequest *request, Equilibria *e, RestingTrouble *trouble,
                                bool *input) {
  Gather gather = {.e = e}, *g = &gather;
  StaticForm *f = &e->resting.form;
  *input = false;
  if (!equilibria_begin(o, e) || !static_form(o, f) || !map_names(g)) return resting_no_memory;
  if (!(f->why ? open_plain(g) : search_open(&g->search, f))) return resting_no_memory;
  if (!take_ranges(g, request, trouble)) {
    *input = true;
    return resting_failed;
  }
  if (!f->why && !search_plan(&g->search)) return resting_no_memory;
  bool few = !f->why && g->search.count <= search_most && g->search.square;
  if (few && g->search.missing != UINT32_MAX) {
    *input = true;
    trouble->message = unbounded_message(o, f->names[g->search.missing]);
    trouble->hint = arena_printf(o->arena, "for example `--search %s=-1:1`", f->names[g->search.missing]);
    return resting_failed;
  }
  if (!show_box(g)) return resting_no_memory;
  RestingStatus status = few ? certified(g, trouble) : seeded(g, request->seed, trouble);
  return arena_failed(o->arena) ? resting_no_memory : status;
}
