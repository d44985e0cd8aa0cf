// The kernels, as this program runs them and as exported C has them: this text is compiled in kernels.c, with double for
// viva_real, and given out by emit_kernels.c. Lines between /* section */ and the next one stand or fall together. No include
// guard: this is a template.
/* section solve */
static viva_real viva_size(viva_real a) { return a < 0 ? -a : a; }

/* M = L D L' without pivoting. Every pivot positive (and not lost to cancellation) proves that M is positive definite, where
 * this is stable; otherwise 0. Then the columns of x are solved for, one after the other. */
static inline int viva_definite(viva_real *m, viva_real *x, unsigned n, unsigned columns) {
  for (unsigned j = 0; j < n; j++) {
    viva_real d = m[j * n + j], whole = d;
    for (unsigned k = 0; k < j; k++) d -= m[j * n + k] * m[j * n + k] * m[k * n + k];
    if (!(d > VIVA_PIVOT * whole)) return 0;
    m[j * n + j] = d;
    for (unsigned i = j + 1; i < n; i++) {
      viva_real s = m[i * n + j];
      for (unsigned k = 0; k < j; k++) s -= m[i * n + k] * m[j * n + k] * m[k * n + k];
      m[i * n + j] = s / d;
    }
  }
  for (unsigned c = 0; c < columns; c++, x += n) {
    for (unsigned i = 0; i < n; i++) {
      for (unsigned k = 0; k < i; k++) x[i] -= m[i * n + k] * x[k];
    }
    for (unsigned i = 0; i < n; i++) x[i] /= m[i * n + i];
    for (unsigned i = n; i-- > 0;) {
      for (unsigned k = i + 1; k < n; k++) x[i] -= m[k * n + i] * x[k];
    }
  }
  return 1;
}

/* Elimination with row pivoting; NaN when a pivot vanishes against the whole. */
static void viva_general(viva_real *m, viva_real *x, unsigned n, unsigned columns) {
  for (unsigned j = 0; j < n; j++) {
    unsigned best = j;
    viva_real largest = 0;
    for (unsigned i = 0; i < n * n; i++) largest = viva_size(m[i]) > largest ? viva_size(m[i]) : largest;
    for (unsigned i = j + 1; i < n; i++) {
      if (viva_size(m[i * n + j]) > viva_size(m[best * n + j])) best = i;
    }
    if (!(viva_size(m[best * n + j]) > VIVA_SINGULAR * largest)) {
      for (unsigned i = 0; i < n * columns; i++) x[i] = (viva_real)NAN;
      return;
    }
    if (best != j) {
      for (unsigned k = 0; k < n; k++) {
        viva_real swap = m[j * n + k];
        m[j * n + k] = m[best * n + k];
        m[best * n + k] = swap;
      }
      for (unsigned c = 0; c < columns; c++) {
        viva_real swap = x[c * n + j];
        x[c * n + j] = x[c * n + best];
        x[c * n + best] = swap;
      }
    }
    for (unsigned i = j + 1; i < n; i++) {
      viva_real f = m[i * n + j] / m[j * n + j];
      for (unsigned k = j + 1; k < n; k++) m[i * n + k] -= f * m[j * n + k];
      for (unsigned c = 0; c < columns; c++) x[c * n + i] -= f * x[c * n + j];
    }
  }
  for (unsigned c = 0; c < columns; c++, x += n) {
    for (unsigned i = n; i-- > 0;) {
      for (unsigned k = i + 1; k < n; k++) x[i] -= m[i * n + k] * x[k];
      x[i] /= m[i * n + i];
    }
  }
}

/* section table */
/* Linear interpolation, or its slope. */
static viva_real viva_table(viva_real a, unsigned n, const viva_real *x, const viva_real *y, int slope) {
  if (a != a) return a;
  if (n == 1 || a <= x[0]) return slope ? (a == x[0] && n > 1 ? (y[1] - y[0]) / (x[1] - x[0]) : 0) : y[0];
  if (a >= x[n - 1]) return slope ? 0 : y[n - 1];
  unsigned lo = 0, hi = n - 1; /* x[lo] <= a < x[hi] */
  while (hi - lo > 1) {
    unsigned mid = lo + (hi - lo) / 2;
    if (x[mid] <= a) lo = mid;
    else hi = mid;
  }
  const viva_real k = (y[hi] - y[lo]) / (x[hi] - x[lo]);
  return slope ? k : y[lo] + k * (a - x[lo]);
}

/* section body */
static viva_real viva_abs(viva_real a) { return a < 0 ? -a : a; }

