// The articulated-body algorithm over numbers of the type viva_real: one state, or several of them as vectors. No
// include guard: this is a template (kernel_tree.c). What a pass gets of a link in whole numbers is constant where
// it is called, so that a compiler leaves out what this link does not need.
//
// Notation: vectors of a link are in its own axes, at its own joint. e rotates vectors of the parent into the link, r
// is the joint in the parent's frame. Angular parts stand first: accelerations (o, a), forces (n, f). a is that of the
// point in which the joint stands. A symmetric matrix is six numbers: xx yy zz xy xz yz.
//
// outwards  w, and what velocities alone make of the acceleration beside the parent: c = (cw, cv)
// inwards   what they make of the force: (n, f). What a joint cannot hold makes it accelerate: u = (tau - n)/D; the
//           parent feels the rest
// outwards  accelerations; the ground accelerates against gravity
//
// Nothing is added up that would have to vanish again: of a joint that moves, links far away feel little, and the
// rounding of it is as small.
/* section tree_pass */
/* From the acceleration of one velocity to that of the next. */
#ifndef VIVA_TREE_APART
#define VIVA_TREE_APART 1
#endif

/* What a link is given. */
typedef struct viva_tree_given {
  viva_real r[3], turn[9], mass, h[3], m[6]; /* its numbers */
  viva_real q[4], v[3], tau[3], s, c;        /* its state; s, c: of a revolute joint */
  viva_real ground[3];                       /* of a root: how the ground accelerates */
} viva_tree_given;

/* What hangs on a link, from the first that came inwards on. */
typedef struct viva_frame {
  viva_real n[3], f[3];       /* the force it needs */
  viva_real A[6], B[9], C[6]; /* its inertia [A B; B' C] */
} viva_frame;

/* What a link keeps from the way in to the way out; of a leaf with one axis no c. Before that, the velocity w stands
 * where c ends. */
typedef struct viva_kept {
  viva_real c[6];    /* what velocities make of the acceleration; on the way out that itself */
  viva_real part[6]; /* inertia times the axis, over that in the joint; along the axis it is 1 and not kept */
  viva_real u;       /* what is left of the force in the joint, over its inertia */
  viva_real margin;  /* by how much the inertia in the joint is more than rounding */
} viva_kept;
typedef struct viva_kept_ball {
  viva_real c[6], half[9], u[3], margin[3]; /* of a spherical joint: A^-1 B, A^-1 u - A^-1 B cv, of each pivot */
} viva_kept_ball;

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

/* the index of an entry of a symmetric matrix */
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
  const viva_real t = c * (*yy - *zz) - (s + s) * *yz, part = c * t, was = *yy;
  *yy = *zz + part;
  *zz = was - part;
  *yz += s * t;
}

/* Where a link is beside its parent. */
typedef struct viva_place {
  viva_real e[9], r[3];
} viva_place;

static inline void viva_tree_place(unsigned joint, const viva_tree_given *g, viva_place *p) {
  const unsigned x = joint % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real *turn = g->turn;
  for (unsigned k = 0; k < 3; k++) p->r[k] = g->r[k];
  for (unsigned k = 0; k < 9; k++) p->e[k] = turn[k];
  if (joint < viva_tree_prismatic) {
    for (unsigned k = 0; k < 3; k++) {
      p->e[3 * y + k] = g->c * turn[3 * y + k] + g->s * turn[3 * z + k];
      p->e[3 * z + k] = g->c * turn[3 * z + k] - g->s * turn[3 * y + k];
    }
  } else if (joint < viva_tree_ball) {
    for (unsigned k = 0; k < 3; k++) p->r[k] += g->q[0] * turn[3 * x + k];
  } else {
    const viva_real q0 = g->q[0], q1 = g->q[1], q2 = g->q[2], q3 = g->q[3], xx = q1 * q1, yy = q2 * q2, zz = q3 * q3;
    const viva_real wx = q0 * q1, wy = q0 * q2, wz = q0 * q3, xy = q1 * q2, xz = q1 * q3, yz = q2 * q3;
    viva_real m[9]; /* from the joint's frame into the link */
    m[0] = yy + zz, m[0] = 1 - (m[0] + m[0]);
    m[4] = xx + zz, m[4] = 1 - (m[4] + m[4]);
    m[8] = xx + yy, m[8] = 1 - (m[8] + m[8]);
    m[1] = xy + wz, m[1] += m[1], m[3] = xy - wz, m[3] += m[3];
    m[2] = xz - wy, m[2] += m[2], m[6] = xz + wy, m[6] += m[6];
    m[5] = yz + wx, m[5] += m[5], m[7] = yz - wx, m[7] += m[7];
    for (unsigned k = 0; k < 9; k++)
      p->e[k] = m[k / 3 * 3] * turn[k % 3] + m[k / 3 * 3 + 1] * turn[3 + k % 3] + m[k / 3 * 3 + 2] * turn[6 + k % 3];
  }
}

