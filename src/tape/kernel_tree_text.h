// The articulated-body recursion over numbers of the type viva_real: one state, or several of them as vectors. No
// include guard: this is a template (kernel_tree.c).
//
// Notation: vectors of a link are in its own axes, at its own joint. e turns vectors of the parent into the link, r is
// the joint in the parent's frame. Angular parts stand first: accelerations (aw, av), forces (n, f). av is that of the
// point in which the joint stands. A symmetric matrix is six numbers: xx yy zz xy xz yz.
/* section tree_pass */
typedef struct viva_link {
  viva_real n[3], f[3];   /* the force behind its joint; on the way out again its acceleration */
  viva_real cw[3], cv[3]; /* the part of the acceleration that velocities make */
  viva_real uw[3], uv[3]; /* inertia times the axis */
  viva_real u, g;         /* what is left of the force in the joint; the inertia of the joint upside down */
  viva_real margin[3];    /* by how much the inertia in the joint is more than rounding: one number, of a ball three */
  union {
    struct {
      viva_real w[3]; /* velocity; until the way in */
    } out;
    struct {
      viva_real a[6], b[9], c[6]; /* inertia [a b; b' c] of what hangs on it; until its own turn comes */
    } in;
    struct {
      viva_real g[9], b[9], u[3]; /* a upside down, b, and what is left of the torque; from then on */
      viva_real c[6];             /* of c what the parent feels */
    } ball;
  } now;
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

/* v := e v */
static inline void viva_tree_turn(const viva_real *e, viva_real *v) {
  const viva_real a = v[0], b = v[1], c = v[2];
  for (unsigned i = 0; i < 3; i++) v[i] = e[3 * i] * a + e[3 * i + 1] * b + e[3 * i + 2] * c;
}

/* v := e' v */
static inline void viva_tree_back(const viva_real *e, viva_real *v) {
  const viva_real a = v[0], b = v[1], c = v[2];
  for (unsigned i = 0; i < 3; i++) v[i] = e[i] * a + e[3 + i] * b + e[6 + i] * c;
}

/* m v of a symmetric m */
static inline void viva_tree_six(const viva_real *m, const viva_real *v, viva_real *out) {
  out[0] = m[0] * v[0] + m[3] * v[1] + m[4] * v[2];
  out[1] = m[3] * v[0] + m[1] * v[1] + m[5] * v[2];
  out[2] = m[4] * v[0] + m[5] * v[1] + m[2] * v[2];
}

/* the place of an entry of a symmetric matrix */
static inline unsigned viva_tree_at(unsigned i, unsigned k) { return i == k ? i : i + k + 2; }

/* m := e' m e */
static inline void viva_tree_turn_matrix(const viva_real *e, viva_real *m) {
  viva_real half[9];
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < 3; k++)
      half[3 * i + k] = m[3 * i] * e[k] + m[3 * i + 1] * e[3 + k] + m[3 * i + 2] * e[6 + k];
  }
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < 3; k++) m[3 * i + k] = e[i] * half[k] + e[3 + i] * half[3 + k] + e[6 + i] * half[6 + k];
  }
}

/* The same of a symmetric one. */
static inline void viva_tree_turn_six(const viva_real *e, viva_real *m) {
  viva_real half[9];
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = 0; k < 3; k++)
      half[3 * i + k] =
          m[viva_tree_at(i, 0)] * e[k] + m[viva_tree_at(i, 1)] * e[3 + k] + m[viva_tree_at(i, 2)] * e[6 + k];
  }
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned k = i; k < 3; k++)
      m[viva_tree_at(i, k)] = e[i] * half[k] + e[3 + i] * half[3 + k] + e[6 + i] * half[6 + k];
  }
}

/* About the axis x by the angle whose sine and cosine are s and c: vectors into the link, and back. */
static inline void viva_tree_spin(unsigned x, viva_real s, viva_real c, viva_real *v) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real was = v[y];
  v[y] = c * was + s * v[z];
  v[z] = c * v[z] - s * was;
}

static inline void viva_tree_unspin(unsigned x, viva_real s, viva_real c, viva_real *v) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real was = v[y];
  v[y] = c * was - s * v[z];
  v[z] = s * was + c * v[z];
}

