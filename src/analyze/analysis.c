// The stages of one linear analysis.
//
// in    a linear model with free signals, and the ends of a path
// out   the path in numbers; its poles, zeros and gain; margins of 1 + path = 0; figures of the closed loop; remarks
//
// The stages: the system (assemble.c), lifted over its samples (sampled.c); the path; poles, by the modes of the linear
// model where they are those of the system, so that what was decided exactly stays so; zeros; cancellations; margins.
#include "analyze/analysis.h"

#include "analyze/delay_count.h"
#include "analyze/figures.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct AnalysisWork {
  Arena *arena;
  const AnalysisIn *in;
  Analysis *out;
  AssembleTrouble *trouble;
  const SolveModule *module;
} AnalysisWork;

static void note(AnalysisWork *w, const char *text) {
  if (text) vec_push(w->arena, &w->out->notes, text);
}

static bool is_interrupted(const AnalysisWork *w) { return w->in->interrupted && w->in->interrupted(w->in->self); }

static AnalysisStatus refuse(AnalysisWork *w, const char *message, const char *hint, Span place) {
  *w->trouble = (AssembleTrouble){message, hint, place};
  return message ? analysis_refused : analysis_no_memory;
}

static AnalysisStatus status_of(AnalysisWork *w, DenseStatus status, const char *what) {
  if (status == dense_done) return is_interrupted(w) ? analysis_interrupted : analysis_done;
  if (status == dense_no_memory || arena_failed(w->arena)) return analysis_no_memory;
  w->trouble->message = w->module ? arena_printf(w->arena, "%s were not found: LAPACK did not converge", what)
                                  : "linear analysis needs libviva-solvers.so beside the library, and LAPACK";
  return analysis_failed;
}

// ---- poles

static Stability verdict(const PoleList *p) {
  Stability out = stability_stable;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->side[i] == side_right) return stability_unstable;
    if (p->side[i] == side_undecided) out = stability_unknown;
    if (p->side[i] != side_left && out == stability_stable) out = stability_marginal;
  }
  return out;
}

static bool room_for(Arena *arena, uint32_t count, PoleList *out) {
  out->count = count;
  out->values = arena_array(arena, (size_t)count + 1, sizeof *out->values);
  out->bound = arena_array(arena, (size_t)count + 1, sizeof *out->bound);
  out->side = arena_array(arena, (size_t)count + 1, sizeof *out->side);
  return out->values && out->bound && out->side;
}

// size: of the largest pole
static EigenSide side_of(const LinearSystem *s, Complex value, double bound, double size) {
  if (s->period > 0) return eigen_side(cabs(value) - 1, INFINITY, bound, fmax(size, 1));
  return eigen_side(creal(value), cabs(value), bound, size);
}

static double largest(const Complex *values, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++) most = fmax(most, cabs(values[i]));
  return most;
}

// Of modes: by pairs, as they were decided.
static bool take_modes(Arena *arena, const Modes *m, PoleList *out) {
  uint32_t k = 0;
  if (!room_for(arena, m->n, out)) return false;
  for (uint32_t i = 0; i < m->count; i++) {
    const EigenMode *e = &m->modes[i];
    for (int twice = 0; twice < (e->pair ? 2 : 1) && k < m->n; twice++, k++) {
      out->values[k] = e->re + I * (e->pair ? twice ? -e->im : e->im : 0);
      out->bound[k] = e->bound;
      out->side[k] = e->side;
    }
  }
  out->stability = m->stability;
  out->exact = m->exact;
  return true;
}