/* Rotates about an axis of the parent alone: s, c and two shares of r are all that is needed. */
static inline unsigned viva_tree_is_plain(unsigned joint, unsigned how) {
  return joint < viva_tree_prismatic && !(how & viva_tree_turned);
}

/* Its c is in the axes before the joint rotates: made there, felt there by the parent, and added there on the way out,
 * it is never rotated itself. A leaf is a rigid body in its own axes, so that its c is in these. */
static inline unsigned viva_tree_is_early(unsigned joint, unsigned how) {
  return joint < viva_tree_prismatic && !(how & (viva_tree_root | viva_tree_leaf));
}

/* A vector of the parent in the axes before the joint rotates. */
static inline void viva_tree_before(unsigned how, const viva_tree_given *g, viva_real *v) {
  if (how & viva_tree_turned) viva_tree_turn(g->turn, v);
}

/* A vector of the parent into the link; of an early one from before the joint rotates. */
static inline void viva_tree_into(unsigned joint, unsigned how, const viva_tree_given *g, const viva_place *p,
                                  viva_real *v) {
  if (viva_tree_is_plain(joint, how) || viva_tree_is_early(joint, how)) viva_tree_spin(joint, g->s, g->c, v);
  else viva_tree_turn(p->e, v);
}

/* The force (n, f) that a link needs to rotate with w: f = w x (w x h), n = w x I w. */
static inline void viva_tree_need(const viva_tree_given *g, const viva_real *w, viva_real *n, viva_real *f) {
  const viva_real square[3] = {w[0] * w[0], w[1] * w[1], w[2] * w[2]}, *m = g->m, *h = g->h;
  viva_real both[3]; /* of the other two */
  for (unsigned k = 0; k < 3; k++) both[k] = w[(k + 1) % 3] * w[(k + 2) % 3];
  for (unsigned k = 0; k < 3; k++) {
    const unsigned y = (k + 1) % 3, z = (k + 2) % 3;
    f[k] = (both[z] * h[y] + both[y] * h[z]) - (square[y] + square[z]) * h[k];
    n[k] = (both[z] * m[viva_tree_at(k, z)] - both[y] * m[viva_tree_at(k, y)]) + both[k] * (m[z] - m[y]) +
           m[viva_tree_at(y, z)] * (square[y] - square[z]);
  }
}

/* Outwards: velocity, and what velocities make of the acceleration. above: the velocity of the parent. */
static inline void viva_tree_move(unsigned joint, unsigned how, const viva_tree_given *g, const viva_real *above,
                                  viva_real *own, viva_real *c) {
  const unsigned x = joint % 3, y = (x + 1) % 3, z = (x + 2) % 3, early = viva_tree_is_early(joint, how);
  const viva_real zero = {0};
  viva_real w[3], cw[3], cv[3];
  for (unsigned k = 0; k < 3; k++) w[k] = cw[k] = cv[k] = zero;
  if (!(how & viva_tree_root)) {
    viva_place p;
    for (unsigned k = 0; k < 3; k++) w[k] = above[k];
    /* w x (w x r) */
    if (viva_tree_is_plain(joint, how)) {
      const viva_real ry = g->r[y], rz = g->r[z], across = w[y] * rz - w[z] * ry, sy = w[x] * ry, sz = w[x] * rz;
      cv[x] = w[y] * sy + w[z] * sz;
      cv[y] = w[z] * across - w[x] * sy;
      cv[z] = -w[x] * sz - w[y] * across;
    } else {
      viva_real around[3];
      viva_tree_place(joint, g, &p);
      viva_tree_cross(w, p.r, around);
      viva_tree_cross(w, around, cv);
    }
    if (early) {
      viva_tree_before(how, g, w);
      viva_tree_before(how, g, cv);
      cw[y] = w[z] * g->v[0];
      cw[z] = -w[y] * g->v[0];
    }
    viva_tree_into(joint, how, g, &p, w);
    if (!early) viva_tree_into(joint, how, g, &p, cv);
  }
  if (joint < viva_tree_prismatic) {
    if (!early) cw[y] = w[z] * g->v[0], cw[z] = -w[y] * g->v[0];
    w[x] += g->v[0];
  } else if (joint < viva_tree_ball) {
    const viva_real twice = g->v[0] + g->v[0];
    cv[y] += w[z] * twice;
    cv[z] -= w[y] * twice;
  } else {
    viva_tree_cross(w, g->v, cw);
    for (unsigned k = 0; k < 3; k++) w[k] += g->v[k];
  }
  for (unsigned k = 0; k < 3; k++) {
    own[k] = w[k];
    if (joint >= viva_tree_prismatic || k != x) c[k] = cw[k];
    c[3 + k] = cv[k];
  }
}

