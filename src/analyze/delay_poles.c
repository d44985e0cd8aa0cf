// Poles of a system with dead times.
//
// Parts: states and channels that feed each other round a loop; det F is the product over them. A part without channels
// has the eigenvalues of its A, a channel in no loop has none. Of the others, each by itself:
//
// Found: each channel carries its signal along as v(t, r), -T <= r <= 0, with dv/dt = dv/dr; at N + 1 Chebyshev points
// of r that makes a matrix, whose rightmost eigenvalues come near the poles (Breda, Maset, Vermiglio 2005); so do those
// of the system without its delays, where these are short. Newton's method on det F finishes each:
//   s <- s - 1/tr(F^-1 F').
//
// Counted: how many lie right of a line in a gap of what was found (delay_count.h). Where that is more, or less, the
// rectangle is cut into smaller ones until each has as many as are known in it, or is too small to matter: that ends
// with all of them, however many times one counts. A line that cannot be counted along gives way to one further right.
#include "analyze/delay_poles.h"

#include "analyze/delay_count.h"
#include "analyze/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { most_states = 600, least_points = 24, most_newton = 40, most_boxes = 4000 };
static const double most_left = 25; // over the longest dead time: e^(-s T) is all rounding further left

typedef struct FoundPole {
  Complex value;
  double bound;
} FoundPole;
typedef VEC(FoundPole) FoundPoles;

// One part whose dead times are in loops.
typedef struct DelayPart {
  Arena *arena;
  const SolveModule *module;
  LinearSystem s;
  DelayFunction f;
  double unit;    // the least size that a pole has, but for those at 0
  double longest; // dead time
  FoundPoles found;
  uint32_t boxes;
  DelayPoles *out;
} DelayPart;

static double scale_of(const DelayPart *w, Complex s) { return cabs(s) + w->unit; }

// ---- found

// The matrix of N points a channel, row by row. NULL: out of memory.
static double *discretized(Arena *arena, const LinearSystem *s, uint32_t points, uint32_t *size) {
  size_t n = s->n, d = s->delays, N = points, all = n + d * N;
  double *a = arena_array(arena, all * all + 1, sizeof *a), *x = arena_array(arena, N + 1, sizeof *x);
  *size = (uint32_t)all;
  if (!a || !x) return NULL;
  for (size_t j = 0; j <= N; j++) x[j] = cos(pi * (double)j / (double)N);
  for (size_t i = 0; i < n; i++) {
    memcpy(a + i * all, s->A + i * n, n * sizeof *a);
    for (size_t k = 0; k < d; k++) a[i * all + n + k * N + N - 1] += s->E[i * d + k];
  }
  for (size_t k = 0; k < d; k++) {
    for (size_t i = 1; i <= N; i++) {
      double *row = a + (n + k * N + i - 1) * all, diagonal = 0, scale = 2 / s->time[k];
      for (size_t j = 0; j <= N; j++) {
        if (i == j) continue;
        double ci = i == N ? 2 : 1, cj = j == 0 || j == N ? 2 : 1,
               slope = ci / cj * ((i + j) % 2 ? -1 : 1) / (x[i] - x[j]);
        diagonal -= slope;
        if (j > 0) {
          row[n + k * N + j - 1] += slope * scale;
          continue;
        }
        // v at r = 0 is z
        for (size_t l = 0; l < n; l++) row[l] += slope * scale * s->G[k * n + l];
        for (size_t l = 0; l < d; l++) row[n + l * N + N - 1] += slope * scale * s->J[k * d + l];
      }
      row[n + k * N + i - 1] += diagonal * scale;
    }
  }
  return a;
}

