// The articulated-body recursion over numbers of the type viva_real: one state, or eight of them as vectors. No include
// guard: this is a template (kernel_tree.c).
//
// Notation: vectors of a link are in its own axes, at its own joint. e turns vectors of the parent into the link, r is
// the joint in the parent's frame. Motions (w, v) and forces (n, f): the angular part first.
/* section tree_pass */
typedef struct viva_link {
  viva_real e[9], r[3];
  viva_real w[3], v[3];       /* velocity */
  viva_real j[3];             /* velocity in the joint: one number, or three of a ball */
  viva_real cw[3], cv[3];     /* the part of the acceleration that velocities make */
  viva_real a[9], b[9], c[9]; /* articulated inertia [a b; b' c], both triangles */
  viva_real n[3], f[3];       /* articulated bias force */
  viva_real uw[3], uv[3];     /* inertia times the axis */
  viva_real g[9];             /* the inertia of the joint upside down: one number, or nine of a ball */
  viva_real u[3];             /* what is left of the force in the joint */
  viva_real aw[3], av[3];     /* acceleration, where the ground accelerates against gravity */
  viva_real pivot[3], whole[3];
} viva_link;

static inline void viva_tree_cross(const viva_real *a, const viva_real *b, viva_real *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out += a x b */
static inline void viva_tree_add_cross(const viva_real *a, const viva_real *b, viva_real *out) {
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

/* e a */
static inline void viva_tree_turn(const viva_real *e, const viva_real *a, viva_real *out) {
  for (unsigned i = 0; i < 3; i++) out[i] = e[3 * i] * a[0] + e[3 * i + 1] * a[1] + e[3 * i + 2] * a[2];
}

/* e' a */
static inline void viva_tree_back(const viva_real *e, const viva_real *a, viva_real *out) {
  for (unsigned i = 0; i < 3; i++) out[i] = e[i] * a[0] + e[3 + i] * a[1] + e[6 + i] * a[2];
}

/* e' m e */
static inline void viva_tree_turn_matrix(const viva_real *e, const viva_real *m, viva_real *out) {
  viva_real half[9];
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < 3; k++)
      half[3 * i + k] = m[3 * i] * e[k] + m[3 * i + 1] * e[3 + k] + m[3 * i + 2] * e[6 + k];
  }
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < 3; k++) out[3 * i + k] = e[i] * half[k] + e[3 + i] * half[3 + k] + e[6 + i] * half[6 + k];
  }
}

/* e' m e for e = [c s; -s c] about the axis x. Across it, with t = c (m_yy - m_zz) - s (m_yz + m_zy), c t goes from
 * m_yy to m_zz and s t is added to both others, because c^2 + s^2 = 1. */
static inline void viva_tree_about(unsigned x, viva_real s, viva_real c, viva_real *m) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real t = c * (m[4 * y] - m[4 * z]) - s * (m[3 * y + z] + m[3 * z + y]), ct = c * t, st = s * t;
  const viva_real yy = m[4 * y], right = m[3 * x + y], down = m[3 * y + x];
  m[4 * y] = m[4 * z] + ct;
  m[4 * z] = yy - ct;
  m[3 * y + z] += st;
  m[3 * z + y] += st;
  m[3 * x + y] = c * right - s * m[3 * x + z];
  m[3 * x + z] = s * right + c * m[3 * x + z];
  m[3 * y + x] = c * down - s * m[3 * z + x];
  m[3 * z + x] = s * down + c * m[3 * z + x];
}

static inline void viva_tree_turn_all(unsigned x, viva_real s, viva_real c, viva_real *m, viva_real *n, viva_real *o) {
  viva_tree_about(x, s, c, m);
  viva_tree_about(x, s, c, n);
  viva_tree_about(x, s, c, o);
}

