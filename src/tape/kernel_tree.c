// The accelerations of a tree of links by the articulated-body recursion (Featherstone, Rigid Body Dynamics Algorithms,
// 2008, chapter 7), with loops over arrays: for trees that would be too many expressions.
//
// in    links, parents first, each with a joint: revolute or prismatic about or along an axis of its frame, or a ball
// args  positions q (a ball's quaternion w x y z, from the link to the joint's frame), velocities (a ball's angular
//       velocity in the link's axes), forces in the joints; sin q and cos q of each revolute joint; gravity;
//       viva_tree_numbers of each link: the joint in the parent's frame, the matrix (row by row) that turns vectors of
//       the parent into the link where q = 0, mass, mass times centre of mass, inertia about the link's origin xx yy zz
//       xy xz yz
// out   accelerations. A joint behind which there is no inertia: NaN
// slope by positions, velocities and forces. That by q holds those of its sine and cosine; numbers of links and gravity
// do
//       not move
// room  the results, the operands, the links; of the slopes see viva_tree_slopes
#include "tape/kernel_ldl.h"
#include "tape/lanes.h"

#include <string.h>

// Here operands are read where they stand.
typedef struct TreeOperands {
  const double *w;
  const uint32_t *at;
} TreeOperands;
#define viva_tree_operands TreeOperands
#define VIVA_TREE_AT(a, k) (a).w[(a).at[k]]

/* section tree */
enum { viva_tree_prismatic = 3, viva_tree_ball = 6, viva_tree_numbers = 22 };

/* Links of trees, parents first. Trees are what no link connects: they do not feel each other. */
typedef struct viva_tree {
  unsigned links, positions, velocities; /* how many there are */
  unsigned force, gravity, number;       /* the first operand of each kind; positions stand at 0, then velocities */
  unsigned trees;
  const unsigned *parent;              /* of each link, plus one; 0: the ground */
  const unsigned *joint;               /* of each link: 0, 1, 2 revolute about x, y, z; 3, 4, 5 prismatic; 6 a ball */
  const unsigned *position, *velocity; /* of each link: its first */
  const unsigned *straight;            /* of each link: see KernelLink */
  const unsigned *carries, *first;     /* of each link: 1 where others hang on it; where it is the last of its parent */
  const unsigned *sine;                /* of each revolute link: the operand that is its sine; the cosine follows */
  const unsigned *member_start, *member; /* of each tree: its links, parents first */
  const unsigned *operands, *operand;    /* of each tree: positions, velocities and forces, rising */
  const unsigned *owner;                 /* of each of them: its link */
  const unsigned *start;                 /* of each result: its first slope */
  const viva_real *sign;                 /* of each link: -1 where its axis points backwards, else 1 */
} viva_tree;

/* The operands of a call, and one of them. */
#ifndef VIVA_TREE_AT
typedef const viva_real *viva_tree_operands;
#define VIVA_TREE_AT(a, k) (a)[k]
#endif

/* section end */

// What the passes are told is constant where they are called.
#define inline inline __attribute__((always_inline))
#include "tape/kernel_tree_text.h"
/* section tree_check */
/* The outermost link, plus one, behind whose joint there is no inertia but rounding; 0: none. */
static inline unsigned viva_tree_singular(const viva_tree *s, const viva_link *l) {
  for (unsigned i = s->links; i-- > 0;) {
    for (unsigned k = 0; k < (s->joint[i] == viva_tree_ball ? 3u : 1u); k++) {
      if (!(l[i].margin[k] > 0)) return i + 1;
    }
  }
  return 0;
}

/* a: the operands. z: accelerations. room: the links. */
static inline void viva_tree_solve(const viva_tree *s, viva_tree_operands a, viva_real *z, viva_real *room) {
  viva_link *l = (viva_link *)(void *)room;
  viva_tree_run(s, a, z, l);
  if (!viva_tree_singular(s, l)) return;
  for (unsigned i = 0; i < s->velocities; i++) z[i] = (viva_real)NAN;
}

/* section end */

// ---- several at once: the same text over vectors, compiled into the function that calls it

typedef double TreeMany __attribute__((vector_size(64), aligned(8), may_alias));
#define VIVA_TREE_MANY
#define viva_many TreeMany
enum { viva_tree_many = 8 };
#include "tape/kernel_tree_slopes.h"
#undef viva_many

