// Definite integral by adaptive Gauss-Kronrod quadrature. The operands are its limits, then what its body captures.
#include "tape/kernel_body.h"

#include "tape/kernel_body_text.h"

/* section integral */
/* A definite integral: Gauss and Kronrod's rules with 7 and 15 points, worst piece first.
 *
 * A piece is believed where both rules agree, and only where nothing inside f could hide between its points: f tells
 * beside its value what its corners and its fast functions see (watches). Where a corner lies the piece is split at the
 * corner; where the phase of a sine or the exponent of an exponential grows too far from one point to the next, it is
 * halved. Toward an end at which f is singular s = end + reach*x^power, toward infinity s = base + reach/x^power. */
enum {
  viva_points = 17,        /* of a piece: its ends, and Kronrod's 15 */
  viva_most_open = 64,     /* pieces whose error may still be reduced, and halvings inside each other */
  viva_most_calls = 400000 /* of f; a tenth of a second or so. Then *why is viva_not_reached */
};
enum { viva_watch_sign, viva_watch_whole, viva_watch_turn, viva_watch_rise };
enum { viva_reached, viva_no_value, viva_not_reached };

typedef struct viva_piece {
  viva_real from, to;           /* of x */
  viva_real base, reach;        /* see above; power 0: s = x */
  viva_real value, error, size; /* size: the integral of |f| */
  viva_real before;             /* the error of the piece it was halved from; 0: none */
  int power, endless, depth;    /* depth: halvings since an end */
  int ruled;                    /* value, error and size are known */
  int left_end, right_end;      /* it touches an end at which f may be singular */
} viva_piece;

typedef struct viva_task {
  const void *self;
  viva_real *w, *seen,
      *spare; /* seen: what the watches saw at the points of a piece, point by point; spare: elsewhere */
  const unsigned char *kinds;
  unsigned watches;
  long calls;
  viva_real sum, lost, error, size; /* of pieces that are done; lost: what rounding took from the sum */
  viva_real known;                  /* size, with that of the pieces that are kept */
} viva_task;

static viva_real viva_power(viva_real x, int n) {
  viva_real r = 1;
  for (int i = 0; i < n; i++) r *= x;
  return r;
}

static viva_real viva_bent(viva_body *f, viva_task *t, const viva_piece *p, viva_real x, viva_real *seen) {
  const viva_real below = viva_power(x, p->power - 1), u = below * x;
  const viva_real value = f(t->self, t->w, p->endless ? p->base + p->reach / u : p->base + p->reach * u, seen);
  const viva_real rate = viva_abs(p->reach) * (viva_real)p->power * (p->endless ? 1 / (u * x) : below);
  return value == 0 ? 0 : value * rate;
}

static inline viva_real viva_look(viva_body *f, viva_task *t, const viva_piece *p, viva_real x, viva_real *seen) {
  t->calls++;
  return p->power ? viva_bent(f, t, p, x, seen) : f(t->self, t->w, x, seen);
}

static const double viva_nodes[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                     0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                     0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                                     0.207784955007898467600689403773245, 0.0};

/* The points of a piece from left to right: an end, Kronrod's points, the other end. */
static viva_real viva_point(const viva_piece *p, int i) {
  const viva_real h = (p->to - p->from) / 2, c = p->from + h;
  if (i == 0) return p->from;
  if (i == viva_points - 1) return p->to;
  return i <= 8 ? c - h * (viva_real)viva_nodes[i - 1] : c + h * (viva_real)viva_nodes[15 - i];
}