/* The inertia of a link with what hangs on it. */
static inline void viva_tree_weigh(unsigned how, const viva_tree_given *g, const viva_frame *own, viva_real *A,
                                   viva_real *B, viva_real *C) {
  const viva_real zero = {0}, *h = g->h;
  for (unsigned k = 0; k < 6; k++) A[k] = g->m[k], C[k] = k < 3 ? g->mass : zero;
  B[0] = B[4] = B[8] = zero;
  B[1] = -h[2], B[2] = h[1], B[5] = -h[0];
  B[3] = h[2], B[6] = -h[1], B[7] = h[0];
  if (how & viva_tree_leaf) return;
  for (unsigned k = 0; k < 6; k++) A[k] += own->A[k], C[k] += own->C[k];
  for (unsigned k = 0; k < 9; k++) B[k] += own->B[k];
}

/* What the parent feels is added to what it feels already. */
static inline void viva_tree_add(unsigned how, const viva_real *A, const viva_real *B, const viva_real *C,
                                 const viva_real *n, const viva_real *f, viva_frame *up) {
  if (how & viva_tree_first) {
    for (unsigned k = 0; k < 3; k++) up->n[k] = n[k], up->f[k] = f[k];
    for (unsigned k = 0; k < 6; k++) up->A[k] = A[k], up->C[k] = C[k];
    for (unsigned k = 0; k < 9; k++) up->B[k] = B[k];
  } else {
    for (unsigned k = 0; k < 3; k++) up->n[k] += n[k], up->f[k] += f[k];
    for (unsigned k = 0; k < 6; k++) up->A[k] += A[k], up->C[k] += C[k];
    for (unsigned k = 0; k < 9; k++) up->B[k] += B[k];
  }
}

/* From the joint to the origin of the parent, in its axes: A - B rx + rx B' - rx C rx, B + rx C. With S = B + rx C and
 * W = B + S the first is A + (rx W' + (rx W')')/2. */
static inline void viva_tree_pass(unsigned how, const viva_real *r, viva_real *A, viva_real *B, const viva_real *C,
                                  viva_real *n, const viva_real *f, viva_frame *up) {
  viva_real W[9], turned[9], more[3];
  for (unsigned k = 0; k < 3; k++) {
    const viva_real column[3] = {C[viva_tree_at(0, k)], C[viva_tree_at(1, k)], C[viva_tree_at(2, k)]};
    viva_tree_cross(r, column, more);
    for (unsigned j = 0; j < 3; j++) W[3 * j + k] = B[3 * j + k], B[3 * j + k] += more[j], W[3 * j + k] += B[3 * j + k];
  }
  for (unsigned k = 0; k < 3; k++) viva_tree_cross(r, W + 3 * k, turned + 3 * k);
  for (unsigned j = 0; j < 3; j++) {
    A[j] += turned[4 * j];
    for (unsigned k = 0; k < j; k++)
      A[viva_tree_at(j, k)] += (viva_real)(0.5 * (turned[3 * j + k] + turned[3 * k + j]));
  }
  viva_tree_add_cross(r, f, n);
  viva_tree_add(how, A, B, C, n, f, up);
}

/* The same where r has no share along x, and A and B have none of the rows and columns x: with S = B + rx C it is
 * A + rx B' - S rx. */
static inline void viva_tree_pass_flat(unsigned x, unsigned how, const viva_real *r, viva_real *A, viva_real *B,
                                       const viva_real *C, viva_real *n, const viva_real *f, viva_frame *up) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3, xy = viva_tree_at(x, y), xz = viva_tree_at(x, z);
  const viva_real ry = r[y], rz = r[z], by = B[3 * y + x], bz = B[3 * z + x];
  A[xy] = ry * B[3 * y + z] - rz * B[4 * y];
  A[xz] = ry * B[4 * z] - rz * B[3 * z + y];
  for (unsigned k = 0; k < 3; k++) {
    const viva_real cx = C[viva_tree_at(x, k)], cy = C[viva_tree_at(y, k)], cz = C[viva_tree_at(z, k)];
    B[3 * x + k] = ry * cz - rz * cy;
    B[3 * y + k] += rz * cx;
    B[3 * z + k] -= ry * cx;
  }
  A[x] = ry * B[3 * x + z] - rz * B[3 * x + y];
  A[y] += rz * (B[3 * y + x] + by);
  A[z] -= ry * (B[3 * z + x] + bz);
  A[xy] += rz * B[4 * x];
  A[xz] -= ry * B[4 * x];
  A[viva_tree_at(y, z)] += rz * bz - ry * B[3 * y + x];
  n[x] += ry * f[z] - rz * f[y];
  n[y] += rz * f[x];
  n[z] -= ry * f[x];
  viva_tree_add(how, A, B, C, n, f, up);
}

/* Inertia times the axis of a joint, and the same over that in the joint, which upside down is D. */
static inline void viva_tree_axis(unsigned joint, const viva_real *A, const viva_real *B, const viva_real *C,
                                  viva_real D, viva_real *times, viva_real *part) {
  const unsigned x = joint % 3, turns = joint < viva_tree_prismatic;
  for (unsigned k = 0; k < 3; k++) {
    times[k] = turns ? A[viva_tree_at(k, x)] : B[3 * k + x];
    times[3 + k] = turns ? B[3 * x + k] : C[viva_tree_at(k, x)];
  }
  for (unsigned k = 0; k < 6; k++) part[k] = times[k] * D;
}