/* What a matrix of the link is in the parent's axes. Across the axis, with t = c (m_yy - m_zz) - s (m_yz + m_zy),
 * c t goes from m_yy to m_zz and s t is added to both others, because c^2 + s^2 = 1. */
static inline void viva_tree_unspin_across(viva_real s, viva_real c, viva_real *yy, viva_real *zz, viva_real *yz) {
  const viva_real t = c * (*yy - *zz) - s * (*yz + *yz), part = c * t, was = *yy;
  *yy = *zz + part;
  *zz = was - part;
  *yz += s * t;
}

/* Where a link is beside its parent. */
static inline void viva_tree_place(const viva_tree *s, unsigned i, viva_tree_operands a, viva_real *e, viva_real *r) {
  const unsigned x = s->joint[i] % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const unsigned number = s->number + viva_tree_numbers * i;
  viva_real turn[9];
  for (unsigned k = 0; k < 3; k++) r[k] = VIVA_TREE_AT(a, number + k);
  for (unsigned k = 0; k < 9; k++) e[k] = turn[k] = VIVA_TREE_AT(a, number + 3 + k);
  if (s->joint[i] < viva_tree_prismatic) {
    const viva_real sine = s->sign[i] * VIVA_TREE_AT(a, s->sine[i]), cosine = VIVA_TREE_AT(a, s->sine[i] + 1);
    for (unsigned k = 0; k < 3; k++) {
      e[3 * y + k] = cosine * turn[3 * y + k] + sine * turn[3 * z + k];
      e[3 * z + k] = cosine * turn[3 * z + k] - sine * turn[3 * y + k];
    }
  } else if (s->joint[i] < viva_tree_ball) {
    const viva_real way = s->sign[i] * VIVA_TREE_AT(a, s->position[i]);
    for (unsigned k = 0; k < 3; k++) r[k] += way * turn[3 * x + k];
  } else {
    const unsigned p = s->position[i];
    const viva_real q0 = VIVA_TREE_AT(a, p), q1 = VIVA_TREE_AT(a, p + 1), q2 = VIVA_TREE_AT(a, p + 2);
    const viva_real q3 = VIVA_TREE_AT(a, p + 3), xx = q1 * q1, yy = q2 * q2, zz = q3 * q3;
    const viva_real wx = q0 * q1, wy = q0 * q2, wz = q0 * q3, xy = q1 * q2, xz = q1 * q3, yz = q2 * q3;
    viva_real m[9]; /* from the joint's frame into the link */
    m[0] = yy + zz, m[0] = 1 - (m[0] + m[0]);
    m[4] = xx + zz, m[4] = 1 - (m[4] + m[4]);
    m[8] = xx + yy, m[8] = 1 - (m[8] + m[8]);
    m[1] = xy + wz, m[1] += m[1], m[3] = xy - wz, m[3] += m[3];
    m[2] = xz - wy, m[2] += m[2], m[6] = xz + wy, m[6] += m[6];
    m[5] = yz + wx, m[5] += m[5], m[7] = yz - wx, m[7] += m[7];
    for (unsigned k = 0; k < 9; k++)
      e[k] = m[k / 3 * 3] * turn[k % 3] + m[k / 3 * 3 + 1] * turn[3 + k % 3] + m[k / 3 * 3 + 2] * turn[6 + k % 3];
  }
}

/* The same as the passes take it: about: the axis of a revolute joint, which is turned by s and c alone; 3: e has all.
 */
typedef struct viva_place {
  viva_real e[9], r[3], s, c;
  unsigned about, turned; /* turned: e is not 1 */
} viva_place;

static inline void viva_tree_stand(const viva_tree *s, unsigned i, unsigned about, viva_tree_operands a,
                                   viva_place *p) {
  const unsigned number = s->number + viva_tree_numbers * i;
  p->about = about;
  p->turned = about > 2 || !s->straight[i];
  if (about > 2) {
    viva_tree_place(s, i, a, p->e, p->r);
    return;
  }
  for (unsigned k = 0; k < 3; k++) p->r[k] = VIVA_TREE_AT(a, number + k);
  for (unsigned k = 0; k < 9 && p->turned; k++) p->e[k] = VIVA_TREE_AT(a, number + 3 + k);
  p->s = s->sign[i] * VIVA_TREE_AT(a, s->sine[i]);
  p->c = VIVA_TREE_AT(a, s->sine[i] + 1);
}