// Eight lanes, or of each slot one half.
#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
#define viva_real JOIN(LANES, Real)
#define viva_link JOIN(LANES, Link)
#define viva_place JOIN(LANES, Place)
#undef viva_tree_operands
#define viva_tree_operands JOIN(LANES, Operands)
#define viva_tree_cross JOIN(LANES, _cross)
#define viva_tree_add_cross JOIN(LANES, _add_cross)
#define viva_tree_turn JOIN(LANES, _turn)
#define viva_tree_back JOIN(LANES, _back)
#define viva_tree_six JOIN(LANES, _six)
#define viva_tree_at JOIN(LANES, _at)
#define viva_tree_turn_matrix JOIN(LANES, _turn_matrix)
#define viva_tree_turn_six JOIN(LANES, _turn_six)
#define viva_tree_spin JOIN(LANES, _spin)
#define viva_tree_unspin JOIN(LANES, _unspin)
#define viva_tree_unspin_across JOIN(LANES, _unspin_across)
#define viva_tree_place JOIN(LANES, _place)
#define viva_tree_stand JOIN(LANES, _stand)
#define viva_tree_into JOIN(LANES, _into)
#define viva_tree_out_of JOIN(LANES, _out_of)
#define viva_tree_arm JOIN(LANES, _arm)
#define viva_tree_move JOIN(LANES, _move)
#define viva_tree_weigh JOIN(LANES, _weigh)
#define viva_tree_pass JOIN(LANES, _pass)
#define viva_tree_yield JOIN(LANES, _yield)
#define viva_tree_invert JOIN(LANES, _invert)
#define viva_tree_yield_ball JOIN(LANES, _yield_ball)
#define viva_tree_yield_along JOIN(LANES, _yield_along)
#define viva_tree_yield_other JOIN(LANES, _yield_other)
#define viva_tree_speed_up JOIN(LANES, _speed_up)
#define viva_tree_run JOIN(LANES, _run)

typedef double WideReal __attribute__((vector_size(64), aligned(64), may_alias));
typedef struct WideOperands {
  const WideReal *w;
  const uint32_t *at;
} WideOperands;
#define LANES Wide
#include "tape/kernel_tree_text.h"
#undef LANES

typedef double HalfReal __attribute__((vector_size(32), aligned(32), may_alias));
typedef struct HalfOperands {
  const HalfReal *w;
  const uint32_t *at;
} HalfOperands;
#undef VIVA_TREE_AT
#define VIVA_TREE_AT(a, k) (a).w[2 * (a).at[k]]
#define LANES Half
#include "tape/kernel_tree_text.h"
#undef LANES
#undef viva_real
#undef viva_link
#undef inline

// ---- the call

typedef struct TreeData {
  viva_tree s;
  uint32_t operands; // of a call
  TapePattern pattern;
  const char *const *faults; // of each link
} TreeData;

enum { link_size = sizeof(viva_link) / sizeof(double), lane_link = sizeof(WideLink) / sizeof(WideReal) };
_Static_assert((int)link_size == (int)lane_link, "a link is as many numbers in lanes");

static uint32_t results(const void *data) { return ((const TreeData *)data)->s.velocities; }

static uint32_t room(const void *data) {
  const TreeData *t = data;
  return t->s.velocities + t->operands + t->s.links * link_size; // operands: of text that stands alone
}

static uint64_t work(const void *data) { return 100 * (uint64_t)((const TreeData *)data)->s.links; }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void solve_avx2(const viva_tree *s, TreeOperands a, double *z, double *room) {
  viva_tree_solve(s, a, z, room);
}
#endif

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  const viva_tree *s = &((const TreeData *)call->data)->s;
  const TreeOperands a = {w, args};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    solve_avx2(s, a, z, z + s->velocities);
    return;
  }
#endif
  viva_tree_solve(s, a, z, z + s->velocities);
}

static const char *reason(const TapeCall *call, const uint32_t *args, double *w) {
  const TreeData *t = call->data;
  (void)args;
  const double *links = w + call->scratch + t->s.velocities;
  const viva_link *l = (const viva_link *)(const void *)links;
  unsigned link = viva_tree_singular(&t->s, l);
  // what is not finite is no lack of inertia
  return link && isfinite(l[link - 1].margin[0]) ? t->faults[link - 1] : NULL;
}

