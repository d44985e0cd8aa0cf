// Energy, constraints and derivatives of single parts. See the head of element.h.
#include "statics/element.h"

#include <math.h>
#include <string.h>

// ---- positions

static void add_node(const Structure *s, uint32_t node, Element *e) {
  for (uint32_t i = 0; i < s->dim; i++) e->dof[e->dofs++] = node * s->dim + i;
}

void element_places(const Structure *s, ElementKind kind, uint32_t index, Element *e) {
  uint32_t nodes[4], count = 0;
  e->dofs = e->rows = 0;
  switch (kind) {
  case element_bar:
    nodes[count++] = s->bars.items[index].a;
    nodes[count++] = s->bars.items[index].b;
    e->rows = 1;
    break;
  case element_tie:
    nodes[count++] = s->ties.items[index].node;
    nodes[count++] = s->ties.items[index].a;
    nodes[count++] = s->ties.items[index].b;
    if (s->ties.items[index].c != structure_none) nodes[count++] = s->ties.items[index].c;
    e->rows = s->dim;
    break;
  case element_slider:
    nodes[count++] = s->sliders.items[index].node;
    e->rows = s->dim - 1;
    break;
  case element_moving_slider:
    nodes[count++] = s->sliders.items[index].node;
    nodes[count++] = s->sliders.items[index].c;
    nodes[count++] = s->sliders.items[index].d;
    e->rows = s->dim;
    break;
  case element_spring:
    nodes[count++] = s->springs.items[index].a;
    nodes[count++] = s->springs.items[index].b;
    break;
  case element_torsion:
    nodes[count++] = s->torsions.items[index].a;
    nodes[count++] = s->torsions.items[index].b;
    nodes[count++] = s->torsions.items[index].c;
    break;
  default:
    nodes[count++] = s->followers.items[index].node;
    nodes[count++] = s->followers.items[index].a;
    nodes[count++] = s->followers.items[index].b;
  }
  for (uint32_t i = 0; i < count; i++) add_node(s, nodes[i], e);
  if (kind == element_moving_slider) e->dof[e->dofs++] = s->nodes * s->dim + s->sliders.items[index].extra;
}

// ---- bars and springs

// Length and direction of the line between the first two nodes of a part. A line without length has the first axis.
static double line_of(const Structure *s, const Element *e, const double *x, double u[3]) {
  double sum = 0;
  for (uint32_t i = 0; i < s->dim; i++) {
    u[i] = x[e->dof[s->dim + i]] - x[e->dof[i]];
    sum += u[i] * u[i];
  }
  double l = sqrt(sum);
  for (uint32_t i = 0; i < s->dim; i++) u[i] = l > 0 ? u[i] / l : i == 0;
  return l;
}

static void along_line(uint32_t dim, const double u[3], double by, double *out) {
  for (uint32_t i = 0; i < dim; i++) {
    out[i] = -by * u[i];
    out[dim + i] = by * u[i];
  }
}

// H = a g + b t.
static void line_hessian(uint32_t dim, const double u[3], double a, double b, double *H) {
  uint32_t n = 2 * dim;
  for (uint32_t i = 0; i < dim; i++) {
    for (uint32_t j = 0; j < dim; j++) {
      double entry = a * u[i] * u[j] + (i == j ? b : 0);
      H[i * n + j] = H[(dim + i) * n + dim + j] = entry;
      H[i * n + dim + j] = H[(dim + i) * n + j] = -entry;
    }
  }
}

// A cable pulls where it is taut, and never pushes, whatever its law says.
void element_spring_law(const Structure *s, const StructureSpring *spring, double e, double *force, double *slope) {
  if (spring->law != structure_none) s->laws.items[spring->law].value(s->laws.items[spring->law].data, e, force, slope);
  else {
    *force = spring->stiffness * e;
    *slope = spring->stiffness;
  }
  if (spring->cable && (e <= 0 || *force < 0)) *force = *slope = 0;
}