// Multiple poles have bounds that reach the border from afar: then those beyond it are counted along it. False: out of
// memory.
static bool count_beyond(Arena *arena, const LinearSystem *s, PoleList *out) {
  DelayFunction f;
  uint32_t count, beyond = 0;
  bool fuzzy = false;
  for (uint32_t i = 0; i < out->count; i++) {
    double off = fabs(s->period > 0 ? cabs(out->values[i]) - 1 : creal(out->values[i]));
    fuzzy = fuzzy || (out->side[i] != side_left && out->side[i] != side_right && off > 1e-9 * cabs(out->values[i]));
    beyond += s->period > 0 ? cabs(out->values[i]) > 1 : creal(out->values[i]) > 0;
  }
  if (!fuzzy) return true;
  if (!delay_function_open(&f, arena, s)) return false;
  if (s->period > 0 ? delay_count_inside(&f, &count) != delay_counted
                    : delay_count_right(&f, 0, &count) != delay_counted)
    return true;
  if (s->period > 0) count = s->n - count;
  if (count != beyond) return true;
  for (uint32_t i = 0; i < out->count; i++) {
    bool right = s->period > 0 ? cabs(out->values[i]) > 1 : creal(out->values[i]) > 0;
    out->side[i] = right ? side_right : side_left;
  }
  return true;
}

DenseStatus analysis_poles(Arena *arena, const SolveModule *module, const LinearSystem *s, const Modes *modes,
                           PoleList *out) {
  *out = (PoleList){0};
  if (s->delays) {
    DelayPoles *d = arena_new_of(arena, DelayPoles);
    if (!d) return dense_no_memory;
    DenseStatus status = delay_poles_find(arena, module, s, s->n + 6, d);
    if (status != dense_done || !room_for(arena, d->count, out)) return status == dense_done ? dense_no_memory : status;
    double size = largest(d->values, d->count);
    for (uint32_t i = 0; i < d->count; i++) {
      out->values[i] = d->values[i];
      out->bound[i] = d->bound[i];
      out->side[i] = side_of(s, d->values[i], d->bound[i], size);
      if (out->side[i] == side_zero) out->values[i] = 0;
      if (out->side[i] == side_axis) out->values[i] = I * cimag(d->values[i]);
    }
    out->stability = verdict(out);
    if (d->finite) return dense_done;
    out->delayed = d;
    // all that lie right of the axis are known only where that was counted
    out->stability = d->certain && d->line < 0 ? verdict(out) : stability_unknown;
    if (verdict(out) == stability_unstable) out->stability = stability_unstable;
    return dense_done;
  }
  if (modes && modes->re && modes->n == s->n) return take_modes(arena, modes, out) ? dense_done : dense_no_memory;
  if (!room_for(arena, s->n, out)) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(arena, module, s->n, s->A, out->values, out->bound);
  double size = status == dense_done ? largest(out->values, s->n) : 0;
  for (uint32_t i = 0; status == dense_done && i < s->n; i++)
    out->side[i] = side_of(s, out->values[i], out->bound[i], size);
  if (status == dense_done && !count_beyond(arena, s, out)) return dense_no_memory;
  for (uint32_t i = 0; status == dense_done && i < s->n; i++) {
    if (out->side[i] == side_zero) out->values[i] = 0;
    if (out->side[i] == side_axis && s->period == 0) out->values[i] = I * cimag(out->values[i]);
    if (s->period > 0 && cabs(out->values[i]) <= fmin(out->bound[i], 0.01)) out->values[i] = 0; // forgotten at once
    if (s->period > 0 && cabs(out->values[i] - 1) <= out->bound[i] && out->side[i] == side_axis) out->values[i] = 1;
  }
  out->stability = verdict(out);
  return status;
}

// ---- the path

static const char **names_with(Arena *arena, const char **names, uint32_t count, const char *more) {
  const char **out = arena_array(arena, (size_t)count + 2, sizeof *out);
  for (uint32_t i = 0; out && i < count; i++) out[i] = names[i];
  if (out) out[count] = more;
  return out;
}

// Why what is called so is no state of the linear model.
static AnalysisStatus no_state(AnalysisWork *w) {
  const SampledPart *part = &w->out->samples;
  bool sampled = false;
  for (uint32_t i = 0; i < part->q; i++) sampled = sampled || strcmp(part->names[i], w->in->state) == 0;
  return refuse(w,
                arena_printf(w->arena,
                             sampled
                                 ? "`--open %s`: samples alone change `%s`, and read it at another time than it is read"
                                 : "`--open %s`: other coordinates say where `%s` is, so it is no state of the "
                                   "linear model",
                             w->in->state, w->in->state),
                sampled ? "cut at a `let` that is sampled" : "cut at a `let` that reads it", (Span){0});
}