/* What is left of the force in a joint, over its inertia: without part.c, where c is not added before. */
static inline void viva_tree_left(unsigned joint, unsigned how, viva_real u, const viva_real *parts, const viva_real *c,
                                  viva_kept *kept) {
  const unsigned x = joint % 3, turns = joint < viva_tree_prismatic;
  for (unsigned k = 0; k < 6 && !(how & viva_tree_again); k++) {
    if (k != (turns ? x : 3 + x)) kept->part[k] = parts[k];
  }
  kept->u = u;
  if (viva_tree_is_early(joint, how)) return;
  viva_real less =
      turns ? parts[3] * c[3] + parts[4] * c[4] + parts[5] * c[5] : parts[0] * c[0] + parts[1] * c[1] + parts[2] * c[2];
  const viva_real *other = turns ? parts : parts + 3, *of = turns ? c : c + 3;
  less += other[(x + 1) % 3] * of[(x + 1) % 3] + other[(x + 2) % 3] * of[(x + 2) % 3];
  if (!turns) less += of[x];
  kept->u -= less;
}

/* To the force (n, f), but for n[x], with which a link hangs on a revolute joint about the axis x: what is left of the
 * inertia, times c, which has no angular part along x. */
static inline void viva_tree_feel(unsigned x, const viva_real *A, const viva_real *B, const viva_real *C,
                                  const viva_real *c, viva_real *n, viva_real *f) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3, yz = viva_tree_at(y, z);
  const viva_real cy = c[y], cz = c[z], *cv = c + 3;
  viva_real more[3];
  viva_tree_six(C, cv, more);
  for (unsigned k = 0; k < 3; k++) f[k] += more[k] + (B[3 * y + k] * cy + B[3 * z + k] * cz);
  n[y] += (A[y] * cy + A[yz] * cz) + (B[3 * y] * cv[0] + B[3 * y + 1] * cv[1] + B[3 * y + 2] * cv[2]);
  n[z] += (A[yz] * cy + A[z] * cz) + (B[3 * z] * cv[0] + B[3 * z + 1] * cv[1] + B[3 * z + 2] * cv[2]);
}

/* The whole force of a leaf, which is a rigid body: its inertia times c, and times u what the joint makes of both. */
static inline void viva_tree_feel_leaf(unsigned x, const viva_tree_given *g, viva_real u, const viva_real *times,
                                       const viva_real *force, const viva_real *c, viva_real *n, viva_real *f) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3, yz = viva_tree_at(y, z);
  const viva_real cy = c[y], cz = c[z], mass = g->mass, *cv = c + 3, *h = g->h, *m = g->m;
  f[x] = (force[3 + x] + times[3 + x] * u) + (mass * cv[x] + (cy * h[z] - cz * h[y]));
  f[y] = (force[3 + y] + times[3 + y] * u) + (mass * cv[y] + cz * h[x]);
  f[z] = (force[3 + z] + times[3 + z] * u) + (mass * cv[z] - cy * h[x]);
  n[y] = (force[y] + times[y] * u) + (m[y] * cy + m[yz] * cz) + (h[z] * cv[x] - h[x] * cv[z]);
  n[z] = (force[z] + times[z] * u) + (m[yz] * cy + m[z] * cz) + (h[x] * cv[y] - h[y] * cv[x]);
}

/* Inwards through a revolute joint about the axis x. Along it nothing is left but its own force: row and column x of A
 * and row x of B are zero. c: as it was left by the move; force: that it needs with what hangs on it; D: the inertia in
 * the joint upside down. */