/* A vector of the parent into the link, and back. */
static inline void viva_tree_into(const viva_place *p, viva_real *v) {
  if (p->turned) viva_tree_turn(p->e, v);
  if (p->about < 3) viva_tree_spin(p->about, p->s, p->c, v);
}

static inline void viva_tree_out_of(const viva_place *p, viva_real *v) {
  if (p->about < 3) viva_tree_unspin(p->about, p->s, p->c, v);
  if (p->turned) viva_tree_back(p->e, v);
}

/* r x v, where r has no share along `flat`; 3: it has all. */
static inline void viva_tree_arm(unsigned flat, const viva_real *r, const viva_real *v, viva_real *out) {
  const unsigned y = (flat + 1) % 3, z = (flat + 2) % 3;
  if (flat > 2) {
    viva_tree_cross(r, v, out);
    return;
  }
  out[flat] = r[y] * v[z] - r[z] * v[y];
  out[y] = r[z] * v[flat];
  out[z] = -r[y] * v[flat];
}

/* Outwards: velocities, what of the acceleration and of the force they make. */
static inline void viva_tree_move(const viva_tree *s, unsigned i, unsigned about, viva_tree_operands a, viva_link *l) {
  const unsigned joint = about < 3 ? about : s->joint[i], x = joint % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const unsigned qd = s->positions + s->velocity[i], number = s->number + viva_tree_numbers * i;
  const viva_link *up = s->parent[i] ? l + s->parent[i] - 1 : 0;
  const viva_real zero = {0};
  viva_link *own = l + i;
  viva_real w[3], cw[3], cv[3], h[3], m[6], spin[3], n[3];
  for (unsigned k = 0; k < 3; k++) w[k] = cw[k] = cv[k] = zero;
  if (up) {
    viva_place p;
    viva_real around[3];
    viva_tree_stand(s, i, about, a, &p);
    for (unsigned k = 0; k < 3; k++) w[k] = up->now.out.w[k];
    if (p.turned) viva_tree_arm(3, p.r, w, around);
    else viva_tree_arm(about, p.r, w, around);
    viva_tree_cross(around, w, cv); /* w x (w x r) */
    viva_tree_into(&p, w);
    viva_tree_into(&p, cv);
  }
  if (joint < viva_tree_prismatic) {
    const viva_real j = s->sign[i] * VIVA_TREE_AT(a, qd);
    cw[y] = w[z] * j;
    cw[z] = -w[y] * j;
    w[x] += j;
  } else if (joint < viva_tree_ball) {
    const viva_real j = s->sign[i] * VIVA_TREE_AT(a, qd), twice = j + j;
    cv[y] += w[z] * twice;
    cv[z] -= w[y] * twice;
  } else {
    const viva_real j[3] = {VIVA_TREE_AT(a, qd), VIVA_TREE_AT(a, qd + 1), VIVA_TREE_AT(a, qd + 2)};
    viva_tree_cross(w, j, cw);
    for (unsigned k = 0; k < 3; k++) w[k] += j[k];
  }
  for (unsigned k = 0; k < 3; k++) h[k] = VIVA_TREE_AT(a, number + 13 + k);
  for (unsigned k = 0; k < 6; k++) m[k] = VIVA_TREE_AT(a, number + 16 + k);
  viva_tree_six(m, w, spin);
  viva_tree_cross(w, spin, n);
  viva_tree_cross(w, h, spin);
  viva_tree_cross(w, spin, own->f);
  for (unsigned k = 0; k < 3; k++) own->n[k] = n[k], own->now.out.w[k] = w[k], own->cw[k] = cw[k], own->cv[k] = cv[k];
}