// Results, then links; of halves the results of one behind them.
#if defined(__x86_64__)
__attribute__((target("avx512f,avx512dq"))) static void lanes_wide(const viva_tree *s, const uint32_t *args,
                                                                   const double *w, double *results) {
  typedef long long Mask __attribute__((vector_size(64)));
  WideReal *z = (WideReal *)(void *)results;
  WideLink *l = (WideLink *)(void *)(z + s->velocities);
  Mask fine = ~(Mask){0};
  Wide_run(s, (WideOperands){(const WideReal *)(const void *)w, args}, z, l);
  for (unsigned i = 0; i < s->links; i++) {
    for (unsigned k = 0; k < (s->joint[i] == viva_tree_ball ? 3u : 1u); k++) fine &= (Mask)(l[i].margin[k] > 0);
  }
  for (unsigned lane = 0; lane < lane_count; lane++) {
    for (uint32_t i = 0; i < s->velocities && !fine[lane]; i++) z[i][lane] = NAN;
  }
}

__attribute__((target("avx2"))) static void lanes_half(const viva_tree *s, const uint32_t *args, const double *w,
                                                       double *results) {
  typedef long long Mask __attribute__((vector_size(32)));
  HalfLink *l = (HalfLink *)(void *)(results + (size_t)lane_count * s->velocities);
  HalfReal *z = (HalfReal *)(void *)(l + s->links);
  Mask fine = ~(Mask){0};
  Half_run(s, (HalfOperands){(const HalfReal *)(const void *)w, args}, z, l);
  for (unsigned i = 0; i < s->links; i++) {
    for (unsigned k = 0; k < (s->joint[i] == viva_tree_ball ? 3u : 1u); k++) fine &= (Mask)(l[i].margin[k] > 0);
  }
  for (uint32_t i = 0; i < s->velocities; i++) {
    for (unsigned lane = 0; lane < lane_count / 2; lane++)
      results[(size_t)lane_count * i + lane] = fine[lane] ? z[i][lane] : NAN;
  }
}
#endif

static unsigned tree_lanes(const TapeCall *call, const uint32_t *args, double *w) {
#if defined(__x86_64__)
  const viva_tree *s = &((const TreeData *)call->data)->s;
  double *results = w + (size_t)lane_count * call->scratch;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    lanes_wide(s, args, w, results);
    return 0;
  }
  if (__builtin_cpu_supports("avx2")) {
    lanes_half(s, args, w, results);
    lanes_half(s, args, w + lane_count / 2, results + lane_count / 2);
    return 0;
  }
#endif
  (void)call, (void)args, (void)w;
  return (1u << lane_count) - 1; // each alone
}

// ---- slopes

static uint32_t slopes_count(const void *data) {
  const viva_tree *s = &((const TreeData *)data)->s;
  return s->start[s->velocities];
}

static uint32_t slopes_scratch(const TreeData *t) {
  enum { pose = sizeof(viva_tree_pose) / sizeof(double), change = sizeof(viva_tree_change) / sizeof(double) };
  return t->s.velocities + t->s.links * (link_size + pose + change + 1);
}

static uint32_t slopes_room(const void *data) {
  const TreeData *t = data;
  return slopes_count(t) + t->operands + slopes_scratch(t);
}

static uint64_t slopes_work(const void *data) { return 20 * (uint64_t)slopes_count(data); }

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void slopes_avx512(const viva_tree *s, TreeOperands operands, const double *a,
                                                             double *d, double *scratch) {
  viva_tree_slopes(s, operands, a, d, scratch);
}
__attribute__((target("avx2"))) static void slopes_avx2(const viva_tree *s, TreeOperands operands, const double *a,
                                                        double *d, double *scratch) {
  viva_tree_slopes(s, operands, a, d, scratch);
}
#endif

// a: room for the operands, the scratch behind it.
static void find_slopes(const viva_tree *s, const double *w, const uint32_t *args, uint32_t count, double *a,
                        double *d) {
  TreeOperands operands = {w, args};
  for (uint32_t i = 0; i < count; i++) a[i] = w[args[i]];
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    slopes_avx512(s, operands, a, d, a + count);
    return;
  }
  if (__builtin_cpu_supports("avx2")) {
    slopes_avx2(s, operands, a, d, a + count);
    return;
  }