static inline void viva_tree_yield(unsigned x, unsigned how, const viva_tree_given *g, const viva_frame *own,
                                   const viva_real *force, const viva_real *c, viva_real D, viva_frame *up,
                                   viva_kept *kept) {
  const unsigned y = (x + 1) % 3, z = (x + 2) % 3, xy = viva_tree_at(x, y), xz = viva_tree_at(x, z);
  const unsigned yz = viva_tree_at(y, z);
  const viva_real zero = {0}, sine = g->s, cosine = g->c;
  viva_real A[6], B[9], C[6], times[6], parts[6], n[3], f[3];
  viva_tree_weigh(how, g, own, A, B, C);
  viva_tree_axis(x, A, B, C, D, times, parts);
  const viva_real u = (g->tau[0] - force[x]) * D;
  const viva_real wy = times[y], wz = times[z], py = parts[y], pz = parts[z], *v = times + 3, *part = parts + 3;
  kept->margin = A[x] - VIVA_SINGULAR * (A[0] + A[1] + A[2]);
  viva_tree_left(x, how, u, parts, c, kept);
  if (how & viva_tree_root) return;
  A[y] -= wy * py, A[z] -= wz * pz, A[yz] -= wy * pz;
  for (unsigned k = 0; k < 3; k++) {
    B[3 * y + k] -= wy * part[k];
    B[3 * z + k] -= wz * part[k];
    for (unsigned j = 0; j <= k; j++) C[viva_tree_at(k, j)] -= v[k] * part[j];
  }
  n[x] = g->tau[0];
  if (how & viva_tree_leaf) {
    viva_tree_feel_leaf(x, g, kept->u, times, force, c, n, f);
  } else {
    for (unsigned k = 0; k < 3; k++) f[k] = force[3 + k] + v[k] * u;
    n[y] = force[y] + wy * u;
    n[z] = force[z] + wz * u;
  }
  /* into the axes before the joint rotates */
  viva_tree_unspin_across(sine, cosine, &A[y], &A[z], &A[yz]);
  viva_tree_unspin_across(sine, cosine, &C[y], &C[z], &C[yz]);
  const viva_real was = C[xy], by = B[3 * y + x], yy = B[4 * y];
  const viva_real t = cosine * (yy - B[4 * z]) - sine * (B[3 * y + z] + B[3 * z + y]), ct = cosine * t, st = sine * t;
  C[xy] = cosine * was - sine * C[xz];
  C[xz] = sine * was + cosine * C[xz];
  B[4 * y] = B[4 * z] + ct, B[4 * z] = yy - ct;
  B[3 * y + z] += st, B[3 * z + y] += st;
  B[3 * y + x] = cosine * by - sine * B[3 * z + x];
  B[3 * z + x] = sine * by + cosine * B[3 * z + x];
  viva_tree_unspin(x, sine, cosine, n);
  viva_tree_unspin(x, sine, cosine, f);
  if (!(how & viva_tree_leaf)) viva_tree_feel(x, A, B, C, c, n, f);
  if (!(how & viva_tree_turned)) {
    viva_tree_pass_flat(x, how, g->r, A, B, C, n, f, up);
    return;
  }
  A[x] = A[xy] = A[xz] = zero;
  for (unsigned k = 0; k < 3; k++) B[3 * x + k] = zero;
  viva_tree_turn_six(g->turn, A);
  viva_tree_turn_matrix(g->turn, B);
  viva_tree_turn_six(g->turn, C);
  viva_tree_back(g->turn, n);
  viva_tree_back(g->turn, f);
  viva_tree_pass(how, g->r, A, B, C, n, f, up);
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

/* Through a spherical joint nothing but C - B' A^-1 B is left of the inertia. half: A^-1 B. */
static inline void viva_tree_loosen(const viva_real *g, const viva_real *B, viva_real *half, viva_real *C) {
  for (unsigned k = 0; k < 9; k++) {
    const viva_real *row = g + k / 3 * 3;
    half[k] = row[0] * B[k % 3] + row[1] * B[3 + k % 3] + row[2] * B[6 + k % 3];
  }
  for (unsigned j = 0; j < 3; j++) {
    for (unsigned k = 0; k <= j; k++)
      C[viva_tree_at(j, k)] -= B[j] * half[k] + B[3 + j] * half[3 + k] + B[6 + j] * half[6 + k];
  }
}

/* Inwards through a spherical joint. */
static inline void viva_tree_yield_ball(unsigned how, const viva_tree_given *g, const viva_frame *own,
                                        const viva_real *force, const viva_real *c, viva_frame *up,
                                        viva_kept_ball *kept) {
  const viva_real zero = {0};
  viva_real A[6], B[9], C[6], n[3], f[3], inverse[9], half[9], pivot[3], u[3], less[3];
  viva_place p;
  viva_tree_weigh(how, g, own, A, B, C);
  viva_tree_invert(A, pivot, inverse);
  viva_tree_loosen(inverse, B, half, C);
  for (unsigned k = 0; k < 3; k++) {
    kept->margin[k] = pivot[k] - VIVA_SINGULAR * A[k];
    u[k] = g->tau[k] - force[k];
    n[k] = g->tau[k];
    less[k] = c[3 + k];
  }
  viva_tree_turn(half, less);
  for (unsigned k = 0; k < 3; k++) f[k] = u[k];
  viva_tree_turn(inverse, f);
  for (unsigned k = 0; k < 3; k++) kept->u[k] = f[k] - less[k];
  for (unsigned k = 0; k < 9; k++) kept->half[k] = half[k];
  if (how & viva_tree_root) return;
  viva_tree_six(C, c + 3, f);
  viva_tree_back(half, u);
  for (unsigned k = 0; k < 3; k++) f[k] += force[3 + k] + u[k];
  for (unsigned k = 0; k < 6; k++) A[k] = zero;
  for (unsigned k = 0; k < 9; k++) B[k] = zero;
  viva_tree_place(viva_tree_ball, g, &p);
  viva_tree_turn_six(p.e, C);
  viva_tree_back(p.e, n);
  viva_tree_back(p.e, f);
  viva_tree_pass(how, p.r, A, B, C, n, f, up);
}

/* Inwards through a joint that slides along the axis x. */
static inline void viva_tree_yield_along(unsigned x, unsigned how, const viva_tree_given *g, const viva_frame *own,
                                         const viva_real *force, const viva_real *c, viva_frame *up, viva_kept *kept) {
  const viva_real zero = {0}, *cv = c + 3;
  viva_real A[6], B[9], C[6], times[6], parts[6], n[3], f[3], turned[3] = {c[0], c[1], c[2]};
  viva_place p;
  viva_tree_weigh(how, g, own, A, B, C);
  kept->margin = C[x] - VIVA_SINGULAR * (C[0] + C[1] + C[2]);
  const viva_real D = 1 / C[x];
  viva_tree_axis(viva_tree_prismatic + x, A, B, C, D, times, parts);
  const viva_real u = (g->tau[0] - force[3 + x]) * D, *w = times, *v = times + 3, *pw = parts, *pv = parts + 3;
  viva_tree_left(viva_tree_prismatic + x, how, u, parts, c, kept);
  if (how & viva_tree_root) return;
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned j = 0; j <= k; j++) {
      A[viva_tree_at(k, j)] -= w[k] * pw[j];
      C[viva_tree_at(k, j)] -= v[k] * pv[j];
    }
    for (unsigned j = 0; j < 3; j++) B[3 * k + j] -= w[k] * pv[j];
  }
  /* along the joint nothing is left but its own force: no rounding of what was large */
  for (unsigned k = 0; k < 3; k++) C[viva_tree_at(k, x)] = B[3 * k + x] = zero;
  viva_tree_six(A, c, n);
  viva_tree_six(C, cv, f);
  viva_tree_back(B, turned);
  for (unsigned k = 0; k < 3; k++) {
    n[k] += (force[k] + w[k] * u) + (B[3 * k] * cv[0] + B[3 * k + 1] * cv[1] + B[3 * k + 2] * cv[2]);
    f[k] += (force[3 + k] + v[k] * u) + turned[k];
  }
  f[x] = g->tau[0];
  viva_tree_place(viva_tree_prismatic + x, g, &p);
  viva_tree_turn_six(p.e, A);
  viva_tree_turn_matrix(p.e, B);
  viva_tree_turn_six(p.e, C);
  viva_tree_back(p.e, n);
  viva_tree_back(p.e, f);
  viva_tree_pass(how, p.r, A, B, C, n, f, up);
}