// The work of a law from 0 to e, by Gauss's rule of order 16; halves are taken until they agree.
static double law_piece(const Structure *s, const StructureSpring *spring, double a, double b) {
  static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  static const double by[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  double middle = (a + b) / 2, half = (b - a) / 2, sum = 0, left, right, slope;
  for (int i = 0; i < 4; i++) {
    element_spring_law(s, spring, middle - half * at[i], &left, &slope);
    element_spring_law(s, spring, middle + half * at[i], &right, &slope);
    sum += by[i] * (left + right);
  }
  return half * sum;
}

static double law_work(const Structure *s, const StructureSpring *spring, double a, double b, double whole, int depth) {
  double middle = (a + b) / 2, left = law_piece(s, spring, a, middle), right = law_piece(s, spring, middle, b);
  const double close = 1e-14; // rounding of sixteen terms
  if (depth == 0 || fabs(left + right - whole) <= close * (fabs(left) + fabs(right))) return left + right;
  return law_work(s, spring, a, middle, left, depth - 1) + law_work(s, spring, middle, b, right, depth - 1);
}

static double spring_energy(const Structure *s, const StructureSpring *spring, double e) {
  if (spring->cable && e <= 0) return 0;
  if (spring->law == structure_none) return spring->stiffness * e * e / 2;
  return law_work(s, spring, 0, e, law_piece(s, spring, 0, e), 10);
}

static void spring_eval(const Structure *s, uint32_t index, const double *x, Element *e) {
  const StructureSpring *spring = &s->springs.items[index];
  double u[3], slope;
  e->length = line_of(s, e, x, u);
  element_spring_law(s, spring, e->length - spring->length, &e->force, &slope);
  e->energy = spring_energy(s, spring, e->length - spring->length);
  along_line(s->dim, u, e->force, e->gradient);
}

static void spring_hessian(const Structure *s, uint32_t index, const double *x, const Element *e, bool convex,
                           double *H) {
  double u[3], l = line_of(s, e, x, u), force, slope;
  const StructureSpring *spring = &s->springs.items[index];
  element_spring_law(s, spring, l - spring->length, &force, &slope);
  // at length 0 the direction is anyone's: the force of a spring with a rest length has no derivative there
  double across = l > 0 ? force / l : spring->length == 0 ? slope : 0;
  if (convex) {
    across = fmax(across, 0);
    slope = fmax(slope, 0);
  }
  line_hessian(s->dim, u, slope - across, across, H);
}

// ---- torsions

// In a plane: the angle of v as seen from its start has the gradient (-v_y, v_x) / r^2.
static void turn_of(const double v[2], double J[2], double H[2][2]) {
  double r2 = v[0] * v[0] + v[1] * v[1];
  J[0] = -v[1] / r2;
  J[1] = v[0] / r2;
  H[0][0] = 2 * v[0] * v[1] / (r2 * r2);
  H[0][1] = H[1][0] = (v[1] * v[1] - v[0] * v[0]) / (r2 * r2);
  H[1][1] = -H[0][0];
}

// The Hessian by u = a - b and v = c - b (both triangles of the whole), spread over a, b, c.
static void spread(uint32_t dim, double uu[3][3], double uv[3][3], double vv[3][3], double *H) {
  uint32_t n = 3 * dim;
  for (uint32_t i = 0; i < dim; i++) {
    for (uint32_t j = 0; j < dim; j++) {
      double a = uu[i][j], b = uv[i][j], b_turned = uv[j][i], c = vv[i][j];
      H[i * n + j] = a;
      H[i * n + 2 * dim + j] = b;
      H[(2 * dim + i) * n + j] = b_turned;
      H[(2 * dim + i) * n + 2 * dim + j] = c;
      H[i * n + dim + j] = -(a + b);
      H[(dim + i) * n + j] = -(a + b_turned);
      H[(2 * dim + i) * n + dim + j] = -(b_turned + c);
      H[(dim + i) * n + 2 * dim + j] = -(b + c);
      H[(dim + i) * n + dim + j] = a + b + b_turned + c;
    }
  }
}

typedef struct Arms {
  double u[3], v[3];
} Arms;

static Arms arms_of(const Structure *s, const Element *e, const double *x) {
  Arms r = {{0}, {0}};
  for (uint32_t i = 0; i < s->dim; i++) {
    r.u[i] = x[e->dof[i]] - x[e->dof[s->dim + i]];
    r.v[i] = x[e->dof[2 * s->dim + i]] - x[e->dof[s->dim + i]];
  }
  return r;
}

// The angle between two arms in space by its cosine f, with df/du = p/|u|, df/dv = q/|v|.
typedef struct Between {
  double lu, lv, f, sine, u[3], v[3], p[3], q[3];
} Between;

static Between between_of(const Arms *r) {
  Between b = {0};
  for (int i = 0; i < 3; i++) {
    b.lu += r->u[i] * r->u[i];
    b.lv += r->v[i] * r->v[i];
  }
  b.lu = sqrt(b.lu);
  b.lv = sqrt(b.lv);
  for (int i = 0; i < 3; i++) {
    b.u[i] = r->u[i] / b.lu;
    b.v[i] = r->v[i] / b.lv;
    b.f += b.u[i] * b.v[i];
  }
  double sine2 = 0;
  for (int i = 0; i < 3; i++) {
    b.p[i] = b.v[i] - b.f * b.u[i];
    b.q[i] = b.u[i] - b.f * b.v[i];
    sine2 += b.p[i] * b.p[i];
  }
  b.sine = fmax(sqrt(sine2), 1e-8); // straight arms have no plane: the derivative stays finite
  return b;
}

// d(angle)/d(a, b, c).
static void torsion_slope(const Structure *s, const Arms *r, double *J) {
  double u[3] = {0}, v[3] = {0}, H[2][2];
  if (s->dim == 2) {
    turn_of(r->u, u, H);
    turn_of(r->v, v, H);
    for (int i = 0; i < 2; i++) u[i] = -u[i];
  } else {
    Between b = between_of(r);
    for (int i = 0; i < 3; i++) {
      u[i] = -b.p[i] / (b.lu * b.sine);
      v[i] = -b.q[i] / (b.lv * b.sine);
    }
  }
  for (uint32_t i = 0; i < s->dim; i++) {
    J[i] = u[i];
    J[s->dim + i] = -u[i] - v[i];
    J[2 * s->dim + i] = v[i];
  }
}

static double torsion_angle(const Structure *s, const Arms *r, double near) {
  const double whole = 6.283185307179586476925286766559;
  if (s->dim == 3) {
    Between b = between_of(r);
    return atan2(b.sine > 1e-8 ? b.sine : 0, b.f);
  }
  double angle = atan2(r->u[0] * r->v[1] - r->u[1] * r->v[0], r->u[0] * r->v[0] + r->u[1] * r->v[1]);
  return angle - whole * round((angle - near) / whole);
}

static void torsion_eval(const Structure *s, uint32_t index, const double *x, double near, Element *e) {
  const StructureTorsion *t = &s->torsions.items[index];
  Arms r = arms_of(s, e, x);
  e->angle = torsion_angle(s, &r, near);
  e->force = t->stiffness * (e->angle - t->rest);
  e->energy = e->force * (e->angle - t->rest) / 2;
  torsion_slope(s, &r, e->gradient);
  for (uint32_t i = 0; i < e->dofs; i++) e->gradient[i] *= e->force;
}

static void bend_in_space(const Arms *r, double by, double uu[3][3], double uv[3][3], double vv[3][3]) {
  Between b = between_of(r);
  double d1 = -by / b.sine, d2 = -by * b.f / (b.sine * b.sine * b.sine);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double one = i == j;
      double fuu = -(b.u[i] * b.p[j] + b.p[i] * b.u[j] + b.f * (one - b.u[i] * b.u[j])) / (b.lu * b.lu);
      double fvv = -(b.v[i] * b.q[j] + b.q[i] * b.v[j] + b.f * (one - b.v[i] * b.v[j])) / (b.lv * b.lv);
      double fuv = (one - b.v[i] * b.v[j] - b.u[i] * b.q[j]) / (b.lu * b.lv);
      uu[i][j] = d1 * fuu + d2 * b.p[i] * b.p[j] / (b.lu * b.lu);
      vv[i][j] = d1 * fvv + d2 * b.q[i] * b.q[j] / (b.lv * b.lv);
      uv[i][j] = d1 * fuv + d2 * b.p[i] * b.q[j] / (b.lu * b.lv);
    }
  }
}