/* Where the link is beside its parent. */
static inline void viva_tree_place(const viva_tree *s, unsigned i, const viva_real *a, viva_link *l) {
  const unsigned x = s->joint[i] % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real *q = a + s->position[i], *number = a + s->number + viva_tree_numbers * i, *turn = number + 3;
  for (unsigned k = 0; k < 3; k++) l->r[k] = number[k];
  for (unsigned k = 0; k < 9; k++) l->e[k] = turn[k];
  if (s->joint[i] < viva_tree_prismatic) {
    const viva_real sine = s->sign[i] * a[s->sine[i]], cosine = a[s->sine[i] + 1];
    for (unsigned k = 0; k < 3; k++) {
      l->e[3 * y + k] = cosine * turn[3 * y + k] + sine * turn[3 * z + k];
      l->e[3 * z + k] = cosine * turn[3 * z + k] - sine * turn[3 * y + k];
    }
  } else if (s->joint[i] < viva_tree_ball) {
    const viva_real way = s->sign[i] * q[0];
    for (unsigned k = 0; k < 3; k++) l->r[k] += way * turn[3 * x + k];
  } else {
    const viva_real xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
    const viva_real wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
    const viva_real xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
    viva_real m[9]; /* from the joint's frame into the link */
    m[0] = yy + zz, m[0] = 1 - (m[0] + m[0]);
    m[4] = xx + zz, m[4] = 1 - (m[4] + m[4]);
    m[8] = xx + yy, m[8] = 1 - (m[8] + m[8]);
    m[1] = xy + wz, m[1] += m[1], m[3] = xy - wz, m[3] += m[3];
    m[2] = xz - wy, m[2] += m[2], m[6] = xz + wy, m[6] += m[6];
    m[5] = yz + wx, m[5] += m[5], m[7] = yz - wx, m[7] += m[7];
    for (unsigned k = 0; k < 9; k++)
      l->e[k] = m[k / 3 * 3] * turn[k % 3] + m[k / 3 * 3 + 1] * turn[3 + k % 3] + m[k / 3 * 3 + 2] * turn[6 + k % 3];
  }
}

/* Its velocity, and what of its acceleration that makes. */
static inline void viva_tree_move(const viva_tree *s, unsigned i, const viva_real *a, viva_link *l,
                                  const viva_link *up) {
  const unsigned x = s->joint[i] % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real *qd = a + s->positions + s->velocity[i];
  const viva_real zero = {0};
  for (unsigned k = 0; k < 3; k++) l->w[k] = l->v[k] = l->cw[k] = l->cv[k] = zero;
  if (up) {
    viva_real moved[3];
    viva_tree_cross(up->w, l->r, moved);
    for (unsigned k = 0; k < 3; k++) moved[k] += up->v[k];
    viva_tree_turn(l->e, up->w, l->w);
    viva_tree_turn(l->e, moved, l->v);
  }
  if (s->joint[i] < viva_tree_ball) l->j[0] = s->sign[i] * qd[0];
  if (s->joint[i] < viva_tree_prismatic) {
    l->w[x] += l->j[0];
    l->cw[y] = l->w[z] * l->j[0];
    l->cw[z] = -l->w[y] * l->j[0];
    l->cv[y] = l->v[z] * l->j[0];
    l->cv[z] = -l->v[y] * l->j[0];
  } else if (s->joint[i] < viva_tree_ball) {
    l->v[x] += l->j[0];
    l->cv[y] = l->w[z] * l->j[0];
    l->cv[z] = -l->w[y] * l->j[0];
  } else {
    for (unsigned k = 0; k < 3; k++) l->j[k] = qd[k], l->w[k] += qd[k];
    viva_tree_cross(l->w, l->j, l->cw);
    viva_tree_cross(l->v, l->j, l->cv);
  }
}

/* Momenta, in the link's own frame: angular, linear. */
static inline void viva_tree_momenta(const viva_real *number, const viva_real *w, const viva_real *v,
                                     viva_real *angular, viva_real *linear) {
  const viva_real *h = number + 13, *m = number + 16;
  viva_tree_cross(h, v, angular);
  angular[0] += m[0] * w[0] + m[3] * w[1] + m[4] * w[2];
  angular[1] += m[3] * w[0] + m[1] * w[1] + m[5] * w[2];
  angular[2] += m[4] * w[0] + m[5] * w[1] + m[2] * w[2];
  viva_tree_cross(w, h, linear);
  for (unsigned k = 0; k < 3; k++) linear[k] += number[12] * v[k];
}