/* Inwards through any joint; a leaf moves first. above: what the parent keeps; kept: begins with c. */
static inline void viva_tree_come(unsigned joint, unsigned how, const viva_tree_given *g, viva_frame *up,
                                  const viva_frame *own, const viva_real *above, viva_real *kept) {
  viva_real w[3], force[6], moved[6], D = {0};
  const viva_real *c = kept;
  /* first what takes longest */
  if (joint < viva_tree_prismatic && how & viva_tree_leaf) D = 1 / g->m[joint];
  else if (joint < viva_tree_prismatic) D = 1 / (g->m[joint] + own->A[joint]);
  if (how & viva_tree_leaf) {
    viva_tree_move(joint, how, g, above + viva_tree_speed, w, moved);
    viva_tree_need(g, w, force, force + 3);
    c = moved;
    for (unsigned k = 0; k < 3 && joint == viva_tree_ball; k++) kept[k] = moved[k];
  } else {
    for (unsigned k = 0; k < 3; k++) w[k] = kept[viva_tree_speed + k];
    viva_tree_need(g, w, force, force + 3);
    for (unsigned k = 0; k < 3; k++) force[k] += own->n[k], force[3 + k] += own->f[k];
  }
  if (joint == viva_tree_ball) viva_tree_yield_ball(how, g, own, force, c, up, (viva_kept_ball *)(void *)kept);
  else if (joint < viva_tree_prismatic) viva_tree_yield(joint, how, g, own, force, c, D, up, (viva_kept *)(void *)kept);
  else viva_tree_yield_along(joint % 3, how, g, own, force, c, up, (viva_kept *)(void *)kept);
}

/* The acceleration of the parent where a joint stands, in the axes of the link; of an early one with its c. */
static inline void viva_tree_carry(unsigned joint, unsigned how, const viva_tree_given *g, const viva_real *above,
                                   const viva_real *c, viva_real *o, viva_real *a) {
  const unsigned x = joint % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real zero = {0};
  viva_place p;
  if (!viva_tree_is_plain(joint, how)) viva_tree_place(joint, g, &p);
  if (how & viva_tree_root) {
    for (unsigned k = 0; k < 3; k++) o[k] = zero, a[k] = g->ground[k];
    viva_tree_into(joint, how, g, &p, a);
    return;
  }
  for (unsigned k = 0; k < 3; k++) o[k] = above[k], a[k] = above[3 + k];
  if (viva_tree_is_plain(joint, how)) {
    const viva_real ry = g->r[y], rz = g->r[z];
    a[x] += o[y] * rz - o[z] * ry;
    a[y] -= o[x] * rz;
    a[z] += o[x] * ry;
  } else {
    viva_tree_add_cross(o, p.r, a);
  }
  if (viva_tree_is_early(joint, how)) {
    viva_tree_before(how, g, o);
    viva_tree_before(how, g, a);
    o[y] += c[y], o[z] += c[z];
    for (unsigned k = 0; k < 3; k++) a[k] += c[3 + k];
  }
  viva_tree_into(joint, how, g, &p, o);
  viva_tree_into(joint, how, g, &p, a);
}