#endif
  viva_tree_slopes(s, operands, a, d, a + count);
}

static void slopes_eval(const TapeCall *call, const uint32_t *args, double *w, double *d) {
  const TreeData *t = call->data;
  find_slopes(&t->s, w, args, call->count, d + slopes_count(t), d);
}

static TapePattern pattern(const void *data) { return ((const TreeData *)data)->pattern; }

// Rates in numbers: the slopes are computed once for all directions.
static uint32_t rates_room(const void *data) { return 1 + slopes_room(data); }

// The results of a tree; all of them depend on the same operands.
static void put_rates(const TreeData *t, uint32_t tree, const uint32_t *args, const double *d, uint32_t result,
                      TapeRates *r) {
  const viva_tree *s = &t->s;
  const uint32_t *operand = s->operand + s->operands[tree], all = s->operands[tree + 1] - s->operands[tree];
  uint32_t first = 0, last = all; // the range in which operands move
  while (first < last && !r->moves[args[operand[first]]]) first++;
  while (last > first && !r->moves[args[operand[last - 1]]]) last--;
  for (uint32_t m = s->member_start[tree]; m < s->member_start[tree + 1]; m++) {
    uint32_t link = s->member[m], parts = s->joint[link] == viva_tree_ball ? 3 : 1;
    for (uint32_t i = s->velocity[link]; i < s->velocity[link] + parts; i++) {
      double sum[tape_directions] = {0};
      for (uint32_t k = first; k < last; k++) {
        uint32_t slot = args[operand[k]];
        if (!r->moves[slot]) continue;
        for (int c = 0; c < tape_directions; c++) sum[c] += d[s->start[i] + k] * r->of[slot][c];
      }
      memcpy(r->of[result + i], sum, sizeof sum);
    }
  }
}

static void rates(const TapeCall *call, const uint32_t *args, const double *w, uint32_t result, TapeRates *r) {
  const TreeData *t = call->data;
  const viva_tree *s = &t->s;
  double *d = r->room + 1, *a = d + slopes_count(t);
  if (r->room[0] == 0) {
    find_slopes(s, w, args, call->count, a, d);
    r->room[0] = 1;
  }
  for (uint32_t tree = 0; tree < s->trees; tree++) put_rates(t, tree, args, d, result, r);
}

// ---- the structure

typedef struct TreePlan {
  Arena *arena;
  const KernelTree *of;
  TreeData *out;
  uint32_t *tree; // of each link
  uint32_t *position, *velocity, *straight, *sine, *joint, *parent, *carries, *first;
  uint32_t *member_start, *member, *operands, *operand, *owner, *start;
  double *sign;
} TreePlan;

static uint32_t parts_of(const TreePlan *p, uint32_t link, bool positions) {
  return p->of->links[link].joint == kernel_ball ? positions ? 4 : 3 : 1;
}

static bool plan_room(TreePlan *p) {
  uint32_t **const lists[] = {&p->tree,   &p->position,     &p->velocity, &p->straight, &p->sine,    &p->joint,
                              &p->parent, &p->member_start, &p->member,   &p->operands, &p->carries, &p->first};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i] = arena_array(p->arena, (size_t)p->of->count + 2, sizeof **lists[i]);
    if (!*lists[i]) return false;
  }
  p->sign = arena_array(p->arena, (size_t)p->of->count + 1, sizeof *p->sign);
  return p->sign != NULL;
}

// Where the operands of each link stand.
static void number_operands(TreePlan *p) {
  viva_tree *s = &p->out->s;
  uint32_t turning = 0;
  for (uint32_t i = 0; i < p->of->count; i++) {
    const KernelLink *l = &p->of->links[i];
    p->parent[i] = l->parent;
    p->joint[i] = l->axis;
    if (l->joint == kernel_prismatic) p->joint[i] += viva_tree_prismatic;
    if (l->joint == kernel_ball) p->joint[i] = viva_tree_ball;
    p->sign[i] = l->backwards ? -1 : 1;
    p->straight[i] = l->straight;
    p->position[i] = s->positions;
    p->velocity[i] = s->velocities;
    s->positions += parts_of(p, i, true);
    s->velocities += parts_of(p, i, false);
    p->tree[i] = l->parent ? p->tree[l->parent - 1] : s->trees++;
  }
  for (uint32_t i = p->of->count; i-- > 0;) {
    uint32_t parent = p->of->links[i].parent;
    if (!parent) continue;
    p->first[i] = !p->carries[parent - 1];
    p->carries[parent - 1] = 1;
  }
  s->links = p->of->count;
  s->force = s->positions + s->velocities;
  for (uint32_t i = 0; i < p->of->count; i++) {
    if (p->of->links[i].joint == kernel_revolute) p->sine[i] = s->force + s->velocities + 2 * turning++;
  }
  s->gravity = s->force + s->velocities + 2 * turning;
  s->number = s->gravity + 3;
  p->out->operands = s->number + viva_tree_numbers * s->links;
}