/* The inertia of the link alone, and the force that its own velocity asks for. */
static inline void viva_tree_load(const viva_tree *s, unsigned i, const viva_real *a, viva_link *l) {
  const viva_real *number = a + s->number + viva_tree_numbers * i, *h = number + 13, *m = number + 16;
  const viva_real zero = {0};
  viva_real angular[3], linear[3];
  l->a[0] = m[0], l->a[4] = m[1], l->a[8] = m[2];
  l->a[1] = l->a[3] = m[3], l->a[2] = l->a[6] = m[4], l->a[5] = l->a[7] = m[5];
  l->b[0] = l->b[4] = l->b[8] = zero;
  l->b[1] = -h[2], l->b[2] = h[1], l->b[5] = -h[0];
  l->b[3] = h[2], l->b[6] = -h[1], l->b[7] = h[0];
  for (unsigned k = 0; k < 9; k++) l->c[k] = k % 4 ? zero : number[12];
  viva_tree_momenta(number, l->w, l->v, angular, linear);
  viva_tree_cross(l->w, angular, l->n);
  viva_tree_add_cross(l->v, linear, l->n);
  viva_tree_cross(l->w, linear, l->f);
}

/* The joint of one axis gives way: the inertia and the force behind it, (a b c, n f), become what its parent feels. */
static inline void viva_tree_give(const viva_tree *s, unsigned i, const viva_real *a, viva_link *l) {
  const unsigned turns = s->joint[i] < viva_tree_prismatic, x = s->joint[i] % 3;
  const viva_real zero = {0}, tau = s->sign[i] * a[s->force + s->velocity[i]];
  viva_real part[6];
  for (unsigned k = 0; k < 3; k++) {
    l->uw[k] = turns ? l->a[3 * k + x] : l->b[3 * k + x];
    l->uv[k] = turns ? l->b[3 * x + k] : l->c[3 * k + x];
  }
  l->pivot[0] = turns ? l->uw[x] : l->uv[x];
  l->whole[0] = turns ? l->a[0] + l->a[4] + l->a[8] : l->c[0] + l->c[4] + l->c[8];
  l->g[0] = 1 / l->pivot[0];
  l->u[0] = tau - (turns ? l->n[x] : l->f[x]);
  if (!s->parent[i]) return;
  for (unsigned k = 0; k < 3; k++) part[k] = l->uw[k] * l->g[0], part[3 + k] = l->uv[k] * l->g[0];
  for (unsigned k = 0; k < 9; k++) {
    l->a[k] -= l->uw[k / 3] * part[k % 3];
    l->b[k] -= l->uw[k / 3] * part[3 + k % 3];
    l->c[k] -= l->uv[k / 3] * part[3 + k % 3];
  }
  for (unsigned k = 0; k < 3; k++) {
    l->n[k] += part[k] * l->u[0];
    l->f[k] += part[3 + k] * l->u[0];
  }
  /* along the joint nothing is left but its own force: no rounding of what was large */
  for (unsigned k = 0; k < 3; k++) {
    viva_real *rest = turns ? l->a : l->c;
    rest[3 * x + k] = rest[3 * k + x] = l->b[turns ? 3 * x + k : 3 * k + x] = zero;
  }
  *(turns ? &l->n[x] : &l->f[x]) = tau;
}

/* The inverse of a symmetric a by a = L D L'; its pivots. */
static inline void viva_tree_invert(const viva_real *a, viva_real *pivot, viva_real *g) {
  const viva_real one = 1 / a[0], l10 = a[3] * one, l20 = a[6] * one;
  pivot[0] = a[0];
  pivot[1] = a[4] - l10 * a[3];
  const viva_real under = a[7] - l20 * a[3], two = 1 / pivot[1], l21 = under * two;
  pivot[2] = a[8] - l20 * a[6] - l21 * under;
  const viva_real m20 = l10 * l21 - l20, three = 1 / pivot[2]; /* L^-1: -l10, m20, -l21 */
  g[8] = three;
  g[5] = g[7] = -l21 * three;
  g[2] = g[6] = m20 * three;
  g[4] = two + l21 * l21 * three;
  g[1] = g[3] = -l10 * two - l21 * m20 * three;
  g[0] = one + l10 * l10 * two + m20 * m20 * three;
}