/* Outwards again: the acceleration of a link, which it keeps for those on it, and of its joint. above: what the
 * parent keeps. */
static inline void viva_tree_speed_up(unsigned joint, unsigned how, const viva_tree_given *g, const viva_real *above,
                                      viva_real *kept, viva_real *z) {
  const unsigned x = joint % 3, across = (x + 1) % 3, along = (x + 2) % 3;
  const unsigned turns = joint < viva_tree_prismatic, ball = joint == viva_tree_ball;
  viva_real o[3], a[3];
  viva_tree_carry(joint, how, g, above, kept, o, a);
  if (ball) {
    viva_kept_ball *l = (viva_kept_ball *)(void *)kept;
    viva_real turned[3] = {a[0], a[1], a[2]};
    viva_tree_turn(l->half, turned);
    for (unsigned k = 0; k < 3; k++) {
      const viva_real now = l->u[k] - turned[k];
      z[VIVA_TREE_APART * k] = now - o[k] - l->c[k];
      if (!(how & viva_tree_leaf)) l->c[k] = now, l->c[3 + k] += a[k];
    }
    return;
  }
  viva_kept *l = (viva_kept *)(void *)kept;
  const viva_real *w = l->part, *v = l->part + 3;
  viva_real A[6], B[9], C[6], times[6], parts[6];
  if (how & viva_tree_again) {
    viva_tree_weigh(how, g, 0, A, B, C);
    viva_tree_axis(joint, A, B, C, 1 / (turns ? A[x] : C[x]), times, parts);
    w = parts, v = parts + 3;
  }
  const viva_real now =
      turns ? l->u - (w[across] * o[across] + w[along] * o[along]) - (v[0] * a[0] + v[1] * a[1] + v[2] * a[2])
            : l->u - (w[0] * o[0] + w[1] * o[1] + w[2] * o[2]) - (v[across] * a[across] + v[along] * a[along]);
  z[0] = now - (turns ? o[x] : a[x]);
  if (how & viva_tree_leaf) return;
  if (turns) o[x] = now;
  else a[x] = now;
  for (unsigned k = 0; k < 3; k++) {
    if (!viva_tree_is_early(joint, how)) a[k] += l->c[3 + k];
    if (!viva_tree_is_early(joint, how) && (!turns || k != x)) o[k] += l->c[k];
    l->c[k] = o[k];
    l->c[3 + k] = a[k];
  }
}

/* section tree_walk */
/* What link i is given, of the operands of a call. */
static inline void viva_tree_read(const viva_tree *s, unsigned i, unsigned joint, viva_tree_operands a,
                                  viva_tree_given *g) {
  const unsigned number = s->number + viva_tree_numbers * i, parts = joint == viva_tree_ball ? 3 : 1;
  for (unsigned k = 0; k < 3; k++) g->r[k] = VIVA_TREE_AT(a, number + k);
  for (unsigned k = 0; k < 9; k++) g->turn[k] = VIVA_TREE_AT(a, number + 3 + k);
  g->mass = VIVA_TREE_AT(a, number + 12);
  for (unsigned k = 0; k < 3; k++) g->h[k] = VIVA_TREE_AT(a, number + 13 + k);
  for (unsigned k = 0; k < 6; k++) g->m[k] = VIVA_TREE_AT(a, number + 16 + k);
  if (joint < viva_tree_prismatic) g->s = VIVA_TREE_AT(a, s->sine[i]), g->c = VIVA_TREE_AT(a, s->sine[i] + 1);
  else
    for (unsigned k = 0; k <= (parts > 1 ? 3u : 0u); k++) g->q[k] = VIVA_TREE_AT(a, s->position[i] + k);
  for (unsigned k = 0; k < parts; k++) {
    g->v[k] = VIVA_TREE_AT(a, s->positions + s->velocity[i] + k);
    g->tau[k] = VIVA_TREE_AT(a, s->force + s->velocity[i] + k);
  }
  for (unsigned k = 0; k < 3; k++) g->ground[k] = -VIVA_TREE_AT(a, s->gravity + k);
}

/* Links of one kind, one after the other: what run r of an order does with them. */
static inline void viva_tree_some(const viva_tree *s, const viva_tree_order *o, unsigned r, unsigned joint,
                                  unsigned how, viva_tree_operands a, viva_real *z, viva_real *kept,
                                  viva_frame *frame) {
  const unsigned from = r ? o->end[r - 1] : 0, to = o->end[r];
  viva_tree_given g;
  if (o->what[r] == viva_tree_outwards) {
    for (unsigned at = from; at < to; at++) {
      const unsigned i = o->link[at], own = s->kept[i];
      viva_tree_read(s, i, joint, a, &g);
      viva_tree_move(joint, how, &g, kept + s->above[i] + viva_tree_speed, kept + own + viva_tree_speed, kept + own);
    }
  } else if (o->what[r] == viva_tree_inwards) {
    for (unsigned at = from; at < to; at++) {
      const unsigned i = o->link[at];
      viva_tree_read(s, i, joint, a, &g);
      viva_tree_come(joint, how, &g, frame + o->up[i], frame + o->own[i], kept + s->above[i], kept + s->kept[i]);
    }
  } else {
    for (unsigned at = from; at < to; at++) {
      const unsigned i = o->link[at];
      viva_tree_read(s, i, joint, a, &g);
      viva_tree_speed_up(joint, how, &g, kept + s->above[i], kept + s->kept[i], z + VIVA_TREE_APART * s->velocity[i]);
    }
  }
}