// A + E (1 - J)^-1 G: no time passes. False: out of memory, or there is none.
static double *undelayed(Arena *arena, const LinearSystem *s) {
  size_t n = s->n, d = s->delays;
  double *m = arena_array(arena, d * d + d * n + n * n + 1, sizeof *m), *g = m + d * d, *a = g + d * n;
  if (!m) return NULL;
  for (size_t i = 0; i < d * d; i++) m[i] = (i % (d + 1) == 0) - s->J[i];
  memcpy(g, s->G, d * n * sizeof *g);
  if (!dense_solve((uint32_t)d, (uint32_t)n, m, g)) return NULL;
  dense_multiply((uint32_t)n, (uint32_t)d, (uint32_t)n, s->E, g, a);
  for (size_t i = 0; i < n * n; i++) a[i] += s->A[i];
  return a;
}

// Newton's method from a guess. False: it leads elsewhere.
static bool polish(DelayPart *w, Complex *at, double reach, double *bound) {
  Complex s = *at, slope;
  double step = INFINITY, last = INFINITY, rounding = 0;
  for (int i = 0; i < most_newton; i++) {
    if (!delay_function_slope(&w->f, s, &slope, &rounding)) {
      step = 0; // a zero to the last digit
      rounding = fmax(rounding, 16 * DBL_EPSILON * scale_of(w, s));
      break;
    }
    Complex change = 1 / slope;
    step = cabs(change);
    if (!isfinite(step) || cabs(s - change - *at) > reach) return false;
    rounding *= step;
    if (step >= last && step < 1e-7 * scale_of(w, s)) break; // rounding
    s -= change;
    last = step;
    if (step < 2 * DBL_EPSILON * cabs(s) || step <= rounding) break;
  }
  if (!(step < 1e-7 * scale_of(w, s))) return false;
  *bound = fmax(fmax(step, rounding), 4 * DBL_EPSILON * cabs(s));
  if (fabs(cimag(s)) <= *bound || (fabs(cimag(*at)) == 0 && fabs(cimag(s)) < 1e-7 * scale_of(w, s))) s = creal(s);
  *at = s;
  return true;
}

static int by_place(const void *a, const void *b) {
  Complex x = ((const FoundPole *)a)->value, y = ((const FoundPole *)b)->value;
  double dx = creal(x), dy = creal(y);
  if (dx != dy) return dx > dy ? -1 : 1;
  if (fabs(cimag(x)) != fabs(cimag(y))) return fabs(cimag(x)) < fabs(cimag(y)) ? -1 : 1;
  return (cimag(x) < cimag(y)) - (cimag(x) > cimag(y));
}

static bool put(DelayPart *w, Complex at, double bound) {
  if (!vec_push(w->arena, &w->found, (FoundPole){at, bound})) return false;
  return !(cimag(at) > 0) || vec_push(w->arena, &w->found, (FoundPole){conj(at), bound});
}

static bool is_known(const DelayPart *w, Complex at) {
  for (uint32_t k = 0; k < w->found.count; k++) {
    double off = cabs(w->found.items[k].value - at);
    if (off <= 1e-7 * scale_of(w, at)) return true;
  }
  return false;
}

// From guesses, the largest real part first: each once, with its conjugate.
static bool take_guesses(DelayPart *w, const Complex *values, uint32_t count, uint32_t wanted) {
  for (uint32_t i = 0; i < count && w->found.count < wanted; i++) {
    Complex at = cimag(values[i]) < 0 ? conj(values[i]) : values[i];
    double bound;
    if (!polish(w, &at, 0.05 * scale_of(w, at), &bound)) continue;
    if (creal(at) * w->longest < -most_left) continue;
    if (cimag(at) < 0) at = conj(at);
    if (!is_known(w, at) && !put(w, at, bound)) return false;
  }
  return true;
}