/* The same of a ball: nothing of its torque is left. */
static inline void viva_tree_give_ball(const viva_tree *s, unsigned i, const viva_real *a, viva_link *l) {
  viva_real half[9], part[3];
  viva_tree_invert(l->a, l->pivot, l->g);
  for (unsigned k = 0; k < 3; k++) {
    l->whole[k] = l->a[4 * k];
    l->u[k] = a[s->force + s->velocity[i] + k] - l->n[k];
  }
  if (!s->parent[i]) return;
  /* half = a^-1 b; c - b' a^-1 b */
  for (unsigned k = 0; k < 9; k++)
    half[k] =
        l->g[k / 3 * 3] * l->b[k % 3] + l->g[k / 3 * 3 + 1] * l->b[3 + k % 3] + l->g[k / 3 * 3 + 2] * l->b[6 + k % 3];
  for (unsigned k = 0; k < 9; k++)
    l->c[k] -= l->b[k / 3] * half[k % 3] + l->b[3 + k / 3] * half[3 + k % 3] + l->b[6 + k / 3] * half[6 + k % 3];
  viva_tree_back(half, l->u, part);
  for (unsigned k = 0; k < 3; k++) {
    l->f[k] += part[k];
    l->n[k] += l->u[k]; /* the torque itself */
  }
}

/* The parent's inertia and force get the child's, with a, b, c turned into its axes:
 * a + r x b' - (b + r x c) rx, b + r x c, c. Behind a ball only c is left. about: the axis of the turn; 3: it is any.
 */
static inline void viva_tree_pass(const viva_link *l, viva_link *up, unsigned ball, unsigned about) {
  viva_real a[9], b[9], c[9], sum[9], bias[3], force[3], product[3];
  const viva_real zero = {0};
  const viva_real *r = l->r;
  if (about < 3) {
    /* the sine and the cosine stand in the turn */
    const unsigned y = (about + 1) % 3, z = (about + 2) % 3;
    const viva_real sine = l->e[3 * y + z], cosine = l->e[4 * y];
    for (unsigned k = 0; k < 9; k++) a[k] = l->a[k], b[k] = l->b[k], c[k] = l->c[k];
    if (about == 0) viva_tree_turn_all(0, sine, cosine, a, b, c);
    else if (about == 1) viva_tree_turn_all(1, sine, cosine, a, b, c);
    else viva_tree_turn_all(2, sine, cosine, a, b, c);
  } else {
    for (unsigned k = 0; k < 9; k++) a[k] = b[k] = zero;
    if (!ball) {
      viva_tree_turn_matrix(l->e, l->a, a);
      viva_tree_turn_matrix(l->e, l->b, b);
    }
    viva_tree_turn_matrix(l->e, l->c, c);
  }
  for (unsigned k = 0; k < 3; k++) {
    /* column k of r x c, added to b */
    sum[k] = b[k] + (r[1] * c[6 + k] - r[2] * c[3 + k]);
    sum[3 + k] = b[3 + k] + (r[2] * c[k] - r[0] * c[6 + k]);
    sum[6 + k] = b[6 + k] + (r[0] * c[3 + k] - r[1] * c[k]);
  }
  for (unsigned i = 0; i < 3; i++) {
    viva_tree_cross(r, sum + 3 * i, product); /* row i of (b + r x c), times rx, is -product */
    for (unsigned k = 0; k < 3; k++) {
      const unsigned y = (i + 1) % 3, z = (i + 2) % 3;
      up->a[3 * i + k] += a[3 * i + k] + (r[y] * b[3 * k + z] - r[z] * b[3 * k + y]) + product[k];
      up->b[3 * i + k] += sum[3 * i + k];
      up->c[3 * i + k] += c[3 * i + k];
    }
  }
  viva_tree_back(l->e, l->n, bias);
  viva_tree_back(l->e, l->f, force);
  viva_tree_add_cross(r, force, bias);
  for (unsigned k = 0; k < 3; k++) up->n[k] += bias[k], up->f[k] += force[k];
}