// Links and operands tree by tree.
static bool list_trees(TreePlan *p) {
  viva_tree *s = &p->out->s;
  uint32_t all = s->force + s->velocities;
  p->operand = arena_array(p->arena, (size_t)all + 1, sizeof *p->operand);
  p->owner = arena_array(p->arena, (size_t)all + 1, sizeof *p->owner);
  uint32_t *at = arena_array(p->arena, (size_t)s->trees + 1, sizeof *at);
  if (!p->operand || !p->owner || !at) return false;
  for (uint32_t i = 0; i < s->links; i++) {
    p->member_start[p->tree[i] + 1]++;
    p->operands[p->tree[i] + 1] += parts_of(p, i, true) + 2 * parts_of(p, i, false);
  }
  for (uint32_t t = 0; t < s->trees; t++) {
    p->member_start[t + 1] += p->member_start[t];
    p->operands[t + 1] += p->operands[t];
    at[t] = p->member_start[t];
  }
  for (uint32_t i = 0; i < s->links; i++) p->member[at[p->tree[i]]++] = i;
  for (uint32_t t = 0; t < s->trees; t++) at[t] = p->operands[t];
  for (int kind = 0; kind < 3; kind++) {
    for (uint32_t i = 0; i < s->links; i++) {
      uint32_t first = kind == 0 ? p->position[i] : (kind == 1 ? s->positions : s->force) + p->velocity[i];
      for (uint32_t k = 0; k < parts_of(p, i, kind == 0); k++) {
        p->owner[first + k] = i;
        p->operand[at[p->tree[i]]++] = first + k;
      }
    }
  }
  return true;
}

// Every acceleration of a tree depends on all of its positions, velocities and forces.
static bool list_pattern(TreePlan *p) {
  viva_tree *s = &p->out->s;
  p->start = arena_array(p->arena, (size_t)s->velocities + 1, sizeof *p->start);
  if (!p->start) return false;
  for (uint32_t i = 0; i < s->links; i++) {
    for (uint32_t k = 0; k < parts_of(p, i, false); k++)
      p->start[p->velocity[i] + k + 1] = p->operands[p->tree[i] + 1] - p->operands[p->tree[i]];
  }
  for (uint32_t i = 0; i < s->velocities; i++) p->start[i + 1] += p->start[i];
  uint32_t *argument = arena_array(p->arena, (size_t)p->start[s->velocities] + 1, sizeof *argument);
  if (!argument) return false;
  for (uint32_t i = 0; i < s->links; i++) {
    uint32_t from = p->operands[p->tree[i]], count = p->operands[p->tree[i] + 1] - from;
    for (uint32_t k = 0; k < parts_of(p, i, false); k++)
      memcpy(argument + p->start[p->velocity[i] + k], p->operand + from, count * sizeof *argument);
  }
  p->out->pattern = (TapePattern){p->start, argument};
  return true;
}

static bool name_faults(TreePlan *p) {
  const char **faults = arena_array(p->arena, (size_t)p->of->count + 1, sizeof *faults);
  if (!faults) return false;
  for (uint32_t i = 0; i < p->of->count; i++)
    faults[i] = arena_printf(p->arena, "nothing behind the joint of %s has inertia", p->of->links[i].name);
  p->out->faults = faults;
  return !arena_failed(p->arena);
}