// By a discretization with `points` points a channel, and by the system without delays.
static DenseStatus find_with(DelayPart *w, uint32_t points, uint32_t wanted) {
  uint32_t size, n = w->s.n;
  double *a = discretized(w->arena, &w->s, points, &size);
  Complex *values = arena_array(w->arena, (size_t)size + 1, sizeof *values);
  w->found.count = 0;
  if (!a || !values) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(w->arena, w->module, size, a, values, NULL);
  if (status != dense_done) return status;
  if (!take_guesses(w, values, size, wanted)) return dense_no_memory;
  a = undelayed(w->arena, &w->s);
  if (a && dense_eigenvalues(w->arena, w->module, n, a, values, NULL) == dense_done &&
      !take_guesses(w, values, n, w->found.count + n))
    return dense_no_memory;
  return arena_failed(w->arena) ? dense_no_memory : dense_done;
}

// The least size of what moves: poles without delays, the times themselves.
static bool find_unit(DelayPart *w) {
  uint32_t n = w->s.n;
  double *a = undelayed(w->arena, &w->s);
  Complex *values = arena_array(w->arena, (size_t)n + 1, sizeof *values);
  double *bound = arena_array(w->arena, (size_t)n + 1, sizeof *bound);
  if (!values || !bound) return false;
  w->unit = INFINITY;
  for (uint32_t k = 0; k < w->s.delays; k++) w->longest = fmax(w->longest, w->s.time[k]);
  w->unit = 1 / w->longest;
  if (!a || dense_eigenvalues(w->arena, w->module, n, a, values, bound) != dense_done) return !arena_failed(w->arena);
  for (uint32_t i = 0; i < n; i++) {
    if (cabs(values[i]) > 100 * bound[i]) w->unit = fmin(w->unit, cabs(values[i]));
  }
  return true;
}

// ---- rectangles

typedef struct PoleBox {
  Complex low, high;
  uint32_t count; // zeros in it
} PoleBox;

static bool is_in(const PoleBox *b, Complex v) {
  return creal(v) > creal(b->low) && creal(v) < creal(b->high) && cimag(v) > cimag(b->low) && cimag(v) < cimag(b->high);
}

static uint32_t known_in(const DelayPart *w, const PoleBox *b) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->found.count; i++) count += is_in(b, w->found.items[i].value);
  return count;
}

static uint32_t first_in(const DelayPart *w, const PoleBox *b) {
  uint32_t i = 0;
  while (i < w->found.count && !is_in(b, w->found.items[i].value)) i++;
  return i;
}

// One more pole of a box, by Newton's method from its middle.
static bool try_middle(DelayPart *w, const PoleBox *b) {
  Complex at = (b->low + b->high) / 2;
  double bound;
  if (!polish(w, &at, cabs(b->high - b->low), &bound) || is_known(w, at)) return true;
  return put(w, cimag(at) < 0 ? conj(at) : at, bound);
}

// One that counts several times, within the size of the box. False: out of memory.
static bool put_again(DelayPart *w, const PoleBox *b, uint32_t known, double size) {
  uint32_t one = first_in(w, b);
  FoundPole again = {one < w->found.count ? w->found.items[one].value : (b->low + b->high) / 2, size};
  for (; known < b->count; known++) {
    if (!vec_push(w->arena, &w->found, again)) return false;
  }
  return true;
}