#ifndef VIVA_TREE_GENERAL
/* Revolute joints about each axis, with and without each flag: a function for each, because a compiler takes less time
 * for short ones. loose: the other flags. */
#ifndef VIVA_TREE_KIND
#define VIVA_TREE_KIND(k) viva_tree_kind_##k
#define VIVA_TREE_ALONE
#endif
#define VIVA_TREE_REVOLUTE(k, joint, flags)                                                                            \
  VIVA_TREE_ALONE static void VIVA_TREE_KIND(k)(const viva_tree *s, const viva_tree_order *o, unsigned r,              \
                                                unsigned loose, viva_tree_operands a, viva_real *z, viva_real *kept,   \
                                                viva_frame *frame) {                                                   \
    viva_tree_some(s, o, r, joint, (flags) | loose, a, z, kept, frame);                                                \
  }
VIVA_TREE_REVOLUTE(0, 0, 0)
VIVA_TREE_REVOLUTE(1, 1, 0)
VIVA_TREE_REVOLUTE(2, 2, 0)
VIVA_TREE_REVOLUTE(3, 0, viva_tree_turned)
VIVA_TREE_REVOLUTE(4, 1, viva_tree_turned)
VIVA_TREE_REVOLUTE(5, 2, viva_tree_turned)
VIVA_TREE_REVOLUTE(6, 0, viva_tree_leaf)
VIVA_TREE_REVOLUTE(7, 1, viva_tree_leaf)
VIVA_TREE_REVOLUTE(8, 2, viva_tree_leaf)
VIVA_TREE_REVOLUTE(9, 0, viva_tree_leaf | viva_tree_turned)
VIVA_TREE_REVOLUTE(10, 1, viva_tree_leaf | viva_tree_turned)
VIVA_TREE_REVOLUTE(11, 2, viva_tree_leaf | viva_tree_turned)
#undef VIVA_TREE_REVOLUTE
#endif

/* a: the operands. z: accelerations. kept: viva_tree.keeps numbers. frame: as many as the order has. */
static inline void viva_tree_run(const viva_tree *s, const viva_tree_order *o, viva_tree_operands a, viva_real *z,
                                 viva_real *kept, viva_frame *frame) {
  for (unsigned r = 0; r < o->runs; r++) {
    const unsigned joint = o->joint[r], how = o->how[r];
#ifdef VIVA_TREE_GENERAL
    viva_tree_some(s, o, r, joint, how, a, z, kept, frame);
#else
    const unsigned loose = how & (viva_tree_root | viva_tree_first);
    if (joint >= viva_tree_prismatic) {
      if (joint == viva_tree_ball) viva_tree_some(s, o, r, viva_tree_ball, how, a, z, kept, frame);
      else viva_tree_some(s, o, r, viva_tree_prismatic + joint % 3, how, a, z, kept, frame);
      continue;
    }
    switch (joint + 3 * ((how & viva_tree_turned ? 1u : 0u) + (how & viva_tree_leaf ? 2u : 0u))) {
    case 0: VIVA_TREE_KIND(0)(s, o, r, loose, a, z, kept, frame); break;
    case 1: VIVA_TREE_KIND(1)(s, o, r, loose, a, z, kept, frame); break;
    case 2: VIVA_TREE_KIND(2)(s, o, r, loose, a, z, kept, frame); break;
    case 3: VIVA_TREE_KIND(3)(s, o, r, loose, a, z, kept, frame); break;
    case 4: VIVA_TREE_KIND(4)(s, o, r, loose, a, z, kept, frame); break;
    case 5: VIVA_TREE_KIND(5)(s, o, r, loose, a, z, kept, frame); break;
    case 6: VIVA_TREE_KIND(6)(s, o, r, loose, a, z, kept, frame); break;
    case 7: VIVA_TREE_KIND(7)(s, o, r, loose, a, z, kept, frame); break;
    case 8: VIVA_TREE_KIND(8)(s, o, r, loose, a, z, kept, frame); break;
    case 9: VIVA_TREE_KIND(9)(s, o, r, loose, a, z, kept, frame); break;
    case 10: VIVA_TREE_KIND(10)(s, o, r, loose, a, z, kept, frame); break;
    default: VIVA_TREE_KIND(11)(s, o, r, loose, a, z, kept, frame); break;
    }
#endif
  }
}