const void *kernel_tree_plan(Arena *arena, const KernelTree *of) {
  TreePlan plan = {.arena = arena, .of = of, .out = arena_new_of(arena, TreeData)}, *p = &plan;
  if (!p->out || !plan_room(p)) return NULL;
  number_operands(p);
  if (!list_trees(p) || !list_pattern(p) || !name_faults(p)) return NULL;
  viva_tree *s = &p->out->s;
  s->parent = p->parent;
  s->joint = p->joint;
  s->position = p->position;
  s->velocity = p->velocity;
  s->straight = p->straight;
  s->carries = p->carries;
  s->first = p->first;
  s->sine = p->sine;
  s->member_start = p->member_start;
  s->member = p->member;
  s->operands = p->operands;
  s->operand = p->operand;
  s->owner = p->owner;
  s->start = p->start;
  s->sign = p->sign;
  return p->out;
}

// ---- C text

static bool emit_data(const EmitJob *job, uint32_t call) {
  const viva_tree *s = &((const TreeData *)job->tape->calls[call].data)->s;
  const char *const names[] = {"parent", "joint",        "position", "velocity", "straight", "carries", "first",
                               "sine",   "member_start", "member",   "operands", "operand",  "owner",   "start"};
  const unsigned *const lists[] = {s->parent,   s->joint,   s->position, s->velocity,     s->straight,
                                   s->carries,  s->first,   s->sine,     s->member_start, s->member,
                                   s->operands, s->operand, s->owner,    s->start};
  const uint32_t all = s->force + s->velocities, n = s->links;
  const uint32_t counts[] = {n, n, n, n, n, n, n, n, s->trees + 1, n, s->trees + 1, all, all, s->velocities + 1};
  enum { count = sizeof names / sizeof *names };
  for (size_t i = 0; i < count; i++) kernel_put_numbers(job, call, names[i], lists[i], counts[i]);
  text_printf(job->out, "static const viva_real %s_sign%u[%u] = {", job->name, call, n);
  for (uint32_t i = 0; i < n; i++)
    text_printf(job->out, "%s%d", i ? i % 16 ? ", " : ",\n  " : "", s->sign[i] < 0 ? -1 : 1);
  text_printf(job->out, "};\nstatic const viva_tree %s_tree%u = {%u, %u, %u, %u, %u, %u, %u", job->name, call, n,
              s->positions, s->velocities, s->force, s->gravity, s->number, s->trees);
  for (size_t i = 0; i < count; i++) text_printf(job->out, ", %s_%s%u", job->name, names[i], call);
  text_printf(job->out, ", %s_sign%u};\n", job->name, call);
  return !arena_failed(job->arena);
}

// The operands are written behind the results; slopes take them twice.
static void emit_call(Emit *e, const TapeOp *op, const char *name, bool twice, uint32_t count) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t a = op->dst + count;
  for (uint32_t i = 0; i < call->count; i++) {
    text_printf(e->out, "  w[%u] = ", a + i);
    emit_operand(e, e->tape->args[call->args + i]);
    text_put(e->out, ";\n");
  }
  text_printf(e->out, "  %s(&%s_tree%u, w + %u, ", name, e->job->name, op->a, a);
  if (twice) text_printf(e->out, "w + %u, ", a);
  text_printf(e->out, "w + %u, w + %u);\n", op->dst, a + call->count);
  emit_left_in_slots(e, op);
}

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "viva_tree_solve", false, results(e->tape->calls[op->a].data));
}

static void emit_slopes(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "viva_tree_slopes", true, slopes_count(e->tape->calls[op->a].data));
}

static const char fault[] = "overflow, or a joint that moves nothing with inertia";

static const TapeKernel kernel_tree_slopes = {
    .name = "slopes of a tree",
    .fault = fault,
    .blames_none = true,
    .results = slopes_count,
    .room = slopes_room,
    .eval = slopes_eval,
    .work = slopes_work,
    .emit = emit_slopes,
    .emit_data = emit_data,
    .sections = (const char *const[]){"tree", "tree_pass", "tree_check", "tree_slopes", NULL},
};

const TapeKernel kernel_tree = {
    .name = "tree",
    .fault = fault,
    .blames_none = true,
    .results = results,
    .room = room,
    .eval = eval,
    .lanes = tree_lanes,
    .tangent = tangent_by_slopes,
    .slopes = &kernel_tree_slopes,
    .rates = rates,
    .rates_room = rates_room,
    .pattern = pattern,
    .reason = reason,
    .work = work,
    .emit = emit,
    .emit_data = emit_data,
    .sections = (const char *const[]){"tree", "tree_pass", "tree_check", NULL},
};