// All poles of a box into w->found. False: *status, or out of memory.
static bool search_box(DelayPart *w, PoleBox b, DelayCount *status) {
  double width = creal(b.high - b.low), height = cimag(b.high - b.low), size = hypot(width, height);
  if (++w->boxes > most_boxes) return *status = delay_too_long, false;
  if (known_in(w, &b) >= b.count) return true;
  if (!try_middle(w, &b)) return false;
  uint32_t known = known_in(w, &b);
  if (known >= b.count) return true;
  Complex middle = (b.low + b.high) / 2;
  if (size < (known ? 1e-5 : 2e-7) * scale_of(w, middle)) return put_again(w, &b, known, size);
  // in two, beside the middle, where no pole is on the cut
  static const double parts[] = {0.4817, 0.5639, 0.3391, 0.6773};
  for (int i = 0; i < 4; i++) {
    PoleBox left = b, right = b;
    bool upright = width > height;
    Complex cut = upright ? creal(b.low) + parts[i] * width : cimag(b.low) + parts[i] * height;
    if (upright) {
      left.high = creal(cut) + I * cimag(b.high);
      right.low = creal(cut) + I * cimag(b.low);
    } else {
      left.high = creal(b.high) + I * creal(cut);
      right.low = creal(b.low) + I * creal(cut);
    }
    *status = delay_count_box(&w->f, left.low, left.high, &left.count);
    if (*status != delay_counted) continue;
    if (left.count > b.count) return false;
    right.count = b.count - left.count;
    return search_box(w, left, status) && search_box(w, right, status);
  }
  // beside a multiple one the bounds of steps are far too large
  if (!known || size > 0.05 * scale_of(w, middle)) return false;
  *status = delay_counted;
  return put_again(w, &b, known, size);
}

// ---- the whole

static const char *reason(DelayCount status) {
  switch (status) {
  case delay_neutral: return "delayed signals feed themselves without a state in between: poles come near a line";
  case delay_on_contour: return "a pole lies on the line itself";
  default: return "counting would take too many steps";
  }
}

// Poles of a part with their line. The counted ones and the known ones agree: true.
static DelayCount settle(DelayPart *w, double line) {
  DelayPoles *out = w->out;
  DelayCount status = delay_count_right(&w->f, line, &out->counted);
  if (status != delay_counted) return status;
  double radius = 1.2 * delay_function_largest(&w->f, line) + w->unit;
  PoleBox all = {line - I * radius, fmax(radius, line) + radius + I * radius, out->counted};
  uint32_t known = known_in(w, &all);
  if (known > out->counted) w->found.count = 0; // one that counts several times was taken for more
  if (known != out->counted && !search_box(w, all, &status)) return status == delay_counted ? delay_too_long : status;
  qsort(w->found.items, w->found.count, sizeof *w->found.items, by_place);
  out->line = line;
  out->count = known_in(w, &all);
  out->certain = out->count == out->counted;
  return out->certain ? delay_counted : delay_too_long;
}

// A line in the gap behind the pole i, not far left of it: there e^(-s T) is large. False: there is no gap.
static bool gap_behind(const DelayPart *w, uint32_t i, double *line, double *gap) {
  double a = creal(w->found.items[i].value), near = scale_of(w, a) + 1 / w->longest,
         b = i + 1 < w->found.count ? creal(w->found.items[i + 1].value) : a - near;
  *gap = a - b;
  *line = a - fmin(*gap / 2, near);
  return *gap > 1e-6 * scale_of(w, a);
}

// Lines to try: the widest gap behind about half of what is wanted, then each further right, then one just right of
// all.
static DenseStatus choose_line(DelayPart *w, uint32_t wanted) {
  DelayPoles *out = w->out;
  FoundPoles before = w->found;
  uint32_t least = wanted / 2 < 1 ? 1 : wanted / 2, best = UINT32_MAX;
  double widest = 0, line, gap;
  DelayCount status = delay_too_long;
  if (least > before.count) least = before.count;
  for (uint32_t i = least ? least - 1 : 0; i + 1 < before.count; i++) {
    if (gap_behind(w, i, &line, &gap) && gap > 1.2 * widest) widest = gap, best = i;
  }
  if (best == UINT32_MAX) best = before.count;
  FoundPole *kept = arena_array(w->arena, (size_t)before.count + 1, sizeof *kept);
  if (!kept) return dense_no_memory;
  if (before.count) memcpy(kept, before.items, before.count * sizeof *kept);
  for (uint32_t i = best + 1; i-- > 0 && !out->certain;) {
    w->found.count = 0;
    for (uint32_t k = 0; k < before.count; k++) {
      if (!vec_push(w->arena, &w->found, kept[k])) return dense_no_memory;
    }
    if (i >= before.count || !gap_behind(w, i, &line, &gap)) continue;
    status = settle(w, line);
  }
  // nothing at all is right of the axis, or of the rightmost one
  if (!out->certain) {
    w->f.most_steps = 300000;
    double top = before.count ? creal(kept[0].value) : -INFINITY;
    line = top < 0 ? fmax(top / 2, -w->unit / 2) : top + w->unit / 2;
    status = settle(w, line);
    // what grows is shown rather than a line right of all of it
    if (out->certain && top > kept[0].bound) {
      out->certain = false;
      status = isfinite(delay_function_largest(&w->f, 0)) ? delay_too_long : delay_neutral;
    }
  }
  if (arena_failed(w->arena)) return dense_no_memory;
  if (out->certain && out->line < 0) {
    for (uint32_t i = 0; i < out->count; i++) out->right += creal(w->found.items[i].value) > w->found.items[i].bound;
    out->right_known = true;
  } else {
    out->right_known = delay_count_right(&w->f, 0, &out->right) == delay_counted;
  }
  if (status == delay_neutral) out->neutral = true;
  if (!out->certain) out->why = reason(status);
  return dense_done;
}