// Cut at a state of the linear model.
static AnalysisStatus cut_state(AnalysisWork *w, LinearSystem *whole) {
  const Linearization *l = w->out->freed;
  LinearSystem closed = *whole;
  uint32_t k = 0;
  while (k < l->n && strcmp(l->states[k], w->in->state) != 0) k++;
  if (k == l->n) return no_state(w);
  if (!system_open_state(&closed, w->arena, k, whole)) return analysis_no_memory;
  whole->inputs = names_with(w->arena, closed.inputs, closed.m, w->in->state);
  whole->outputs = names_with(w->arena, closed.outputs, closed.p, w->in->state);
  if (!whole->inputs || !whole->outputs) return analysis_no_memory;
  w->out->at_state = true;
  return sampled_open_state(w->arena, whole, k, &w->out->samples) ? analysis_done : analysis_no_memory;
}

// With samples a cut holds what goes in over the common period, which only what is read at its start does by itself.
static AnalysisStatus check_cut(AnalysisWork *w, const LinearSystem *whole) {
  const Analysis *a = w->out;
  size_t column = (size_t)whole->n + a->samples.q + a->input, wide = (size_t)whole->n + a->samples.q + whole->m;
  bool read = false;
  if (!a->loop || !a->samples.count) return analysis_done;
  for (uint32_t i = 0; i < whole->n; i++) read = read || whole->B[(size_t)i * whole->m + a->input] != 0;
  for (uint32_t i = 0; i < whole->delays; i++) read = read || whole->H[(size_t)i * whole->m + a->input] != 0;
  for (uint32_t i = 0; i < a->samples.count; i++) {
    bool often = a->samples.rules[i].period < a->system.period * (1 - 1e-9);
    read = read || (often && a->samples.rows[i * wide + column] != 0);
  }
  if (!read) return analysis_done;
  return refuse(w,
                arena_printf(w->arena,
                             "`--open %s`: `%s` is read between the samples at %.6g s, too, so that loop has no "
                             "transfer function of one of them to the next",
                             a->from, a->from, a->system.period),
                "cut at what is read at these samples alone", a->place);
}

// Which input the path enters by, and where that stands.
static void find_entry(AnalysisWork *w, const LinearSystem *whole) {
  Analysis *a = w->out;
  const Operating *o = a->freed->o;
  a->input = a->loop && a->at_state ? whole->m - 1 : 0;
  for (uint32_t i = 0; i < o->s.inputs.count; i++) {
    if (!w->in->input || o->s.inputs.items[i].symbol != w->in->input) continue;
    a->input = i;
    a->place = o->s.inputs.items[i].span;
  }
}

// All inputs and outputs, over the samples.
static AnalysisStatus find_system(AnalysisWork *w) {
  Analysis *a = w->out;
  const Operating *o = a->freed->o;
  LinearSystem whole;
  const char *why = NULL;
  if (!assemble_system(w->arena, a->freed, &whole, &a->samples, w->trouble)) return analysis_no_memory;
  if (w->trouble->message) return analysis_refused;
  AnalysisStatus status = w->in->state ? cut_state(w, &whole) : analysis_done;
  if (status != analysis_done) return status;
  find_entry(w, &whole);
  a->system = whole;
  if (!a->samples.count) return analysis_done;
  Span place = {0};
  for (uint32_t i = 0; i < o->s.whens.count && !place.source; i++) {
    if (o->s.whens.items[i].period) place = o->s.whens.items[i].span;
  }
  a->samples.cut = a->loop;
  a->samples.cut_input = a->input;
  a->samples.cut_output = whole.p - 1;
  if (!sampled_lift(w->arena, &whole, &a->samples, &a->system, &why)) return analysis_no_memory;
  if (why) return refuse(w, why, NULL, place);
  a->system.improper = whole.improper;
  return check_cut(w, &whole);
}