/* The inertia of a link with what hangs on it. */
static inline void viva_tree_weigh(const viva_tree *s, unsigned i, viva_tree_operands a, const viva_link *l,
                                   viva_real *A, viva_real *B, viva_real *C) {
  const unsigned number = s->number + viva_tree_numbers * i;
  const viva_real zero = {0}, mass = VIVA_TREE_AT(a, number + 12);
  const viva_real h[3] = {VIVA_TREE_AT(a, number + 13), VIVA_TREE_AT(a, number + 14), VIVA_TREE_AT(a, number + 15)};
  for (unsigned k = 0; k < 6; k++) A[k] = VIVA_TREE_AT(a, number + 16 + k), C[k] = k < 3 ? mass : zero;
  B[0] = B[4] = B[8] = zero;
  B[1] = -h[2], B[2] = h[1], B[5] = -h[0];
  B[3] = h[2], B[6] = -h[1], B[7] = h[0];
  if (!s->carries[i]) return;
  for (unsigned k = 0; k < 6; k++) A[k] += l->now.in.a[k], C[k] += l->now.in.c[k];
  for (unsigned k = 0; k < 9; k++) B[k] += l->now.in.b[k];
}

/* The parent gets inertia and force of a link, in its axes: a + r x b' + (r x s')', s = b + r x c, c. flat: along this
 * axis r has no share, and the row of b is zero, and that of a; 3: none. */
static inline void viva_tree_pass(const viva_tree *s, unsigned i, const viva_real *r, unsigned flat, const viva_real *A,
                                  const viva_real *B, const viva_real *C, const viva_real *n, const viva_real *f,
                                  viva_link *up) {
  viva_real S[9], a[6], rs[9], rb[9], more[3];
  for (unsigned k = 0; k < 3; k++) {
    const viva_real column[3] = {C[viva_tree_at(0, k)], C[viva_tree_at(1, k)], C[viva_tree_at(2, k)]};
    viva_tree_arm(flat, r, column, more);
    for (unsigned j = 0; j < 3; j++) {
      S[3 * j + k] = more[j];
      if (j != flat) S[3 * j + k] += B[3 * j + k];
    }
  }
  for (unsigned k = 0; k < 3; k++) {
    viva_tree_arm(flat, r, S + 3 * k, rs + 3 * k);
    if (k != flat) viva_tree_arm(flat, r, B + 3 * k, rb + 3 * k);
  }
  for (unsigned j = 0; j < 3; j++) {
    for (unsigned k = 0; k <= j; k++) {
      /* row o, column p: (r x row p of b) at o, (r x row o of s) at p; the flat one is p */
      const unsigned o = j == flat ? k : j, p = j == flat ? j : k, at = viva_tree_at(o, p);
      a[at] = rs[3 * o + p];
      if (p != flat) a[at] += A[at] + rb[3 * p + o];
    }
  }
  viva_tree_arm(flat, r, f, more);
  for (unsigned k = 0; k < 3; k++) up->n[k] += n[k] + more[k], up->f[k] += f[k];
  if (s->first[i]) {
    for (unsigned k = 0; k < 6; k++) up->now.in.a[k] = a[k], up->now.in.c[k] = C[k];
    for (unsigned k = 0; k < 9; k++) up->now.in.b[k] = S[k];
  } else {
    for (unsigned k = 0; k < 6; k++) up->now.in.a[k] += a[k], up->now.in.c[k] += C[k];
    for (unsigned k = 0; k < 9; k++) up->now.in.b[k] += S[k];
  }
}

/* Inwards through a revolute joint about the axis x. Along it nothing is left but its own force: row and column x of A
 * and row x of B are zero. */