static void viva_rule(viva_body *f, viva_task *t, viva_piece *p) {
  static const double wk[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                               0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                               0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                               0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static const double wg[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                               0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
  const viva_real h = (p->to - p->from) / 2, c = p->from + h;
  const unsigned n = t->watches;
  const void *self = t->self;
  viva_real *w = t->w, *seen = t->seen;
  const int plain = !p->power;
  t->calls += 15;
  const viva_real middle = plain ? f(self, w, c, seen + 8 * n) : viva_bent(f, t, p, c, seen + 8 * n);
  viva_real fine = (viva_real)wk[7] * middle, coarse = (viva_real)wg[3] * middle,
            size = (viva_real)wk[7] * viva_abs(middle);
  viva_real left[7], right[7];
  for (unsigned i = 0; i < 7; i++) {
    const viva_real off = h * (viva_real)viva_nodes[i];
    left[i] = plain ? f(self, w, c - off, seen + (i + 1) * n) : viva_bent(f, t, p, c - off, seen + (i + 1) * n);
    right[i] = plain ? f(self, w, c + off, seen + (15 - i) * n) : viva_bent(f, t, p, c + off, seen + (15 - i) * n);
    fine += (viva_real)wk[i] * (left[i] + right[i]);
    size += (viva_real)wk[i] * (viva_abs(left[i]) + viva_abs(right[i]));
    if (i % 2) coarse += (viva_real)wg[i / 2] * (left[i] + right[i]);
  }
  const viva_real difference = viva_abs(fine - coarse);
  viva_real error = difference;
  if (difference > VIVA_FINE * size) {
    /* this is the error of the coarse rule; where it is small against how f varies, the fine one has far less:
     * (200 difference/variation)^(3/2) of the variation (Piessens and others, QUADPACK, 1983) */
    const viva_real mean = fine / 2;
    viva_real varies = (viva_real)wk[7] * viva_abs(middle - mean);
    for (int i = 0; i < 7; i++) varies += (viva_real)wk[i] * (viva_abs(left[i] - mean) + viva_abs(right[i] - mean));
    const viva_real part = 200 * difference / varies, less = varies * part * viva_sqrt(part);
    if (less < error) error = less;
  }
  if (n) {
    /* an endless piece has no value at infinity: its first point stands for it */
    viva_look(f, t, p, viva_point(p, p->endless && p->from == 0 ? 1 : 0), t->seen);
    viva_look(f, t, p, p->to, t->seen + (viva_points - 1) * n);
  }
  p->value = fine * h;
  p->error = error * h;
  p->size = size * h;
}

/* ---- corners */

/* On which side of a corner a watch is; 0: on it, or it has no value. */
static viva_real viva_side(unsigned char kind, viva_real value) {
  if (kind == viva_watch_whole) return (viva_real)floor((double)value);
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

static int viva_apart(unsigned char kind, viva_real a, viva_real b) {
  return kind == viva_watch_whole ? a != b && a == a && b == b : a * b < 0;
}

/* Where watch k changes sides between lo and hi: both come together. */
static void viva_locate(viva_body *f, viva_task *t, const viva_piece *p, unsigned k, viva_real *lo, viva_real *hi,
                        viva_real at_lo, viva_real at_hi) {
  const unsigned char kind = t->kinds[k];
  const viva_real least = VIVA_FINEST * (p->to - p->from), side = viva_side(kind, at_lo);
  for (int i = 0; i < 200; i++) {
    const viva_real halfway = *lo + (*hi - *lo) / 2;
    viva_real x = halfway;
    if (!(halfway > *lo && halfway < *hi) || (i > 60 && *hi - *lo <= least)) return;
    if (kind == viva_watch_sign && i % 3) {
      x = *lo - at_lo * ((*hi - *lo) / (at_hi - at_lo));
      if (!(x > *lo && x < *hi)) x = halfway;
    }
    viva_look(f, t, p, x, t->spare);
    const viva_real value = t->spare[k], now = viva_side(kind, value);
    if (value != value) return;
    if (kind == viva_watch_sign && now == 0) {
      *lo = *hi = x;
      return;
    }
    if (viva_apart(kind, side, now)) *hi = x, at_hi = value;
    else *lo = x, at_lo = value;
  }
}

/* The first corner that watch k shows, as lo and hi; 0: none. */
static int viva_corner(viva_body *f, viva_task *t, const viva_piece *p, unsigned k, viva_real *lo, viva_real *hi) {
  const unsigned char kind = t->kinds[k];
  const unsigned n = t->watches;
  const viva_real *v = t->seen + k;
  int last = -1;
  for (int i = 0; i < viva_points; i++) {
    const viva_real side = viva_side(kind, v[(unsigned)i * n]);
    if (side != side || (kind == viva_watch_sign && side == 0)) continue;
    if (last >= 0 && viva_apart(kind, viva_side(kind, v[(unsigned)last * n]), side)) {
      *lo = viva_point(p, last);
      *hi = viva_point(p, i);
      if (kind == viva_watch_sign && i > last + 1 && v[(unsigned)(last + 1) * n] == 0)
        *lo = *hi = viva_point(p, last + 1);
      else viva_locate(f, t, p, k, lo, hi, v[(unsigned)last * n], v[(unsigned)i * n]);
      return 1;
    }
    last = i;
  }
  /* two corners between neighbours: a parabola through three points shows them */
  for (int i = 1; i < viva_points - 1 && kind == viva_watch_sign; i++) {
    const viva_real a = v[(unsigned)(i - 1) * n], b = v[(unsigned)i * n], c = v[(unsigned)(i + 1) * n];
    if (b == 0 || !(a * b >= 0 && c * b >= 0)) continue; /* a neighbour may be 0: the end at a corner */
    const viva_real x = viva_point(p, i), l = x - viva_point(p, i - 1), r = viva_point(p, i + 1) - x;
    const viva_real first = ((c - b) / r * l + (b - a) / l * r) / (l + r),
                    second = ((c - b) / r - (b - a) / l) / (l + r);
    const viva_real step = -first / (2 * second), bottom = b + step * first / 2;
    if (!(step > -l && step < r && step != 0) || !(bottom * b <= 0 || viva_abs(bottom) < viva_abs(b) / 10)) continue;
    viva_look(f, t, p, x + step, t->spare);
    const viva_real there = t->spare[k];
    if (!(there * b < 0)) continue;
    *lo = step > 0 ? x : x + step;
    *hi = step > 0 ? x + step : x;
    viva_locate(f, t, p, k, lo, hi, step > 0 ? b : there, step > 0 ? there : b);
    return 1;
  }
  return 0;
}

/* How far watch k goes from point i to the next; 0 outside. */
static viva_real viva_stride(const viva_task *t, unsigned k, int i) {
  if (i < 0 || i >= viva_points - 1) return 0;
  return viva_abs(t->seen[(unsigned)(i + 1) * t->watches + k] - t->seen[(unsigned)i * t->watches + k]);
}

/* Whether a sine may oscillate between two points unseen: its phase advances by more than about pi. */
static int viva_turns(const viva_task *t, unsigned k) {
  for (int i = 0; i < viva_points - 1; i++) {
    if (viva_stride(t, k, i) > 3) return 1; /* about pi */
  }
  return 0;
}

/* Whether an exponential may hide a peak: around a top of its exponent the points must be close. It may be much higher
 * between them, or further out; but below the least exponent nothing is left. */
static int viva_hides(const viva_task *t, const viva_piece *p, unsigned k) {
  const viva_real *v = t->seen + k;
  const int first = p->endless && p->from == 0; /* before it stands a copy */
  for (int i = first; i < viva_points; i++) {
    const viva_real here = v[(unsigned)i * t->watches];
    if (i > 0 && !(here >= v[(unsigned)(i - 1) * t->watches])) continue;
    if (i < viva_points - 1 && !(here >= v[(unsigned)(i + 1) * t->watches])) continue;
    viva_real most = 0;
    for (int g = i - 2; g < i + 2; g++) {
      const viva_real stride = viva_stride(t, k, g);
      most = stride > most ? stride : most;
    }
    if (most > 6 && ((first && i == 1) || here + 4 * most > VIVA_LOWEST_EXPONENT)) return 1;
  }
  return 0;
}

/* Whether a piece is negligible beside the rest, however its sines oscillate: toward infinity, or because an
 * exponential is 0. */
static int viva_nothing(const viva_task *t, const viva_piece *p) {
  if (p->endless) return p->size <= VIVA_FINEST / 10 * t->known;
  for (unsigned k = 0; k < t->watches && p->size == 0; k++) {
    int below = t->kinds[k] == viva_watch_rise;
    for (unsigned i = 0; i < viva_points; i++) below = below && t->seen[i * t->watches + k] < VIVA_LOWEST_EXPONENT;
    if (below) return 1;
  }
  return 0;
}

/* ---- pieces */

static void viva_add(viva_task *t, viva_real value) {
  const viva_real y = value - t->lost, sum = t->sum + y;
  t->lost = (sum - t->sum) - y;
  t->sum = sum;
}

static void viva_done(viva_task *t, const viva_piece *p) {
  viva_add(t, p->value);
  t->error += p->error;
  t->size += p->size;
}

/* Both halves; the one that is taken first comes last: of endless ones that with the large values of f. */
static void viva_halve(const viva_piece *p, viva_piece *open) {
  const viva_real middle = p->from + (p->to - p->from) / 2;
  viva_piece left = *p, right = *p;
  left.to = right.from = middle;
  left.depth = right.depth = p->depth + 1;
  left.ruled = right.ruled = 0;
  left.right_end = right.left_end = 0;
  left.before = right.before = p->error;
  open[0] = p->endless ? left : right;
  open[1] = p->endless ? right : left;
}

/* Toward an end at which halving is of little use: how fast f rises there says which power of x takes that away. */
static int viva_bend(viva_body *f, viva_task *t, const viva_piece *p, viva_piece *bent) {
  const int right = p->right_end && !p->left_end;
  if (p->depth < 4 || p->power > 1 || (!p->endless && p->power) || (p->endless && p->from != 0)) return 0;
  if (!(p->left_end || p->right_end)) return 0;
  const viva_real far = p->to - p->from;
  const viva_real a = viva_look(f, t, p, right ? p->to - far / 64 : p->from + far / 64, t->spare);
  const viva_real b = viva_look(f, t, p, right ? p->to - far / 256 : p->from + far / 256, t->spare);
  const viva_real rise = viva_abs(b) / viva_abs(a);
  *bent = *p;
  bent->power = !(rise > (viva_real)2.05) ? 2 : rise <= (viva_real)2.57 ? 3 : rise <= (viva_real)2.9 ? 4 : 8;
  if (p->endless) {
    bent->reach = p->reach / p->to;
  } else {
    bent->base = right ? p->to : p->from;
    bent->reach = right ? -far : far;
  }
  bent->from = 0;
  bent->to = 1;
  bent->left_end = 1;
  bent->right_end = 0;
  bent->before = 0;
  bent->ruled = 0;
  return 1;
}

/* A piece whose error is too large becomes others, whose number is the result; one that cannot be halved is done. */
static int viva_refine(viva_body *f, viva_task *t, const viva_piece *p, viva_piece *open) {
  const viva_real middle = p->from + (p->to - p->from) / 2;
  if (viva_bend(f, t, p, open)) return 1;
  if (middle > p->from && middle < p->to) {
    viva_halve(p, open);
    return 2;
  }
  t->known += p->size;
  viva_done(t, p);
  return 0;
}

/* What is looked at first. Where a limit is infinite a stretch of ordinary length comes before what is endless. */
static int viva_begin(viva_piece *open, const viva_piece *whole) {
  const int up = whole->to > VIVA_LARGEST, down = whole->from < -VIVA_LARGEST;
  const viva_real origin = !down ? whole->from : !up ? whole->to : 0, unit = 1 + viva_abs(origin);
  int count = 0;
  if (!up && !down) open[count++] = *whole;
  if (up) {
    open[count++] = (viva_piece){.to = 1, .base = origin, .reach = unit, .power = 1, .endless = 1, .left_end = 1};
    open[count++] = (viva_piece){.from = origin, .to = origin + unit, .left_end = 1};
  }
  if (down) {
    open[count++] = (viva_piece){.to = 1, .base = origin, .reach = -unit, .power = 1, .endless = 1, .left_end = 1};
    open[count++] = (viva_piece){.from = origin - unit, .to = origin, .right_end = 1};
  }
  return count;
}

/* Splits at a corner (lo and hi), between which next to nothing lies. */
static int viva_split(viva_body *f, viva_task *t, const viva_piece *p, viva_real lo, viva_real hi, viva_piece *open) {
  viva_piece left = *p, right = *p;
  int count = 0;
  if (hi > lo) {
    const viva_real both = viva_look(f, t, p, lo, t->spare) + viva_look(f, t, p, hi, t->spare);
    if (viva_abs(both) <= VIVA_LARGEST) viva_add(t, both * ((hi - lo) / 2));
  }
  left.to = lo;
  right.from = hi;
  left.right_end = right.left_end = 1;
  left.depth = right.depth = left.ruled = right.ruled = 0;
  left.before = right.before = 0;
  if (right.to > right.from) open[count++] = right;
  if (left.to > left.from) open[count++] = left;
  return count;
}

/* One piece from the stack: it falls apart into others, which go back there (their number is the result), or keeps its
 * value. */
static int viva_sift(viva_body *f, viva_task *t, viva_piece *p, viva_piece *open, int *holes) {
  const viva_real middle = p->from + (p->to - p->from) / 2;
  viva_real lo = 0, hi = 0;
  if (!p->ruled) viva_rule(f, t, p);
  const int divisible = middle > p->from && middle < p->to;
  if (!divisible) return 0;
  for (unsigned k = 0; k < t->watches; k++) {
    if (t->kinds[k] == viva_watch_rise && viva_hides(t, p, k)) {
      viva_halve(p, open);
      return 2;
    }
  }
  for (unsigned k = 0; k < t->watches; k++) {
    if (t->kinds[k] != viva_watch_turn || !viva_turns(t, k)) continue;
    if (viva_nothing(t, p)) {
      p->error = p->error > p->size ? p->error : p->size;
      return 0;
    }
    viva_halve(p, open);
    return 2;
  }
  for (unsigned k = 0; k < t->watches; k++) {
    if (t->kinds[k] <= viva_watch_whole && viva_corner(f, t, p, k, &lo, &hi)) return viva_split(f, t, p, lo, hi, open);
  }
  if (viva_abs(p->value) <= VIVA_LARGEST) return 0;
  /* one of the points is a singular one by chance */
  for (int i = 1; i < viva_points - 1 && !p->power && *holes < 8; i++) {
    const viva_real x = viva_point(p, i);
    if (viva_abs(viva_look(f, t, p, x, t->spare)) <= VIVA_LARGEST) continue;
    ++*holes;
    return viva_split(f, t, p, x, x, open);
  }
  return 0;
}

/* Whether a piece is as exact as can be: by itself, or because halving helped no more. */
static int viva_settled(const viva_piece *p, viva_real fine) {
  const int noise = p->before > 0 && p->error > p->before / 5 && p->error <= VIVA_ROUGH * p->size;
  return p->error <= fine * p->size || noise;
}

/* All of it, piece by piece. */
static viva_real viva_pursue(viva_body *f, viva_task *t, const viva_piece *whole, viva_real digits, int *why) {
  const viva_real fine = VIVA_FINE * digits;
  viva_piece open[viva_most_open + 2], kept[viva_most_open];
  int keeps = 0, holes = 0, count = viva_begin(open, whole);
  for (;;) {
    while (count > 0 && count < viva_most_open && t->calls <= viva_most_calls) {
      viva_piece p = open[--count];
      const int parts = viva_sift(f, t, &p, open + count, &holes);
      count += parts;
      if (parts) continue;
      if (!(viva_abs(p.value) <= VIVA_LARGEST)) {
        *why = p.power ? viva_not_reached : viva_no_value;
        return (viva_real)NAN;
      }
      t->known += p.size;
      if (viva_settled(&p, fine)) {
        viva_done(t, &p);
      } else if (keeps < viva_most_open) {
        kept[keeps++] = p;
      } else if (p.error <= fine / 1000 * t->known) {
        viva_done(t, &p);
      } else {
        /* no room to wait for the worst: now */
        t->known -= p.size;
        count += viva_refine(f, t, &p, open + count);
      }
    }
    viva_real error = t->error, size = t->size, rest = 0;
    int worst = 0;
    for (int i = 0; i < keeps; i++) {
      error += kept[i].error;
      size += kept[i].size;
      rest += kept[i].value;
      worst = kept[i].error > kept[worst].error ? i : worst;
    }
    const int enough = error <= fine * size + VIVA_TINY, spent = t->calls > viva_most_calls || keeps == 0;
    if (count == 0 && (enough || (spent && error <= VIVA_ROUGH * digits * size))) {
      viva_add(t, rest);
      return t->sum;
    }
    if (spent || count) {
      *why = viva_not_reached;
      return (viva_real)NAN;
    }
    viva_piece p = kept[worst];
    kept[worst] = kept[--keeps];
    t->known -= p.size;
    count = viva_refine(f, t, &p, open);
  }
}

/* kinds, watches: what f gives beside its value; seen: room for what they give at all points. digits: 1, or by how much
 * less exact f itself is because it holds integrals. why: 0, or where it is said what is wrong with an integral that is
 * NaN. */
static viva_real viva_integral(viva_body *f, const void *self, viva_real *w, const unsigned char *kinds,
                               unsigned watches, viva_real *seen, viva_real a, viva_real b, viva_real digits,
                               int *why) {
  viva_task task = {
      .self = self, .w = w, .seen = seen, .spare = seen + viva_points * watches, .kinds = kinds, .watches = watches};
  int ignored;
  if (!why) why = &ignored;
  *why = viva_no_value;
  if (a != a || b != b) return (viva_real)NAN;
  *why = viva_reached;
  if (a == b) return 0;
  const viva_real low = a < b ? a : b, high = a < b ? b : a;
  viva_piece whole = {.from = low, .to = high, .left_end = 1, .right_end = 1};
  if (watches == 0 && low >= -VIVA_LARGEST && high <= VIVA_LARGEST) {
    /* most integrals end here */
    viva_rule(f, &task, &whole);
    whole.ruled = 1;
    if (whole.error <= VIVA_FINE * digits * whole.size + VIVA_TINY && whole.size <= VIVA_LARGEST)
      return a < b ? whole.value : -whole.value;
  }
  const viva_real value = viva_pursue(f, &task, &whole, digits, why);
  return a < b ? value : -value;
}

/* section end */

static uint32_t room(const void *data) {
  const Tape *body = ((const KernelBody *)data)->body;
  return body->slot_count + (viva_points + 1) * (body->output_count - 1);
}

static double integrate(const TapeCall *call, const uint32_t *args, double *w, int *why) {
  const KernelBody *data = call->data;
  const Tape *body = data->body;
  double *inner = kernel_body_begin(call, args, 2, w);
  return viva_integral(kernel_body_at, body, inner, data->watches, body->output_count - 1, inner + body->slot_count,
                       w[args[0]], w[args[1]], kernel_body_digits(body), why);
}

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *result) {
  *result = integrate(call, args, w, NULL);
}

static const char *reason(const TapeCall *call, const uint32_t *args, double *w) {
  int why;
  integrate(call, args, w, &why);
  if (why != viva_not_reached) return NULL;
  return "an integral that has no finite value, or none that could be found to ten digits";
}

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  const TapeCall *call = &e->tape->calls[op->a];
  const Tape *body = kernel_body_tape(call->data);
  const uint32_t watches = body->output_count - 1, number = kernel_body_call(e, op, "viva_integral", 2);
  (void)index;
  if (watches) text_printf(e->out, "%s_body%u_watches, ", e->job->name, op->a);
  else text_put(e->out, "0, ");
  text_printf(e->out, "%u, w + %u, ", watches, call->scratch + body->slot_count);
  emit_operands(e, e->tape->args + call->args, 2);
  text_put(e->out, ", ");
  emit_literal(e, kernel_body_digits(body));
  text_put(e->out, ", 0);\n");
  emit_name_value(e, op->dst, number);
}

const TapeKernel kernel_integral = {
    .name = "integral",
    .fault = "an integral over places at which what stands inside has no value",
    .blames_none = true,
    .room = room,
    .eval = eval,
    .tangent = tangent_by_expressions,
    .reason = reason,
    .limits = 2,
    .body = kernel_body_tape,
    .emit = emit,
    .emit_data = kernel_body_emit,
    .sections = (const char *const[]){"body", "integral", NULL},
};