static DenseStatus find_part(DelayPart *w, uint32_t wanted) {
  if (!delay_function_open(&w->f, w->arena, &w->s) || !find_unit(w)) return dense_no_memory;
  DenseStatus status = dense_done;
  for (uint32_t points = least_points; w->s.n + points * w->s.delays <= most_states; points *= 2) {
    status = find_with(w, points, wanted + 8);
    if (status == dense_no_memory) return status;
    if (status == dense_done && w->found.count >= wanted) break;
  }
  if (w->found.count) qsort(w->found.items, w->found.count, sizeof *w->found.items, by_place);
  return choose_line(w, wanted);
}

// ---- parts

// States and channels in one matrix, as they feed each other. False: out of memory.
static bool find_parts(Arena *arena, const LinearSystem *s, MatrixParts *out) {
  size_t n = s->n, d = s->delays, size = n + d;
  double *all = arena_array(arena, size * size + 1, sizeof *all);
  if (!all) return false;
  for (size_t i = 0; i < size; i++) {
    memcpy(all + i * size, i < n ? s->A + i * n : s->G + (i - n) * n, n * sizeof *all);
    memcpy(all + i * size + n, i < n ? s->E + i * d : s->J + (i - n) * d, d * sizeof *all);
  }
  return parts_find(arena, (uint32_t)size, all, out);
}

// The states and channels in `take`, by themselves.
static bool take_part(Arena *arena, const LinearSystem *s, const bool *take, LinearSystem *out) {
  size_t n = s->n, d = s->delays, size = n + d;
  uint32_t states = 0, channels = 0;
  size_t *at = arena_array(arena, size + 1, sizeof *at);
  if (!at) return false;
  for (size_t i = 0; i < size; i++) {
    if (take[i]) at[i] = i < n ? states++ : channels++;
  }
  if (!system_room(out, arena, states, 0, 0, channels)) return false;
  for (size_t i = 0; i < size; i++) {
    if (take[i] && i >= n) out->time[at[i]] = s->time[i - n];
    for (size_t j = 0; j < size && take[i]; j++) {
      if (!take[j]) continue;
      if (i < n && j < n) out->A[at[i] * states + at[j]] = s->A[i * n + j];
      else if (i < n) out->E[at[i] * channels + at[j]] = s->E[i * d + j - n];
      else if (j < n) out->G[at[i] * states + at[j]] = s->G[(i - n) * n + j];
      else out->J[at[i] * channels + at[j]] = s->J[(i - n) * d + j - n];
    }
  }
  return true;
}