static inline void viva_tree_yield(const viva_tree *s, unsigned i, unsigned x, viva_tree_operands a, viva_link *l) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3, xy = viva_tree_at(x, y), xz = viva_tree_at(x, z);
  const unsigned yz = viva_tree_at(y, z);
  const viva_real tau = s->sign[i] * VIVA_TREE_AT(a, s->force + s->velocity[i]), zero = {0};
  viva_link *own = l + i;
  viva_real A[6], B[9], C[6], part[3], n[3], f[3], v[3];
  viva_place p;
  viva_tree_weigh(s, i, a, own, A, B, C);
  own->uw[x] = A[x], own->uw[y] = A[xy], own->uw[z] = A[xz];
  for (unsigned k = 0; k < 3; k++) own->uv[k] = v[k] = B[3 * x + k];
  own->margin[0] = A[x] - VIVA_SINGULAR * (A[0] + A[1] + A[2]);
  const viva_real g = 1 / A[x], uy = A[xy], uz = A[xz], py = uy * g, pz = uz * g, u = tau - own->n[x];
  own->g = g, own->u = u;
  if (!s->parent[i]) return;
  for (unsigned k = 0; k < 3; k++) part[k] = v[k] * g;
  A[y] -= uy * py, A[z] -= uz * pz, A[yz] -= uy * pz;
  for (unsigned k = 0; k < 3; k++) {
    B[3 * y + k] -= uy * part[k];
    B[3 * z + k] -= uz * part[k];
    for (unsigned j = 0; j <= k; j++) C[viva_tree_at(k, j)] -= v[k] * part[j];
  }
  /* what velocities make of the acceleration, times the inertia that is left; it has no angular part along x */
  const viva_real wy = own->cw[y], wz = own->cw[z], *cv = own->cv;
  viva_tree_six(C, cv, f);
  n[x] = tau;
  n[y] =
      own->n[y] + py * u + (A[y] * wy + A[yz] * wz) + (B[3 * y] * cv[0] + B[3 * y + 1] * cv[1] + B[3 * y + 2] * cv[2]);
  n[z] =
      own->n[z] + pz * u + (A[yz] * wy + A[z] * wz) + (B[3 * z] * cv[0] + B[3 * z + 1] * cv[1] + B[3 * z + 2] * cv[2]);
  for (unsigned k = 0; k < 3; k++) f[k] += own->f[k] + part[k] * u + (B[3 * y + k] * wy + B[3 * z + k] * wz);
  /* into the axes of the parent */
  viva_tree_stand(s, i, x, a, &p);
  viva_tree_unspin_across(p.s, p.c, &A[y], &A[z], &A[yz]);
  viva_tree_unspin_across(p.s, p.c, &C[y], &C[z], &C[yz]);
  const viva_real cy = C[xy], by = B[3 * y + x];
  const viva_real t = p.c * (B[4 * y] - B[4 * z]) - p.s * (B[3 * y + z] + B[3 * z + y]), ct = p.c * t, st = p.s * t;
  const viva_real yy = B[4 * y];
  C[xy] = p.c * cy - p.s * C[xz];
  C[xz] = p.s * cy + p.c * C[xz];
  B[4 * y] = B[4 * z] + ct, B[4 * z] = yy - ct;
  B[3 * y + z] += st, B[3 * z + y] += st;
  B[3 * y + x] = p.c * by - p.s * B[3 * z + x];
  B[3 * z + x] = p.s * by + p.c * B[3 * z + x];
  viva_tree_out_of(&p, n);
  viva_tree_out_of(&p, f);
  if (!p.turned) {
    viva_tree_pass(s, i, p.r, x, A, B, C, n, f, l + s->parent[i] - 1);
    return;
  }
  A[x] = A[xy] = A[xz] = zero;
  for (unsigned k = 0; k < 3; k++) B[3 * x + k] = zero;
  viva_tree_turn_six(p.e, A);
  viva_tree_turn_matrix(p.e, B);
  viva_tree_turn_six(p.e, C);
  viva_tree_pass(s, i, p.r, 3, A, B, C, n, f, l + s->parent[i] - 1);
}

/* The inverse of a symmetric a by a = L D L', row by row; its pivots. */
static inline void viva_tree_invert(const viva_real *a, viva_real *pivot, viva_real *g) {
  const viva_real one = 1 / a[0], l10 = a[3] * one, l20 = a[4] * one;
  pivot[0] = a[0];
  pivot[1] = a[1] - l10 * a[3];
  const viva_real under = a[5] - l20 * a[3], two = 1 / pivot[1], l21 = under * two;
  pivot[2] = a[2] - l20 * a[4] - l21 * under;
  const viva_real m20 = l10 * l21 - l20, three = 1 / pivot[2]; /* L^-1: -l10, m20, -l21 */
  g[8] = three;
  g[5] = g[7] = -l21 * three;
  g[2] = g[6] = m20 * three;
  g[4] = two + l21 * l21 * three;
  g[1] = g[3] = -l10 * two - l21 * m20 * three;
  g[0] = one + l10 * l10 * two + m20 * m20 * three;
}