// k J J' + M d2(angle), M the moment.
static void torsion_hessian(const Structure *s, uint32_t index, const double *x, const Element *e, bool convex,
                            double *H) {
  double k = s->torsions.items[index].stiffness, moment = convex ? 0 : e->force, J[9];
  double uu[3][3] = {{0}}, uv[3][3] = {{0}}, vv[3][3] = {{0}}, turn[2], hu[2][2], hv[2][2];
  Arms r = arms_of(s, e, x);
  if (s->dim == 2) {
    turn_of(r.u, turn, hu);
    turn_of(r.v, turn, hv);
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        uu[i][j] = -moment * hu[i][j];
        vv[i][j] = moment * hv[i][j];
      }
    }
  } else if (moment != 0) bend_in_space(&r, moment, uu, uv, vv);
  spread(s->dim, uu, uv, vv, H);
  torsion_slope(s, &r, J);
  for (uint32_t i = 0; i < e->dofs; i++) {
    for (uint32_t j = 0; j < e->dofs; j++) H[i * e->dofs + j] += k * J[i] * J[j];
  }
}

// ---- ties: x_n - x_a - p u - q v - r u x v, u = x_b - x_a, v = x_c - x_a; of a body on a line no c, q = r = 0

static void cross3(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void tie_eval(const Structure *s, uint32_t index, const double *x, Element *e) {
  const StructureTie *t = &s->ties.items[index];
  uint32_t d = s->dim;
  bool line = t->c == structure_none;
  double u[3] = {0}, v[3] = {0}, n[3] = {0}, by_u[3], by_v[3];
  for (uint32_t i = 0; i < d; i++) {
    u[i] = x[e->dof[2 * d + i]] - x[e->dof[d + i]];
    v[i] = line ? 0 : x[e->dof[3 * d + i]] - x[e->dof[d + i]];
  }
  if (d == 3) cross3(u, v, n);
  for (uint32_t i = 0; i < d; i++) {
    e->c[i] = x[e->dof[i]] - x[e->dof[d + i]] - t->p * u[i] - t->q * v[i] - t->r * n[i];
    memset(e->slope[i], 0, sizeof e->slope[i]);
    double axis[3] = {i == 0, i == 1, i == 2};
    cross3(v, axis, by_u); // (u x v)_i = axis . (u x v) = u . (v x axis) = v . (axis x u)
    cross3(axis, u, by_v);
    e->slope[i][i] = 1;
    for (uint32_t j = 0; j < d; j++) {
      double b = -t->p * axis[j] - t->r * by_u[j], c = -t->q * axis[j] - t->r * by_v[j];
      e->slope[i][2 * d + j] = b;
      if (!line) e->slope[i][3 * d + j] = c;
      e->slope[i][d + j] = -axis[j] - b - c;
    }
  }
}

// -r lambda . (u x v): d2/du_i dv_j = -r (e_j x lambda)_i, spread over a, b, c.
static void tie_curvature(const Structure *s, uint32_t index, const Element *e, const double *lambda, double *H) {
  double r = s->ties.items[index].r;
  if (s->dim == 2 || r == 0) return;
  for (uint32_t j = 0; j < 3; j++) {
    double axis[3] = {j == 0, j == 1, j == 2}, column[3];
    cross3(axis, lambda, column);
    for (uint32_t i = 0; i < 3; i++) {
      double w = -r * column[i];
      uint32_t a[2] = {3 + i, 6 + i}, b[2] = {3 + j, 9 + j};
      for (int k = 0; k < 4; k++) {
        double sign = (k & 1 ? 1 : -1) * (k & 2 ? 1 : -1);
        H[a[k & 1] * e->dofs + b[k >> 1]] += sign * w;
        H[b[k >> 1] * e->dofs + a[k & 1]] += sign * w;
      }
    }
  }
}

// ---- sliders

static void slider_eval(const Structure *s, uint32_t index, const double *x, Element *e) {
  const StructureSlider *slider = &s->sliders.items[index];
  for (uint32_t k = 0; k < e->rows; k++) {
    e->c[k] = 0;
    for (uint32_t i = 0; i < s->dim; i++) {
      e->c[k] += slider->normal[k][i] * (x[e->dof[i]] - slider->point[i]);
      e->slope[k][i] = slider->normal[k][i];
    }
  }
}

// x_n - x_c - part (x_d - x_c), part = s / scale
static void moving_slider_eval(const Structure *s, uint32_t index, const double *x, Element *e) {
  const StructureSlider *slider = &s->sliders.items[index];
  uint32_t d = s->dim;
  uint32_t extra = 3 * d;
  double part = x[e->dof[extra]] / slider->scale;
  for (uint32_t i = 0; i < d; i++) {
    double line = x[e->dof[2 * d + i]] - x[e->dof[d + i]];
    e->c[i] = x[e->dof[i]] - x[e->dof[d + i]] - part * line;
    memset(e->slope[i], 0, sizeof e->slope[i]);
    e->slope[i][i] = 1;
    e->slope[i][d + i] = part - 1;
    e->slope[i][2 * d + i] = -part;
    e->slope[i][extra] = -line / slider->scale;
  }
}

static void moving_slider_curvature(const Structure *s, uint32_t index, const Element *e, const double *lambda,
                                    double *H) {
  uint32_t d = s->dim, extra = 3 * d, n = e->dofs;
  for (uint32_t i = 0; i < d; i++) {
    double w = lambda[i] / s->sliders.items[index].scale;
    H[extra * n + d + i] += w;
    H[(d + i) * n + extra] += w;
    H[extra * n + 2 * d + i] -= w;
    H[(2 * d + i) * n + extra] -= w;
  }
}

// ---- loads that follow a bar

// The force rotated as the line has rotated from where it was drawn, by the shortest rotation:
// F = c f + w x f + w (w . f)/(1 + c), w = drawn x u, c = drawn . u. Its derivative along du by the same terms.
static void turned(uint32_t dim, const double f[3], const double drawn[3], const double u[3], const double *du,
                   double out[3]) {
  double w[3], c = 0, wf = 0, across[3], dw[3], dc = 0, dwf = 0, dacross[3];
  cross3(drawn, u, w);
  for (int i = 0; i < 3; i++) {
    c += drawn[i] * u[i];
    wf += w[i] * f[i];
  }
  double bend = dim == 2 ? 0 : 1 / fmax(1 + c, 1e-12); // in a plane w . f = 0, also when the line is reversed
  cross3(w, f, across);
  for (int i = 0; i < 3 && !du; i++) out[i] = c * f[i] + across[i] + w[i] * wf * bend;
  if (!du) return;
  cross3(drawn, du, dw);
  for (int i = 0; i < 3; i++) {
    dc += drawn[i] * du[i];
    dwf += dw[i] * f[i];
  }
  cross3(dw, f, dacross);
  for (int i = 0; i < 3; i++) {
    out[i] = dc * f[i] + dacross[i] + bend * (dw[i] * wf + w[i] * dwf - w[i] * wf * dc * bend);
  }
}

void element_follow(const Structure *s, uint32_t index, const double *x, double force[3]) {
  const StructureFollower *load = &s->followers.items[index];
  double u[3] = {0}, l = 0;
  for (uint32_t i = 0; i < s->dim; i++) {
    u[i] = x[(size_t)load->b * s->dim + i] - x[(size_t)load->a * s->dim + i];
    l += u[i] * u[i];
  }
  l = sqrt(l);
  for (uint32_t i = 0; i < s->dim; i++) u[i] /= l;
  turned(s->dim, load->force, load->drawn, u, NULL, force);
}

static void follower_hessian(const Structure *s, uint32_t index, const double *x, const Element *e, double *H) {
  const StructureFollower *load = &s->followers.items[index];
  uint32_t d = s->dim;
  double u[3] = {0}, l = 0;
  for (uint32_t i = 0; i < d; i++) {
    u[i] = x[e->dof[2 * d + i]] - x[e->dof[d + i]];
    l += u[i] * u[i];
  }
  l = sqrt(l);
  for (uint32_t i = 0; i < d; i++) u[i] /= l;
  for (uint32_t j = 0; j < d; j++) {
    double du[3] = {0}, dF[3];
    for (uint32_t i = 0; i < d; i++) du[i] = ((i == j) - u[i] * u[j]) / l;
    turned(d, load->force, load->drawn, u, du, dF);
    for (uint32_t i = 0; i < d; i++) { // the gradient has -F
      H[i * e->dofs + 2 * d + j] -= dF[i];
      H[i * e->dofs + d + j] += dF[i];
    }
  }
}

// ---- all

void element_eval(const Structure *s, ElementKind kind, uint32_t index, const double *x, double near, Element *e) {
  double u[3];
  element_places(s, kind, index, e);
  e->energy = 0;
  switch (kind) {
  case element_bar:
    e->length = line_of(s, e, x, u);
    e->c[0] = e->length - s->bars.items[index].length;
    along_line(s->dim, u, 1, e->slope[0]);
    break;
  case element_tie: tie_eval(s, index, x, e); break;
  case element_slider: slider_eval(s, index, x, e); break;
  case element_moving_slider: moving_slider_eval(s, index, x, e); break;
  case element_spring: spring_eval(s, index, x, e); break;
  case element_torsion: torsion_eval(s, index, x, near, e); break;
  default: break;
  }
}

// sum of lambda d2c
static void curvature(const Structure *s, ElementKind kind, uint32_t index, const double *x, const Element *e,
                      const double *lambda, bool convex, double *H) {
  double u[3];
  if (kind == element_bar) {
    double across = e->length > 0 ? lambda[0] / e->length : 0;
    if (convex) across = fmax(across, 0);
    line_of(s, e, x, u);
    line_hessian(s->dim, u, -across, across, H);
  } else if (kind == element_tie && !convex) tie_curvature(s, index, e, lambda, H);
  else if (kind == element_moving_slider && !convex) moving_slider_curvature(s, index, e, lambda, H);
}

void element_hessian(const Structure *s, ElementKind kind, uint32_t index, const double *x, const Element *e,
                     const ElementRequest *request, double *H) {
  uint32_t n = e->dofs;
  memset(H, 0, sizeof *H * n * n);
  if (request->energy && kind == element_spring) spring_hessian(s, index, x, e, request->convex, H);
  if (request->energy && kind == element_torsion) torsion_hessian(s, index, x, e, request->convex, H);
  if (request->energy && kind == element_follower) follower_hessian(s, index, x, e, H);
  if (e->rows == 0) return;
  double lambda[element_rows];
  for (uint32_t k = 0; k < e->rows; k++) {
    lambda[k] = (request->lambda ? request->lambda[k] : 0) + (request->shifted ? request->weight * e->c[k] : 0);
  }
  curvature(s, kind, index, x, e, lambda, request->convex, H);
  for (uint32_t k = 0; k < e->rows && request->weight != 0; k++) {
    for (uint32_t i = 0; i < n; i++) {
      double by = request->weight * e->slope[k][i];
      for (uint32_t j = 0; j < n; j++) H[i * n + j] += by * e->slope[k][j];
    }
  }
}
