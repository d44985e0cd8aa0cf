// Derivatives of the articulated-body algorithm, several columns at once. No include guard: this is a template
// (kernel_tree.c). viva_many are viva_tree_many numbers: a vector of them, or one.
//
// how   The recursion is linear in forces and accelerations, so a change of the state is one more call of it with the
//       inertias that are there: in a direction x that belongs to link j the acceleration of j beside its parent is
//       another one, the force through its joint comes to the parent otherwise, and the links behind j have other
//       velocities, which make other accelerations and forces. These changes pass through joints that give way, inwards
//       as forces, outwards as accelerations. A column costs a pass outwards, one inwards and one outwards.
// why   The accelerations of all links behind j, at joints that stand still, and the torques that these would need are
//       the same numbers, dz/dx = -H^-1 dt/dx, but of the far links differences of large ones: far from j derivatives
//       fall like a power of the distance, and their rounding would not.
/* section tree_slopes */
#ifndef VIVA_TREE_MANY
typedef viva_real viva_many; /* one column */
enum { viva_tree_many = 1 };
#endif

/* Of a link: where it is, its velocity, acceleration, angular momentum, the velocities in its joint and (with mass) of
 * its centre; w x r of the parent; the force that comes through its joint. */
typedef struct viva_tree_pose {
  viva_real e[9], r[3], w[3], aw[3], av[3], j[3], spin[3], drift[3], around[3], n[3], f[3];
  viva_real a[6], b[9], c[6]; /* inertia with what hangs on it; of a spherical joint what the parent feels of it */
  viva_real uw[3], uv[3], g;  /* inertia times the axis; the inertia in the joint upside down */
  viva_real ball[9], half[9]; /* the same of a spherical joint: the inverse of the inertia, b */
} viva_tree_pose;

/* Of a link: changes of its velocity, of its acceleration (on the way in: beside that of its parent), of the force
 * behind its joint, of what is left in the joint. */
typedef struct viva_tree_change {
  viva_many w[3], aw[3], av[3], n[3], f[3], u[3];
} viva_tree_change;

/* Where everything of one call stands, and the columns that are computed together. */
typedef struct viva_tree_work {
  const viva_tree *s;
  const viva_real *a; /* the operands */
  const viva_tree_pose *o;
  viva_tree_change *d;
  viva_real *touched;    /* of each link: 1 forces change here, 2 velocities as well */
  unsigned first, count; /* columns: indices in the tree's list of operands */
  unsigned tree;
} viva_tree_work;

/* the number of a column */
#define VIVA_COLUMN(numbers) ((viva_real *)&(numbers))[column]