/* The body of an integral or inverse, with its workspace: its value at s, and its slope. */
typedef viva_real viva_body(const void *self, viva_real *w, viva_real s, viva_real *slope);

/* section integral */
/* Gauss and Kronrod's rules with 7 and 15 points: the finer one, and the difference of both. */
static viva_real viva_kronrod(viva_body *f, const void *self, viva_real *w, viva_real a, viva_real b, viva_real *error) {
  static const double x[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                              0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                              0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                              0.207784955007898467600689403773245, 0.0};
  static const double wk[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                               0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                               0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                               0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static const double wg[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                               0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
  const viva_real c = (a + b) / 2, h = (b - a) / 2;
  viva_real slope;
  const viva_real middle = f(self, w, c, &slope);
  viva_real fine = (viva_real)wk[7] * middle, coarse = (viva_real)wg[3] * middle;
  for (int i = 0; i < 7; i++) {
    const viva_real left = f(self, w, c - h * (viva_real)x[i], &slope);
    const viva_real pair = left + f(self, w, c + h * (viva_real)x[i], &slope);
    fine += (viva_real)wk[i] * pair;
    if (i % 2) coarse += (viva_real)wg[i / 2] * pair;
  }
  *error = viva_abs(fine - coarse) * viva_abs(h);
  return fine * h;
}

/* digits: 1, or by how much less exact f itself is because it holds integrals */
static viva_real viva_integral(viva_body *f, const void *self, viva_real *w, viva_real a, viva_real b, viva_real digits) {
  if (!(viva_abs(a) <= VIVA_LARGEST && viva_abs(b) <= VIVA_LARGEST)) return (viva_real)NAN;
  viva_real error;
  const viva_real first = viva_kronrod(f, self, w, a, b, &error);
  const viva_real tolerance = VIVA_FINE * digits * viva_abs(first) + VIVA_TINY;
  if (error <= tolerance || !(viva_abs(first) <= VIVA_LARGEST)) return first;
  /* halves of halves, left to right, each to its share */
  viva_real from[51], to[51], sum = 0;
  int top = 0, used = 0;
  from[0] = a;
  to[0] = b;
  while (top >= 0) {
    const viva_real l = from[top], r = to[top], mid = (l + r) / 2;
    const viva_real part = viva_kronrod(f, self, w, l, r, &error);
    const int small = error <= tolerance * viva_abs((r - l) / (b - a)) || error <= VIVA_FINER * digits * viva_abs(part);
    if (small || top >= 50 || mid == l || mid == r || ++used > 4000) {
      sum += part;
      top--;
      continue;
    }
    to[top] = r;
    from[top] = mid;
    top++;
    from[top] = l;
    to[top] = mid;
  }
  return sum;
}

/* section inverse */
/* f(s) = y by Newton's method inside a bracket that is found by doubling; for an f that rises or falls throughout. */
static viva_real viva_inverse(viva_body *f, const void *self, viva_real *w, viva_real y) {
  if (!(viva_abs(y) <= VIVA_LARGEST)) return (viva_real)NAN;
  viva_real slope, lo = 0, hi = 0;
  const viva_real f0 = f(self, w, 0, &slope) - y;
  if (f0 == 0) return 0;
  /* the side on which the value is reached */
  const viva_real direction = (f0 < 0) == (slope > 0) ? 1 : -1;
  viva_real reach = 1, flo = f0, fhi = f0;
  for (int i = 0; i < 1100; i++, reach *= 2) {
    hi = direction * reach;
    fhi = f(self, w, hi, &slope) - y;
    if (!(viva_abs(fhi) <= VIVA_LARGEST)) return (viva_real)NAN;
    if ((fhi < 0) != (f0 < 0) || fhi == 0) break;
    lo = hi;
    flo = fhi;
  }
  if ((fhi < 0) == (f0 < 0) && fhi != 0) return (viva_real)NAN;
  viva_real s = lo - flo * (hi - lo) / (fhi - flo);
  for (int i = 0; i < 200; i++) {
    const viva_real g = f(self, w, s, &slope) - y;
    if (g == 0) return s;
    if ((g < 0) == (flo < 0)) lo = s, flo = g;
    else hi = s, fhi = g;
    viva_real next = s - g / slope;
    const int inside = (next - lo) * (next - hi) < 0;
    if (!(viva_abs(next) <= VIVA_LARGEST) || !inside) next = lo + (hi - lo) / 2;
    if (next == s || viva_abs(next - s) <= VIVA_FINEST * viva_abs(s)) return next;
    s = next;
  }
  return s;
}

/* section end */