/* Inertia and force of a link as its parent feels them. */
static inline void viva_tree_inwards(const viva_tree *s, unsigned i, const viva_real *a, viva_link *l) {
  viva_link *x = l + i;
  const unsigned ball = s->joint[i] == viva_tree_ball;
  viva_real bias[3];
  if (ball) viva_tree_give_ball(s, i, a, x);
  else viva_tree_give(s, i, a, x);
  if (!s->parent[i]) return;
  /* what velocities make of the acceleration, times the inertia that is left */
  if (!ball) {
    viva_tree_turn(x->a, x->cw, bias);
    for (unsigned k = 0; k < 3; k++) x->n[k] += bias[k];
    viva_tree_turn(x->b, x->cv, bias);
    for (unsigned k = 0; k < 3; k++) x->n[k] += bias[k];
    viva_tree_back(x->b, x->cw, bias);
    for (unsigned k = 0; k < 3; k++) x->f[k] += bias[k];
  }
  viva_tree_turn(x->c, x->cv, bias);
  for (unsigned k = 0; k < 3; k++) x->f[k] += bias[k];
  viva_tree_pass(x, l + s->parent[i] - 1, ball, s->straight[i] && s->joint[i] < viva_tree_prismatic ? s->joint[i] : 3);
}

/* The acceleration of a link, and of its joint. */
static inline void viva_tree_outwards(const viva_tree *s, unsigned i, const viva_real *a, viva_link *l, viva_real *z) {
  const unsigned x = s->joint[i] % 3, turns = s->joint[i] < viva_tree_prismatic;
  const viva_link *up = s->parent[i] ? l + s->parent[i] - 1 : 0;
  viva_link *own = l + i;
  const viva_real *gravity = a + s->gravity;
  viva_real moved[3], left[3], part[3];
  const viva_real zero = {0};
  for (unsigned k = 0; k < 3; k++) moved[k] = up ? up->av[k] : -gravity[k];
  for (unsigned k = 0; k < 3; k++) own->aw[k] = zero;
  if (up) {
    viva_tree_add_cross(up->aw, own->r, moved);
    viva_tree_turn(own->e, up->aw, own->aw);
  }
  viva_tree_turn(own->e, moved, own->av);
  for (unsigned k = 0; k < 3; k++) own->aw[k] += own->cw[k], own->av[k] += own->cv[k];
  z += s->velocity[i];
  if (s->joint[i] < viva_tree_ball) {
    const viva_real *uw = own->uw, *uv = own->uv;
    const viva_real joint = own->g[0] * (own->u[0] - (uw[0] * own->aw[0] + uw[1] * own->aw[1] + uw[2] * own->aw[2]) -
                                         (uv[0] * own->av[0] + uv[1] * own->av[1] + uv[2] * own->av[2]));
    *(turns ? &own->aw[x] : &own->av[x]) += joint;
    z[0] = s->sign[i] * joint;
  } else {
    /* a (aw + z) = u - b av */
    viva_tree_turn(own->b, own->av, part);
    for (unsigned k = 0; k < 3; k++) left[k] = own->u[k] - part[k];
    viva_tree_turn(own->g, left, part);
    for (unsigned k = 0; k < 3; k++) z[k] = part[k] - own->aw[k], own->aw[k] = part[k];
  }
}

/* a: the operands. z: accelerations. l: a link each. */
static inline void viva_tree_run(const viva_tree *s, const viva_real *a, viva_real *z, viva_link *l) {
  for (unsigned i = 0; i < s->links; i++) {
    viva_tree_place(s, i, a, l + i);
    viva_tree_move(s, i, a, l + i, s->parent[i] ? l + s->parent[i] - 1 : 0);
    viva_tree_load(s, i, a, l + i);
  }
  for (unsigned i = s->links; i-- > 0;) viva_tree_inwards(s, i, a, l);
  for (unsigned i = 0; i < s->links; i++) viva_tree_outwards(s, i, a, l, z);
}