/* Through a ball: nothing but its own torque is left of a and b. */
static inline void viva_tree_yield_ball(const viva_tree *s, unsigned i, viva_tree_operands a, viva_link *own,
                                        viva_real *A, viva_real *B, viva_real *C, viva_real *n, viva_real *f) {
  const viva_real zero = {0};
  viva_real half[9], part[3], pivot[3];
  viva_tree_invert(A, pivot, own->now.ball.g);
  for (unsigned k = 0; k < 9; k++) own->now.ball.b[k] = B[k];
  for (unsigned k = 0; k < 3; k++) {
    own->margin[k] = pivot[k] - VIVA_SINGULAR * A[k];
    own->now.ball.u[k] = part[k] = VIVA_TREE_AT(a, s->force + s->velocity[i] + k) - own->n[k];
    n[k] = own->n[k] + part[k]; /* the torque itself */
  }
  /* half = a^-1 b; c - b' a^-1 b */
  for (unsigned k = 0; k < 9; k++) {
    const viva_real *g = own->now.ball.g + k / 3 * 3;
    half[k] = g[0] * B[k % 3] + g[1] * B[3 + k % 3] + g[2] * B[6 + k % 3];
  }
  for (unsigned j = 0; j < 3; j++) {
    for (unsigned k = 0; k <= j; k++)
      C[viva_tree_at(j, k)] -= B[j] * half[k] + B[3 + j] * half[3 + k] + B[6 + j] * half[6 + k];
  }
  for (unsigned k = 0; k < 6; k++) own->now.ball.c[k] = C[k];
  viva_tree_back(half, part);
  viva_tree_six(C, own->cv, f);
  for (unsigned k = 0; k < 3; k++) f[k] += own->f[k] + part[k];
  for (unsigned k = 0; k < 6; k++) A[k] = zero;
  for (unsigned k = 0; k < 9; k++) B[k] = zero;
}

/* Through a joint that slides along the axis x. */
static inline void viva_tree_yield_along(const viva_tree *s, unsigned i, viva_tree_operands a, viva_link *own,
                                         viva_real *A, viva_real *B, viva_real *C, viva_real *n, viva_real *f) {
  const unsigned x = s->joint[i] % 3;
  const viva_real tau = s->sign[i] * VIVA_TREE_AT(a, s->force + s->velocity[i]), zero = {0};
  viva_real w[3], v[3], turned[3];
  for (unsigned k = 0; k < 3; k++) {
    own->uw[k] = w[k] = B[3 * k + x];
    own->uv[k] = v[k] = C[viva_tree_at(k, x)];
  }
  own->margin[0] = v[x] - VIVA_SINGULAR * (C[0] + C[1] + C[2]);
  own->g = 1 / v[x];
  own->u = tau - own->f[x];
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned j = 0; j <= k; j++) {
      A[viva_tree_at(k, j)] -= w[k] * (w[j] * own->g);
      C[viva_tree_at(k, j)] -= v[k] * (v[j] * own->g);
    }
    for (unsigned j = 0; j < 3; j++) B[3 * k + j] -= w[k] * (v[j] * own->g);
  }
  /* along the joint nothing is left but its own force: no rounding of what was large */
  for (unsigned k = 0; k < 3; k++) C[viva_tree_at(k, x)] = B[3 * k + x] = zero;
  viva_tree_six(A, own->cw, n);
  viva_tree_six(C, own->cv, f);
  for (unsigned k = 0; k < 3; k++) turned[k] = own->cw[k];
  viva_tree_back(B, turned);
  for (unsigned k = 0; k < 3; k++) {
    const viva_real *b = B + 3 * k, *c = own->cv;
    n[k] += own->n[k] + w[k] * own->g * own->u + (b[0] * c[0] + b[1] * c[1] + b[2] * c[2]);
    f[k] += own->f[k] + v[k] * own->g * own->u + turned[k];
  }
  f[x] = tau;
}

/* Inwards through any other joint. */
static inline void viva_tree_yield_other(const viva_tree *s, unsigned i, viva_tree_operands a, viva_link *l) {
  viva_real A[6], B[9], C[6], n[3], f[3];
  viva_link *own = l + i;
  viva_place p;
  viva_tree_weigh(s, i, a, own, A, B, C);
  if (s->joint[i] == viva_tree_ball) viva_tree_yield_ball(s, i, a, own, A, B, C, n, f);
  else viva_tree_yield_along(s, i, a, own, A, B, C, n, f);
  if (!s->parent[i]) return;
  viva_tree_stand(s, i, 3, a, &p);
  viva_tree_turn_six(p.e, A);
  viva_tree_turn_matrix(p.e, B);
  viva_tree_turn_six(p.e, C);
  viva_tree_out_of(&p, n);
  viva_tree_out_of(&p, f);
  viva_tree_pass(s, i, p.r, 3, A, B, C, n, f, l + s->parent[i] - 1);
}