static AnalysisStatus find_path(AnalysisWork *w) {
  Analysis *a = w->out;
  AnalysisStatus status = find_system(w);
  if (status != analysis_done) return status;
  a->output = a->system.p - (a->at_state && !a->loop ? 2 : 1);
  if (a->system.improper && a->system.improper[(size_t)a->output * a->system.m + a->input])
    return refuse(w,
                  arena_printf(w->arena,
                               "the transfer function from `%s` to `%s` is improper: it differentiates its input",
                               a->from, a->to),
                  "let the input pass a short lag first, for example `let v = tf(u, [1], [0.001, 1])`", a->place);
  if (!system_path(&a->system, w->arena, a->input, a->output, &a->path)) return analysis_no_memory;
  if (a->loop) system_negate(&a->path);
  return analysis_done;
}

// Notes that the system is sampled: what is held, and what the outputs are.
static void say_samples(AnalysisWork *w) {
  Analysis *a = w->out;
  if (!a->samples.count) return;
  note(w,
       arena_printf(w->arena,
                    "a sampled system: z = e^(s T) with T = %.6g s; inputs are held between samples, outputs are those "
                    "just after a sample",
                    a->path.period));
}

// Which of infinitely many poles are known; NULL: there are no more. of: whose they are.
static const char *delay_words(Arena *arena, const DelayPoles *d, const char *of) {
  if (!d) return NULL;
  if (d->certain)
    return arena_printf(arena,
                        "dead times bring infinitely many poles%s: shown are all with a real part above %.6g, counted "
                        "by the argument principle",
                        of, d->line);
  return arena_printf(arena, "dead times bring infinitely many poles%s, and that none is missing is not certain: %s",
                      of, d->why ? d->why : "they were not counted");
}

// Zeros that take poles out of the path: those of the whole less those of its minimal realization.
static AnalysisStatus find_cancelled(AnalysisWork *w) {
  Analysis *a = w->out;
  if (!zeros_minimal(w->arena, &a->path, &a->minimal)) return analysis_no_memory;
  if (a->path.delays || a->minimal.n == a->path.n || !a->zeros_known) return analysis_done;
  uint32_t n = a->minimal.n, total = a->path.n;
  Complex *left = arena_array(w->arena, (size_t)n + 1, sizeof *left);
  bool *used = arena_array(w->arena, (size_t)total + 1, sizeof *used),
       *zero_used = arena_array(w->arena, (size_t)a->zeros.count + 1, sizeof *zero_used);
  if (!left || !used || !zero_used) return analysis_no_memory;
  AnalysisStatus status = status_of(w, dense_eigenvalues(w->arena, w->module, n, a->minimal.A, left, NULL), "poles");
  if (status != analysis_done) return status;
  // each pole of the minimal one takes the nearest of the whole; what is left is not in the path
  for (uint32_t i = 0; i < n; i++) {
    uint32_t best = total;
    for (uint32_t k = 0; k < total; k++) {
      if (!used[k] && (best == total || cabs(a->poles.values[k] - left[i]) < cabs(a->poles.values[best] - left[i])))
        best = k;
    }
    if (best < total) used[best] = true;
  }
  for (uint32_t k = 0; k < total; k++) {
    if (used[k]) continue;
    uint32_t best = a->zeros.count;
    for (uint32_t i = 0; i < a->zeros.count; i++) {
      if (zero_used[i]) continue;
      if (best == a->zeros.count ||
          cabs(a->zeros.values[i] - a->poles.values[k]) < cabs(a->zeros.values[best] - a->poles.values[k]))
        best = i;
    }
    if (best == a->zeros.count) continue;
    zero_used[best] = true;
    Cancelled c = {a->poles.values[k], a->zeros.values[best], a->poles.side[k]};
    if (!vec_push(w->arena, &a->cancelled, c)) return analysis_no_memory;
  }
  return analysis_done;
}