// Eigenvalues of all states that are in no loop with dead time, together.
static DenseStatus find_plain(Arena *arena, const SolveModule *module, const LinearSystem *s, const bool *take,
                              FoundPoles *found) {
  LinearSystem part;
  if (!take_part(arena, s, take, &part)) return dense_no_memory;
  Complex *values = arena_array(arena, (size_t)part.n + 1, sizeof *values);
  double *bound = arena_array(arena, (size_t)part.n + 1, sizeof *bound);
  if (!values || !bound) return dense_no_memory;
  DenseStatus status = dense_eigenvalues(arena, module, part.n, part.A, values, bound);
  for (uint32_t i = 0; status == dense_done && i < part.n; i++) {
    if (!vec_push(arena, found, (FoundPole){values[i], bound[i]})) return dense_no_memory;
  }
  return status;
}

static void join(DelayPoles *whole, const DelayPoles *part) {
  whole->certain = whole->certain && part->certain;
  whole->neutral = whole->neutral || part->neutral;
  whole->right_known = whole->right_known && part->right_known;
  whole->right += part->right;
  if (!whole->why) whole->why = part->why;
  whole->line = whole->finite ? part->line : fmax(whole->line, part->line);
  whole->finite = false;
}

DenseStatus delay_poles_find(Arena *arena, const SolveModule *module, const LinearSystem *s, uint32_t wanted,
                             DelayPoles *out) {
  size_t size = (size_t)s->n + s->delays;
  MatrixParts parts;
  FoundPoles all = {0};
  bool *plain = arena_array(arena, 3 * size + 1, sizeof *plain), *part = plain + size, *done = part + size;
  *out = (DelayPoles){.finite = true, .certain = true, .right_known = true};
  if (!plain || !find_parts(arena, s, &parts)) return dense_no_memory;
  for (size_t i = 0; i < size; i++) plain[i] = i < s->n;
  for (size_t k = s->n; k < size; k++) {
    if (done[k] || !parts.loops[parts.of[k]]) continue;
    for (size_t i = 0; i < size; i++) {
      part[i] = parts.of[i] == parts.of[k];
      done[i] = done[i] || part[i];
      plain[i] = plain[i] && !part[i];
    }
    DelayPoles own = {0};
    DelayPart work = {.arena = arena, .module = module, .out = &own}, *w = &work;
    if (!take_part(arena, s, part, &w->s)) return dense_no_memory;
    DenseStatus status = find_part(w, wanted);
    if (status != dense_done) return status;
    join(out, &own);
    for (uint32_t i = 0; i < (own.certain ? own.count : w->found.count); i++) {
      if (!vec_push(arena, &all, w->found.items[i])) return dense_no_memory;
    }
  }
  uint32_t delayed = all.count;
  DenseStatus status = find_plain(arena, module, s, plain, &all);
  if (status != dense_done) return status;
  for (uint32_t i = delayed; i < all.count; i++) out->right += creal(all.items[i].value) > all.items[i].bound;
  if (all.count) qsort(all.items, all.count, sizeof *all.items, by_place);
  // of several parts: down to the line of all
  while (!out->finite && out->certain && all.count && creal(all.items[all.count - 1].value) <= out->line) all.count--;
  out->count = all.count;
  out->counted = out->certain ? all.count : 0;
  out->values = arena_array(arena, (size_t)out->count + 1, sizeof *out->values);
  out->bound = arena_array(arena, (size_t)out->count + 1, sizeof *out->bound);
  if (!out->values || !out->bound) return dense_no_memory;
  for (uint32_t i = 0; i < out->count; i++) {
    out->values[i] = all.items[i].value;
    out->bound[i] = all.items[i].bound;
  }
  return dense_done;
}

bool delay_poles_count(Arena *arena, const LinearSystem *s, double line, uint32_t *count, const char **why) {
  DelayFunction f;
  *count = 0;
  *why = NULL;
  if (!delay_function_open(&f, arena, s)) return false;
  DelayCount status = delay_count_right(&f, line, count);
  if (status == delay_counted) return true;
  *why = reason(status);
  return false;
}