static inline void viva_tree_cross_many(const viva_many *a, const viva_real *b, viva_many *out) {
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

static inline void viva_tree_cross_from(const viva_real *a, const viva_many *b, viva_many *out) {
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

static inline void viva_tree_turn_many(const viva_real *e, const viva_many *a, viva_many *out) {
  for (unsigned i = 0; i < 3; i++) out[i] = e[3 * i] * a[0] + e[3 * i + 1] * a[1] + e[3 * i + 2] * a[2];
}

static inline void viva_tree_back_many(const viva_real *e, const viva_many *a, viva_many *out) {
  for (unsigned i = 0; i < 3; i++) out[i] = e[i] * a[0] + e[3 + i] * a[1] + e[6 + i] * a[2];
}

/* The acceleration of a link whose joint accelerates by z. up: its parent; 0: the ground. w is still without that of
 * the joint. */
static void viva_tree_pose_speed(unsigned joint, const viva_tree_given *g, const viva_tree_pose *up, const viva_real *z,
                                 viva_tree_pose *p) {
  const unsigned x = joint % 3, y = (x + 1) % 3, v = (x + 2) % 3;
  for (unsigned k = 0; k < 3; k++) p->aw[k] = up ? up->aw[k] : 0, p->av[k] = up ? up->av[k] : g->ground[k];
  if (up) {
    viva_tree_add_cross(up->aw, p->r, p->av);
    viva_tree_add_cross(up->w, p->around, p->av);
  }
  viva_tree_turn(p->e, p->aw);
  viva_tree_turn(p->e, p->av);
  if (joint < viva_tree_prismatic) {
    p->aw[y] += p->w[v] * p->j[0];
    p->aw[v] -= p->w[y] * p->j[0];
    p->aw[x] += z[0];
  } else if (joint < viva_tree_ball) {
    p->av[y] += p->w[v] * (p->j[0] + p->j[0]);
    p->av[v] -= p->w[y] * (p->j[0] + p->j[0]);
    p->av[x] += z[0];
  } else {
    viva_tree_add_cross(p->w, p->j, p->aw);
    for (unsigned k = 0; k < 3; k++) p->aw[k] += z[k];
  }
}

/* What the joint does to the inertia behind it. */
static void viva_tree_pose_joint(unsigned joint, viva_tree_pose *p) {
  if (joint == viva_tree_ball) {
    viva_real pivot[3], half[9];
    viva_tree_invert(p->a, pivot, p->ball);
    viva_tree_loosen(p->ball, p->b, half, p->c);
    for (unsigned k = 0; k < 9; k++) p->half[k] = p->b[k], p->b[k] = 0, p->a[k % 6] = 0;
    return;
  }
  viva_real times[6], parts[6];
  p->g = 1 / (joint < viva_tree_prismatic ? p->a[joint % 3] : p->c[joint % 3]);
  viva_tree_axis(joint, p->a, p->b, p->c, p->g, times, parts);
  for (unsigned k = 0; k < 3; k++) p->uw[k] = times[k], p->uv[k] = times[3 + k];
}

/* Poses, velocities and accelerations of the links at the joint accelerations z, and the forces through the joints. */
static void viva_tree_pose_all(const viva_tree *s, viva_tree_operands operands, const viva_real *a, const viva_real *z,
                               const viva_frame *frame, viva_tree_pose *o) {
  for (unsigned i = 0; i < s->links; i++) {
    const viva_real *number = a + s->number + viva_tree_numbers * i, *h = number + 13;
    const viva_tree_pose *up = s->parent[i] ? o + s->parent[i] - 1 : 0;
    const unsigned joint = s->joint[i], ball = joint == viva_tree_ball;
    viva_tree_pose *p = o + i;
    viva_tree_given g;
    viva_place place;
    viva_tree_read(s, i, joint, operands, &g);
    viva_tree_place(joint, &g, &place);
    for (unsigned k = 0; k < 9; k++) p->e[k] = place.e[k];
    for (unsigned k = 0; k < 3; k++) {
      p->r[k] = place.r[k];
      p->w[k] = up ? up->w[k] : 0;
      p->j[k] = ball || !k ? g.v[k] : 0;
    }
    viva_tree_cross(p->w, p->r, p->around);
    viva_tree_turn(p->e, p->w);
    viva_tree_pose_speed(joint, &g, up, z + s->velocity[i], p);
    if (joint < viva_tree_prismatic) p->w[joint] += p->j[0];
    for (unsigned k = 0; k < 3 && ball; k++) p->w[k] += p->j[k];
    viva_tree_six(number + 16, p->w, p->spin);
    viva_tree_cross(p->w, h, p->drift);
    /* n = I aw + w x I w + h x av, f = m av + aw x h + w x (w x h) */
    viva_tree_six(number + 16, p->aw, p->n);
    viva_tree_add_cross(p->w, p->spin, p->n);
    viva_tree_add_cross(h, p->av, p->n);
    for (unsigned k = 0; k < 3; k++) p->f[k] = number[12] * p->av[k];
    viva_tree_add_cross(p->aw, h, p->f);
    viva_tree_add_cross(p->w, p->drift, p->f);
    viva_tree_weigh(s->how[i], &g, frame + s->level.own[i], p->a, p->b, p->c);
    viva_tree_pose_joint(joint, p);
  }
  for (unsigned i = s->links; i-- > 0;) {
    viva_real n[3], f[3];
    if (!s->parent[i]) continue;
    viva_tree_pose *up = o + s->parent[i] - 1;
    for (unsigned k = 0; k < 3; k++) n[k] = o[i].n[k], f[k] = o[i].f[k];
    viva_tree_back(o[i].e, n);
    viva_tree_back(o[i].e, f);
    viva_tree_add_cross(o[i].r, f, n);
    for (unsigned k = 0; k < 3; k++) up->n[k] += n[k], up->f[k] += f[k];
  }
}

/* How e and r change with the position `part` of a link. */
static void viva_tree_rotate_change(const viva_tree *s, unsigned i, unsigned part, const viva_real *a, viva_real *e,
                                    viva_real *r) {
  const unsigned x = s->joint[i] % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_real *q = a + s->position[i], *turn = a + s->number + viva_tree_numbers * i + 3;
  for (unsigned k = 0; k < 9; k++) e[k] = 0;
  for (unsigned k = 0; k < 3; k++) r[k] = 0;
  if (s->joint[i] < viva_tree_prismatic) {
    const viva_real sine = a[s->sine[i]], cosine = a[s->sine[i] + 1];
    for (unsigned k = 0; k < 3; k++) {
      e[3 * y + k] = cosine * turn[3 * z + k] - sine * turn[3 * y + k];
      e[3 * z + k] = -sine * turn[3 * z + k] - cosine * turn[3 * y + k];
    }
  } else if (s->joint[i] < viva_tree_ball) {
    for (unsigned k = 0; k < 3; k++) r[k] = turn[3 * x + k];
  } else {
    /* w, x, y, z with signs, entry by entry; twice that, on the diagonal four times */
    static const int place[4][9] = {
        {0, 4, -3, -4, 0, 2, 3, -2, 0},
        {0, 3, 4, 3, -2, 1, 4, -1, -2},
        {-3, 2, -1, 2, 0, 4, 1, 4, -3},
        {-4, 1, 2, -1, -4, 3, 2, 3, 0},
    };
    viva_real m[9];
    for (unsigned k = 0; k < 9; k++) {
      const int at = place[part][k], twice = k % 4 ? 2 : 4;
      m[k] = at > 0 ? (viva_real)twice * q[at - 1] : at < 0 ? (viva_real)-twice * q[-at - 1] : 0;
    }
    for (unsigned k = 0; k < 9; k++)
      e[k] = m[k / 3 * 3] * turn[k % 3] + m[k / 3 * 3 + 1] * turn[3 + k % 3] + m[k / 3 * 3 + 2] * turn[6 + k % 3];
  }
}

/* A column's own link: what of the change begins there. */
static void viva_tree_begin(const viva_tree_work *t, unsigned column) {
  const viva_tree *s = t->s;
  const unsigned operand = s->operand[s->operands[t->tree] + t->first + column], i = s->owner[operand];
  const unsigned part = operand - (operand < s->positions ? s->position[i]
                                   : operand < s->force   ? s->positions + s->velocity[i]
                                                          : s->force + s->velocity[i]);
  const viva_tree_pose *o = t->o + i, *up = s->parent[i] ? t->o + s->parent[i] - 1 : 0;
  const unsigned x = s->joint[i] < viva_tree_ball ? s->joint[i] % 3 : part;
  viva_tree_change *d = t->d + i;
  if (operand >= s->force) return;
  if (operand < s->positions) {
    viva_real e[9], r[3], w[3], aw[3], av[3], around[3];
    viva_tree_rotate_change(s, i, part, t->a, e, r);
    for (unsigned k = 0; k < 3; k++) av[k] = up ? up->av[k] : -t->a[s->gravity + k];
    if (up) {
      for (unsigned k = 0; k < 3; k++) w[k] = up->w[k], aw[k] = up->aw[k];
      viva_tree_add_cross(aw, o->r, av);
      viva_tree_add_cross(w, o->around, av);
      viva_tree_turn(e, w);
      viva_tree_turn(e, aw);
      for (unsigned k = 0; k < 3; k++) {
        VIVA_COLUMN(d->w[k]) += w[k];
        VIVA_COLUMN(d->aw[k]) += aw[k];
      }
    }
    viva_tree_turn(e, av);
    for (unsigned k = 0; k < 3; k++) VIVA_COLUMN(d->av[k]) += av[k];
    if (up) {
      viva_tree_cross(up->w, r, around);
      viva_tree_cross(up->w, around, av);
      viva_tree_add_cross(up->aw, r, av);
      viva_tree_turn(o->e, av);
      for (unsigned k = 0; k < 3; k++) VIVA_COLUMN(d->av[k]) += av[k];
    }
  } else {
    const unsigned y = (x + 1) % 3, z = (x + 2) % 3;
    const int ball = s->joint[i] == viva_tree_ball, turns = s->joint[i] < viva_tree_prismatic || ball;
    const viva_real twice = turns ? 1 : 2;
    viva_many *change = turns ? d->aw : d->av;
    if (turns) VIVA_COLUMN(d->w[x]) += 1;
    VIVA_COLUMN(change[y]) += twice * o->w[z];
    VIVA_COLUMN(change[z]) -= twice * o->w[y];
  }
}

/* The force through the joint of a column's link is rotated and shifted otherwise when it comes to the parent. */
static void viva_tree_bend(const viva_tree_work *t, unsigned column) {
  const viva_tree *s = t->s;
  const unsigned operand = s->operand[s->operands[t->tree] + t->first + column], i = s->owner[operand];
  const viva_tree_pose *o = t->o + i;
  viva_real e[9], r[3], n[3], f[3], force[3];
  if (operand >= s->positions || !s->parent[i]) return;
  viva_tree_change *up = t->d + s->parent[i] - 1;
  viva_tree_rotate_change(s, i, operand - s->position[i], t->a, e, r);
  for (unsigned k = 0; k < 3; k++) n[k] = o->n[k], f[k] = force[k] = o->f[k];
  viva_tree_back(e, n);
  viva_tree_back(e, f);
  viva_tree_add_cross(o->r, f, n);
  viva_tree_back(o->e, force);
  viva_tree_add_cross(r, force, n);
  for (unsigned k = 0; k < 3; k++) {
    VIVA_COLUMN(up->n[k]) += n[k];
    VIVA_COLUMN(up->f[k]) += f[k];
  }
}

/* Outwards: changes of velocity, and what they make of acceleration and force. */
static inline void viva_tree_spread(const viva_tree_work *t, unsigned i) {
  const viva_tree *s = t->s;
  const unsigned x = s->joint[i] % 3, y = (x + 1) % 3, z = (x + 2) % 3;
  const viva_tree_pose *o = t->o + i, *before = s->parent[i] ? t->o + s->parent[i] - 1 : 0;
  const viva_tree_change *up = s->parent[i] ? t->d + s->parent[i] - 1 : 0;
  const viva_real *number = t->a + s->number + viva_tree_numbers * i, *h = number + 13, *m = number + 16;
  viva_tree_change *d = t->d + i;
  const viva_many zero = {0};
  viva_many drift[3] = {zero, zero, zero};
  if (up && t->touched[s->parent[i] - 1] > 1) {
    viva_many moved[3] = {zero, zero, zero};
    viva_tree_cross_many(up->w, o->around, moved);
    viva_tree_cross_many(up->w, o->r, drift);
    viva_tree_cross_from(before->w, drift, moved);
    viva_tree_turn_many(o->e, up->w, d->w);
    viva_tree_turn_many(o->e, moved, d->av);
    for (unsigned k = 0; k < 3; k++) d->aw[k] = zero;
  } else {
    for (unsigned k = 0; k < 3; k++) d->w[k] = d->aw[k] = d->av[k] = zero;
  }
  for (unsigned c = 0; c < t->count; c++) {
    if (s->owner[s->operand[s->operands[t->tree] + t->first + c]] == i) viva_tree_begin(t, c);
  }
  if (s->joint[i] < viva_tree_prismatic) {
    d->aw[y] += d->w[z] * o->j[0];
    d->aw[z] -= d->w[y] * o->j[0];
  } else if (s->joint[i] < viva_tree_ball) {
    d->av[y] += d->w[z] * (o->j[0] + o->j[0]);
    d->av[z] -= d->w[y] * (o->j[0] + o->j[0]);
  } else {
    viva_tree_cross_many(d->w, o->j, d->aw);
  }
  viva_many spin[3];
  for (unsigned k = 0; k < 3; k++) {
    static const unsigned row[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    const viva_real p = m[row[3 * k]], q = m[row[3 * k + 1]], r = m[row[3 * k + 2]];
    spin[k] = p * d->w[0] + q * d->w[1] + r * d->w[2];
    d->n[k] = d->f[k] = drift[k] = zero;
  }
  viva_tree_cross_many(d->w, o->spin, d->n);
  viva_tree_cross_from(o->w, spin, d->n);
  viva_tree_cross_many(d->w, o->drift, d->f);
  viva_tree_cross_many(d->w, h, drift);
  viva_tree_cross_from(o->w, drift, d->f);
}

/* The force that a change of acceleration asks for. */
static inline void viva_tree_press(const viva_tree_pose *o, viva_tree_change *d) {
  for (unsigned k = 0; k < 3; k++) {
    const unsigned p = viva_tree_at(k, 0), q = viva_tree_at(k, 1), r = viva_tree_at(k, 2);
    d->n[k] += o->a[p] * d->aw[0] + o->a[q] * d->aw[1] + o->a[r] * d->aw[2] +
               (o->b[3 * k] * d->av[0] + o->b[3 * k + 1] * d->av[1] + o->b[3 * k + 2] * d->av[2]);
    d->f[k] += o->b[k] * d->aw[0] + o->b[3 + k] * d->aw[1] + o->b[6 + k] * d->aw[2] +
               (o->c[p] * d->av[0] + o->c[q] * d->av[1] + o->c[r] * d->av[2]);
  }
}

/* Inwards: the joint gives way, and the parent feels the rest. */
static inline void viva_tree_gather(const viva_tree_work *t, unsigned i) {
  const viva_tree *s = t->s;
  const unsigned x = s->joint[i] % 3, turns = s->joint[i] < viva_tree_prismatic, ball = s->joint[i] == viva_tree_ball;
  const viva_tree_pose *o = t->o + i;
  viva_tree_change *d = t->d + i, *up = s->parent[i] ? t->d + s->parent[i] - 1 : 0;
  viva_many n[3], f[3], part[3];
  for (unsigned k = 0; k < 3; k++) d->u[k] = ball ? -d->n[k] : turns ? -d->n[x] : -d->f[x];
  for (unsigned column = 0; column < t->count; column++) {
    const unsigned operand = s->operand[s->operands[t->tree] + t->first + column];
    if (s->owner[operand] != i) continue;
    if (operand >= s->force) VIVA_COLUMN(d->u[operand - s->force - s->velocity[i]]) += 1;
    else viva_tree_bend(t, column);
  }
  if (!up) return;
  if (ball) {
    viva_tree_turn_many(o->ball, d->u, part);
    viva_tree_back_many(o->half, part, f);
    for (unsigned k = 0; k < 3; k++) d->n[k] += d->u[k], d->f[k] += f[k];
    if (t->touched[i] > 1) viva_tree_press(o, d);
  } else {
    /* along the joint nothing is left but its own force: no rounding of what was large */
    const viva_many own = (turns ? d->n[x] : d->f[x]) + d->u[0];
    part[0] = o->g * d->u[0];
    if (t->touched[i] > 1) {
      const viva_real *uw = o->uw, *uv = o->uv;
      part[0] -= o->g * (uw[0] * d->aw[0] + uw[1] * d->aw[1] + uw[2] * d->aw[2] +
                         (uv[0] * d->av[0] + uv[1] * d->av[1] + uv[2] * d->av[2]));
      viva_tree_press(o, d);
    }
    for (unsigned k = 0; k < 3; k++) d->n[k] += o->uw[k] * part[0], d->f[k] += o->uv[k] * part[0];
    *(turns ? &d->n[x] : &d->f[x]) = own;
  }
  viva_tree_back_many(o->e, d->n, n);
  viva_tree_back_many(o->e, d->f, f);
  viva_tree_cross_from(o->r, f, n);
  for (unsigned k = 0; k < 3; k++) up->n[k] += n[k], up->f[k] += f[k];
}

/* Outwards again: the accelerations that follow. */
static inline void viva_tree_answer(const viva_tree_work *t, unsigned i, viva_many *z) {
  const viva_tree *s = t->s;
  const unsigned x = s->joint[i] % 3, turns = s->joint[i] < viva_tree_prismatic;
  const viva_tree_pose *o = t->o + i;
  const viva_tree_change *up = s->parent[i] ? t->d + s->parent[i] - 1 : 0;
  viva_tree_change *d = t->d + i;
  const viva_many zero = {0};
  for (unsigned k = 0; k < 3 && t->touched[i] < 1; k++) d->u[k] = zero;
  if (up) {
    viva_many turned[3], moved[3];
    for (unsigned k = 0; k < 3; k++) moved[k] = up->av[k];
    viva_tree_cross_many(up->aw, o->r, moved);
    viva_tree_turn_many(o->e, up->aw, turned);
    for (unsigned k = 0; k < 3; k++) d->aw[k] += turned[k];
    viva_tree_turn_many(o->e, moved, turned);
    for (unsigned k = 0; k < 3; k++) d->av[k] += turned[k];
  }
  if (s->joint[i] < viva_tree_ball) {
    const viva_real *uw = o->uw, *uv = o->uv;
    const viva_many joint = o->g * (d->u[0] - (uw[0] * d->aw[0] + uw[1] * d->aw[1] + uw[2] * d->aw[2]) -
                                    (uv[0] * d->av[0] + uv[1] * d->av[1] + uv[2] * d->av[2]));
    *(turns ? &d->aw[x] : &d->av[x]) += joint;
    z[0] = joint;
  } else {
    viva_many part[3], left[3];
    viva_tree_turn_many(o->half, d->av, part);
    for (unsigned k = 0; k < 3; k++) left[k] = d->u[k] - part[k];
    viva_tree_turn_many(o->ball, left, part);
    for (unsigned k = 0; k < 3; k++) z[k] = part[k] - d->aw[k], d->aw[k] = part[k];
  }
}

/* Columns t->first and on of a tree into the rows of its results. */
static inline void viva_tree_columns(const viva_tree_work *t, viva_real *slopes) {
  const viva_tree *s = t->s;
  const unsigned from = s->member_start[t->tree], to = s->member_start[t->tree + 1];
  const unsigned *operand = s->operand + s->operands[t->tree] + t->first;
  for (unsigned k = from; k < to; k++) t->touched[s->member[k]] = 0;
  for (unsigned c = 0; c < t->count; c++) {
    viva_real *touched = &t->touched[s->owner[operand[c]]];
    if (operand[c] < s->force) *touched = 2;
    else if (*touched < 1) *touched = 1;
  }
  for (unsigned k = from; k < to; k++) {
    const unsigned i = s->member[k];
    if (s->parent[i] && t->touched[s->parent[i] - 1] > 1) t->touched[i] = 2;
    if (t->touched[i] > 1) viva_tree_spread(t, i);
  }
  for (unsigned k = to; k-- > from;) {
    const unsigned i = s->member[k], up = s->parent[i];
    if (t->touched[i] > 0 && up && !(t->touched[up - 1] > 0)) t->touched[up - 1] = 1;
  }
  for (unsigned k = from; k < to; k++) {
    viva_tree_change *d = t->d + s->member[k];
    const viva_many zero = {0};
    for (unsigned j = 0; j < 3 && t->touched[s->member[k]] < 2; j++) d->n[j] = d->f[j] = d->aw[j] = d->av[j] = zero;
  }
  for (unsigned k = to; k-- > from;) {
    if (t->touched[s->member[k]] > 0) viva_tree_gather(t, s->member[k]);
  }
  for (unsigned k = from; k < to; k++) {
    const unsigned i = s->member[k], parts = s->joint[i] == viva_tree_ball ? 3 : 1;
    viva_many z[3];
    viva_tree_answer(t, i, z);
    for (unsigned p = 0; p < parts; p++) {
      /* no -0, whatever columns are computed together */
      for (unsigned c = 0; c < t->count; c++)
        slopes[s->start[s->velocity[i] + p] + t->first + c] = ((const viva_real *)&z[p])[c] + 0;
    }
  }
}

/* operands, a: the same, as the recursion takes them and in one row. slopes: derivatives row by row, the operands of
 * the row's tree. room: z, what links keep and frames, as the recursion left them; poses, marks, changes. */
static inline void viva_tree_slopes_after(const viva_tree *s, viva_tree_operands operands, const viva_real *a,
                                          viva_real *slopes, viva_real *room) {
  viva_real *kept = room + s->velocities;
  viva_frame *frame = (viva_frame *)(void *)(kept + s->keeps);
  viva_tree_pose *o = (viva_tree_pose *)(void *)(frame + s->level.frames);
  viva_tree_work t = {s, a, o, 0, (viva_real *)(void *)(o + s->links), 0, 0, 0};
  t.d = (viva_tree_change *)(void *)(t.touched + s->links);
  viva_tree_pose_all(s, operands, a, room, frame, o);
  for (t.tree = 0; t.tree < s->trees; t.tree++) {
    const unsigned all = s->operands[t.tree + 1] - s->operands[t.tree];
    for (t.first = 0; t.first < all; t.first += viva_tree_many) {
      t.count = all - t.first < viva_tree_many ? all - t.first : viva_tree_many;
      viva_tree_columns(&t, slopes);
    }
  }
  if (!viva_tree_singular(s, kept)) return;
  for (unsigned i = 0; i < s->start[s->velocities]; i++) slopes[i] = (viva_real)NAN;
}

static inline void viva_tree_slopes(const viva_tree *s, viva_tree_operands operands, const viva_real *a,
                                    viva_real *slopes, viva_real *room) {
  viva_real *kept = room + s->velocities;
  viva_tree_run(s, &s->level, operands, room, kept, (viva_frame *)(void *)(kept + s->keeps));
  viva_tree_slopes_after(s, operands, a, slopes, room);
}
#undef VIVA_COLUMN