// G(0), and how often the path integrates.
static AnalysisStatus find_still(AnalysisWork *w) {
  Analysis *a = w->out;
  double least = INFINITY, rest = a->path.period > 0 ? 1 : 0;
  uint32_t zeros = a->zeros_known ? a->zeros.count : 0;
  for (uint32_t i = 0; i < a->poles.count + zeros; i++) {
    bool pole = i < a->poles.count;
    uint32_t k = pole ? i : i - a->poles.count;
    double off = cabs((pole ? a->poles.values[k] : a->zeros.values[k]) - rest),
           bound = pole ? a->poles.bound[k] : a->zeros.bound[k];
    bool there = (pole && a->poles.side[k] == side_zero) || off <= 10 * bound;
    if (!there) least = fmin(least, off);
  }
  AnalysisStatus status = status_of(w, rest_find(w->arena, w->module, &a->path, least, &a->rest), "gains");
  const RestGain *r = &a->rest;
  a->still = !r->known ? NAN : r->order > 0 ? INFINITY : r->order < 0 ? 0 : r->constant;
  return status;
}

static AnalysisStatus find_poles_zeros(AnalysisWork *w) {
  Analysis *a = w->out;
  // the modes of the linear model are those of the system unless delays or samples change it
  const Modes *modes = a->path.delays || a->samples.count || a->at_state ? NULL : &a->freed->modes;
  AnalysisStatus status = status_of(w, analysis_poles(w->arena, w->module, &a->path, modes, &a->poles), "poles");
  if (status != analysis_done) return status;
  a->zeros_known = a->path.delays == 0;
  if (a->zeros_known) status = status_of(w, zeros_find(w->arena, w->module, &a->path, &a->zeros), "zeros");
  if (status == analysis_done) status = find_cancelled(w);
  return status == analysis_done ? find_still(w) : status;
}

// A path on which nothing gets through.
static AnalysisStatus check_path(AnalysisWork *w) {
  Analysis *a = w->out;
  bool dead = a->zeros_known && a->zeros.gain == 0;
  if (a->path.delays) {
    Response r;
    AnalysisStatus status = status_of(w, response_open(&r, w->arena, w->module, &a->path), "gains");
    if (status != analysis_done) return status;
    dead = true;
    for (int i = 0; i < 5 && dead; i++) dead = cabs(response_frequency(&r, 0.37 * pow(3.1, i))) == 0;
  }
  if (!dead) return analysis_done;
  Span place = a->place;
  if (a->loop)
    return refuse(w, arena_printf(w->arena, "`--open %s` cuts no loop: what comes back does not depend on it", a->from),
                  "name a signal inside a loop, or a path with `--path u:y`", place);
  return refuse(w, arena_printf(w->arena, "nothing goes from `%s` to `%s` near this point", a->from, a->to), NULL,
                place);
}

// ---- the closed loop

static AnalysisStatus find_closed(AnalysisWork *w) {
  Analysis *a = w->out;
  LinearSystem error;
  bool posed;
  a->sensitivity = a->complementary = (Peak){NAN, NAN};
  a->bandwidth = NAN;
  if (!system_close(&a->path, w->arena, loop_output, &a->closed, &a->posed)) return analysis_no_memory;
  if (!a->posed || fabs(1 + a->path.D[0]) < 1e-13 * (1 + fabs(a->path.D[0]))) {
    a->posed = false;
    if (!a->loop) return analysis_done;
    return refuse(
        w,
        arena_printf(w->arena,
                     "the loop through `%s` is not well posed: without any lag, what comes back is what goes in",
                     a->from),
        NULL, a->place);
  }
  AnalysisStatus status =
      status_of(w, analysis_poles(w->arena, w->module, &a->closed, NULL, &a->closed_poles), "poles");
  if (status == analysis_done)
    status = status_of(w, margins_find(w->arena, w->module, &a->path, &a->rest, &a->margins), "margins");
  if (status != analysis_done) return status;
  if (!system_close(&a->path, w->arena, loop_error, &error, &posed)) return analysis_no_memory;
  if (a->closed_poles.stability == stability_stable) {
    status = status_of(w, margins_peak(w->arena, w->module, &error, &a->sensitivity), "peaks");
    if (status == analysis_done)
      status = status_of(w, margins_peak(w->arena, w->module, &a->closed, &a->complementary), "peaks");
  } else {
    a->margins.delay = NAN;
  }
  if (status != analysis_done) return status;
  bool steady = (a->loop ? a->closed_poles : a->poles).stability == stability_stable;
  if (!steady) return analysis_done;
  return status_of(w, margins_bandwidth(w->arena, w->module, a->loop ? &a->closed : &a->path, &a->bandwidth),
                   "the bandwidth");
}