/* Outwards again: the acceleration of a link, and of its joint. The ground accelerates against gravity. */
static inline void viva_tree_speed_up(const viva_tree *s, unsigned i, unsigned about, viva_tree_operands a,
                                      viva_link *l, viva_real *results) {
  const unsigned joint = about < 3 ? about : s->joint[i], x = joint % 3;
  const viva_link *up = s->parent[i] ? l + s->parent[i] - 1 : 0;
  const viva_real zero = {0};
  viva_link *own = l + i;
  viva_real aw[3], av[3], *z = results + s->velocity[i];
  viva_place p;
  viva_tree_stand(s, i, about, a, &p);
  for (unsigned k = 0; k < 3; k++) aw[k] = up ? up->n[k] : zero;
  for (unsigned k = 0; k < 3; k++) av[k] = up ? up->f[k] : -VIVA_TREE_AT(a, s->gravity + k);
  if (up) {
    viva_real around[3];
    if (p.turned) viva_tree_arm(3, p.r, aw, around);
    else viva_tree_arm(about, p.r, aw, around);
    for (unsigned k = 0; k < 3; k++) av[k] -= around[k];
    viva_tree_into(&p, aw);
  }
  viva_tree_into(&p, av);
  for (unsigned k = 0; k < 3; k++) {
    if (k != about) aw[k] += own->cw[k];
    av[k] += own->cv[k];
  }
  if (joint < viva_tree_ball) {
    const viva_real *w = own->uw, *v = own->uv;
    const viva_real more =
        own->g * (own->u - (w[0] * aw[0] + w[1] * aw[1] + w[2] * aw[2]) - (v[0] * av[0] + v[1] * av[1] + v[2] * av[2]));
    *(joint < viva_tree_prismatic ? &aw[x] : &av[x]) += more;
    z[0] = s->sign[i] * more;
  } else {
    /* a (aw + z) = u - b av */
    viva_real left[3], turned[3] = {av[0], av[1], av[2]};
    viva_tree_turn(own->now.ball.b, turned);
    for (unsigned k = 0; k < 3; k++) left[k] = own->now.ball.u[k] - turned[k];
    viva_tree_turn(own->now.ball.g, left);
    for (unsigned k = 0; k < 3; k++) z[k] = left[k] - aw[k], aw[k] = left[k];
  }
  for (unsigned k = 0; k < 3; k++) own->n[k] = aw[k], own->f[k] = av[k];
}

/* a: the operands. z: accelerations. l: a link each. The axis of a revolute joint is a constant where it is used. */
static inline void viva_tree_run(const viva_tree *s, viva_tree_operands a, viva_real *z, viva_link *l) {
  for (unsigned i = 0; i < s->links; i++) {
    if (s->joint[i] == 0) viva_tree_move(s, i, 0, a, l);
    else if (s->joint[i] == 1) viva_tree_move(s, i, 1, a, l);
    else if (s->joint[i] == 2) viva_tree_move(s, i, 2, a, l);
    else viva_tree_move(s, i, 3, a, l);
  }
  for (unsigned i = s->links; i-- > 0;) {
    if (s->joint[i] == 0) viva_tree_yield(s, i, 0, a, l);
    else if (s->joint[i] == 1) viva_tree_yield(s, i, 1, a, l);
    else if (s->joint[i] == 2) viva_tree_yield(s, i, 2, a, l);
    else viva_tree_yield_other(s, i, a, l);
  }
  for (unsigned i = 0; i < s->links; i++) {
    if (s->joint[i] == 0) viva_tree_speed_up(s, i, 0, a, l, z);
    else if (s->joint[i] == 1) viva_tree_speed_up(s, i, 1, a, l, z);
    else if (s->joint[i] == 2) viva_tree_speed_up(s, i, 2, a, l, z);
    else viva_tree_speed_up(s, i, 3, a, l, z);
  }
}