static void say_cancelled(AnalysisWork *w) {
  Analysis *a = w->out;
  for (uint32_t i = 0; i < a->cancelled.count; i++) {
    const Cancelled *c = &a->cancelled.items[i];
    if (c->side == side_left || cimag(c->pole) < 0) continue; // of a pair one
    double re = creal(c->pole), im = cimag(c->pole);
    const char *pole = arena_printf(w->arena, im == 0 ? "%.6g" : "%.6g +- %.6gi", re, im);
    note(w, arena_printf(w->arena, "a zero takes the %s pole %s out of the path: inside, that mode %s all the same",
                         c->side == side_right ? "unstable" : "marginal", pole ? pole : "",
                         c->side == side_right ? "grows" : "does not decay"));
  }
}

AnalysisStatus analysis_run(Arena *arena, const AnalysisIn *in, Analysis *out, AssembleTrouble *trouble) {
  AnalysisWork work = {.arena = arena, .in = in, .out = out, .trouble = trouble, .module = module_load()}, *w = &work;
  *out = (Analysis){.arena = arena, .freed = in->freed, .from = in->from, .to = in->to, .loop = in->loop};
  *trouble = (AssembleTrouble){0};
  if (!in->freed->A.numbers) {
    *trouble = (AssembleTrouble){
        .message = arena_printf(arena, "linear analysis is about numbers, and %s", in->freed->numbers_note),
        .hint = "give it one with `--set`"};
    return analysis_refused;
  }
  if (!in->freed->equilibrium) {
    trouble->message = "the point is no equilibrium: what moves anyway has no transfer functions";
    trouble->hint = "`--at equilibrium`, or `--at equilibrium,name=value` to search near there";
    return analysis_refused;
  }
  AnalysisStatus status = find_path(w);
  if (status == analysis_done) status = find_poles_zeros(w);
  if (status == analysis_done) status = check_path(w);
  if (status == analysis_done) status = find_closed(w);
  if (status == analysis_done) status = status_of(w, figures_find(arena, w->module, out), "figures");
  if (status != analysis_done) return status;
  say_samples(w);
  note(w, delay_words(arena, out->poles.delayed, ""));
  if (out->loop || !out->poles.delayed) note(w, delay_words(arena, out->closed_poles.delayed, " of the closed loop"));
  say_cancelled(w);
  return arena_failed(arena) ? analysis_no_memory : analysis_done;
}

AnalysisStatus analysis_whole(Arena *arena, const Linearization *freed, LinearPoles *out, AssembleTrouble *trouble) {
  Analysis *a = arena_new_of(arena, Analysis);
  AnalysisIn in = {.freed = freed};
  AnalysisWork work = {.arena = arena, .in = &in, .out = a, .trouble = trouble, .module = module_load()}, *w = &work;
  *trouble = (AssembleTrouble){0};
  if (!a) return analysis_no_memory;
  *a = (Analysis){.arena = arena, .freed = freed};
  AnalysisStatus status = find_system(w);
  if (status == analysis_done)
    status = status_of(w, analysis_poles(arena, w->module, &a->system, NULL, &a->poles), "poles");
  if (status != analysis_done) return status;
  double *re = arena_array(arena, 2 * (size_t)a->poles.count + 1, sizeof *re), *im = re + a->poles.count;
  if (!re) return analysis_no_memory;
  for (uint32_t i = 0; i < a->poles.count; i++) {
    re[i] = creal(a->poles.values[i]);
    im[i] = cimag(a->poles.values[i]);
  }
  *out = (LinearPoles){
      a->poles.count, re, im, a->poles.stability, a->system.period, delay_words(arena, a->poles.delayed, "")};
  return arena_failed(arena) ? analysis_no_memory : analysis_done;
}
