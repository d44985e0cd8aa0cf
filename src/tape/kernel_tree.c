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

/* section tree */
enum { viva_tree_prismatic = 3, viva_tree_ball = 6, viva_tree_numbers = 22 };

/* Links of trees, parents first. Trees are what no link connects: they do not feel each other. */
typedef struct viva_tree {
  unsigned links, positions, velocities; /* how many there are */
  unsigned force, gravity, number;       /* the first operand of each kind; positions stand at 0, then velocities */
  unsigned trees;
  const unsigned *parent;                /* of each link, plus one; 0: the ground */
  const unsigned *joint;                 /* of each link: 0, 1, 2 revolute about x, y, z; 3, 4, 5 prismatic; 6 a ball */
  const unsigned *position, *velocity;   /* of each link: its first */
  const unsigned *straight;              /* of each link: 1 where its axes are the parent's when q = 0 */
  const unsigned *sine;                  /* of each revolute link: the operand that is its sine; the cosine follows */
  const unsigned *member_start, *member; /* of each tree: its links, parents first */
  const unsigned *operands, *operand;    /* of each tree: positions, velocities and forces, rising */
  const unsigned *owner;                 /* of each of them: its link */
  const unsigned *start;                 /* of each result: its first slope */
  const viva_real *sign;                 /* of each link: -1 where its axis points backwards, else 1 */
} viva_tree;

/* section end */
#include "tape/kernel_tree_text.h"
/* section tree_check */
/* The outermost link, plus one, behind whose joint there is no inertia but rounding; 0: none. */
static unsigned viva_tree_singular(const viva_tree *s, const viva_link *l) {
  for (unsigned i = s->links; i-- > 0;) {
    for (unsigned k = 0; k < (s->joint[i] == viva_tree_ball ? 3u : 1u); k++) {
      if (!(l[i].pivot[k] > VIVA_SINGULAR * l[i].whole[k])) return i + 1;
    }
  }
  return 0;
}

/* a: the operands. z: accelerations. room: the links. */
static void viva_tree_solve(const viva_tree *s, const viva_real *a, viva_real *z, viva_real *room) {
  viva_link *l = (viva_link *)(void *)room;
  viva_tree_run(s, a, z, l);
  if (!viva_tree_singular(s, l)) return;
  for (unsigned i = 0; i < s->velocities; i++) z[i] = (viva_real)NAN;
}

/* section end */

// ---- several at once: the same text over vectors, compiled into the function that calls it

#define inline inline __attribute__((always_inline))

typedef double TreeMany __attribute__((vector_size(64), aligned(8), may_alias));
#define VIVA_TREE_MANY
#define viva_many TreeMany
enum { viva_tree_many = 8 };
#include "tape/kernel_tree_slopes.h"
#undef viva_many

typedef double TreeLanes __attribute__((vector_size(64), aligned(64), may_alias));
#define viva_real TreeLanes
#define viva_link TreeLanesLink
#define viva_tree_cross lanes_cross
#define viva_tree_add_cross lanes_add_cross
#define viva_tree_turn lanes_turn
#define viva_tree_back lanes_back
#define viva_tree_turn_matrix lanes_turn_matrix
#define viva_tree_about lanes_about
#define viva_tree_turn_all lanes_turn_all
#define viva_tree_place lanes_place
#define viva_tree_move lanes_move
#define viva_tree_momenta lanes_momenta
#define viva_tree_load lanes_load
#define viva_tree_give lanes_give
#define viva_tree_invert lanes_invert
#define viva_tree_give_ball lanes_give_ball
#define viva_tree_pass lanes_pass
#define viva_tree_inwards lanes_inwards
#define viva_tree_outwards lanes_outwards
#define viva_tree_run lanes_run
#include "tape/kernel_tree_text.h"
#undef viva_real
#undef viva_link
#undef inline
#define ALWAYS static inline __attribute__((always_inline))

// ---- the call

typedef struct TreeData {
  viva_tree s;
  uint32_t operands; // of a call
  TapePattern pattern;
  const char *const *faults; // of each link
} TreeData;

enum { link_size = sizeof(viva_link) / sizeof(double), lane_link = sizeof(TreeLanesLink) / sizeof(TreeLanes) };
_Static_assert((int)link_size == (int)lane_link, "a link is as many numbers in lanes");

static uint32_t results(const void *data) { return ((const TreeData *)data)->s.velocities; }

static uint32_t room(const void *data) {
  const TreeData *t = data;
  return t->s.velocities + t->operands + t->s.links * link_size;
}

static uint64_t work(const void *data) { return 100 * (uint64_t)((const TreeData *)data)->s.links; }

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  const TreeData *t = call->data;
  double *a = z + t->s.velocities;
  for (uint32_t i = 0; i < call->count; i++) a[i] = w[args[i]];
  viva_tree_solve(&t->s, a, z, a + call->count);
}

static const char *reason(const TapeCall *call, const uint32_t *args, double *w) {
  const TreeData *t = call->data;
  (void)args;
  const double *links = w + call->scratch + t->s.velocities + call->count;
  const viva_link *l = (const viva_link *)(const void *)links;
  unsigned link = viva_tree_singular(&t->s, l);
  // what is not finite is no lack of inertia
  return link && isfinite(l[link - 1].pivot[0]) && isfinite(l[link - 1].whole[0]) ? t->faults[link - 1] : NULL;
}

// Of each lane: whether a link has no inertia there.
ALWAYS unsigned lanes_singular(const viva_tree *s, const TreeLanesLink *l, unsigned lane) {
  for (unsigned i = 0; i < s->links; i++) {
    for (unsigned k = 0; k < (s->joint[i] == viva_tree_ball ? 3u : 1u); k++) {
      if (!(l[i].pivot[k][lane] > VIVA_SINGULAR * l[i].whole[k][lane])) return 1;
    }
  }
  return 0;
}

ALWAYS unsigned tree_over(const TapeCall *call, const uint32_t *args, double *w) {
  const TreeData *t = call->data;
  TreeLanes *slots = (TreeLanes *)(void *)w, *z = slots + call->scratch, *a = z + t->s.velocities;
  TreeLanesLink *l = (TreeLanesLink *)(void *)(a + call->count);
  for (uint32_t i = 0; i < call->count; i++) a[i] = slots[args[i]];
  lanes_run(&t->s, a, z, l);
  for (unsigned lane = 0; lane < lane_count; lane++) {
    if (!lanes_singular(&t->s, l, lane)) continue;
    for (uint32_t i = 0; i < t->s.velocities; i++) z[i][lane] = NAN;
  }
  return 0;
}

TAPE_LANES(tree_lanes, tree_over)

// ---- slopes

static uint32_t slopes_count(const void *data) {
  const viva_tree *s = &((const TreeData *)data)->s;
  return s->start[s->velocities];
}

static uint32_t slopes_scratch(const TreeData *t) {
  enum { force = sizeof(viva_tree_force) / sizeof(double), change = sizeof(viva_tree_change) / sizeof(double) };
  return t->s.velocities + t->s.links * (link_size + force + change + 1);
}

static uint32_t slopes_room(const void *data) {
  const TreeData *t = data;
  return slopes_count(t) + t->operands + slopes_scratch(t);
}

static uint64_t slopes_work(const void *data) { return 20 * (uint64_t)slopes_count(data); }

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void slopes_avx512(const viva_tree *s, const double *a, double *d,
                                                             double *scratch) {
  viva_tree_slopes(s, a, d, scratch);
}
__attribute__((target("avx2"))) static void slopes_avx2(const viva_tree *s, const double *a, double *d,
                                                        double *scratch) {
  viva_tree_slopes(s, a, d, scratch);
}
#endif

static void find_slopes(const viva_tree *s, const double *a, double *d, double *scratch) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    slopes_avx512(s, a, d, scratch);
    return;
  }
  if (__builtin_cpu_supports("avx2")) {
    slopes_avx2(s, a, d, scratch);
    return;
  }
#endif
  viva_tree_slopes(s, a, d, scratch);
}

static void slopes_eval(const TapeCall *call, const uint32_t *args, double *w, double *d) {
  const TreeData *t = call->data;
  double *a = d + slopes_count(t);
  for (uint32_t i = 0; i < call->count; i++) a[i] = w[args[i]];
  find_slopes(&t->s, a, d, a + call->count);
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
    for (uint32_t i = 0; i < call->count; i++) a[i] = w[args[i]];
    find_slopes(s, a, d, a + call->count);
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
  uint32_t *position, *velocity, *straight, *sine, *joint, *parent;
  uint32_t *member_start, *member, *operands, *operand, *owner, *start;
  double *sign;
} TreePlan;

static uint32_t parts_of(const TreePlan *p, uint32_t link, bool positions) {
  return p->of->links[link].joint == kernel_ball ? positions ? 4 : 3 : 1;
}

static bool plan_room(TreePlan *p) {
  uint32_t **const lists[] = {&p->tree,  &p->position, &p->velocity,     &p->straight, &p->sine,
                              &p->joint, &p->parent,   &p->member_start, &p->member,   &p->operands};
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
  const char *const names[] = {"parent",       "joint",  "position", "velocity", "straight", "sine",
                               "member_start", "member", "operands", "operand",  "owner",    "start"};
  const unsigned *const lists[] = {s->parent,       s->joint,  s->position, s->velocity, s->straight, s->sine,
                                   s->member_start, s->member, s->operands, s->operand,  s->owner,    s->start};
  const uint32_t all = s->force + s->velocities, n = s->links;
  const uint32_t counts[] = {n, n, n, n, n, n, s->trees + 1, n, s->trees + 1, all, all, s->velocities + 1};
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

// The operands are written behind the results.
static void emit_call(Emit *e, const TapeOp *op, const char *name, uint32_t count) {
  const TapeCall *call = &e->tape->calls[op->a];
  const uint32_t a = op->dst + count;
  for (uint32_t i = 0; i < call->count; i++) {
    text_printf(e->out, "  w[%u] = ", a + i);
    emit_operand(e, e->tape->args[call->args + i]);
    text_put(e->out, ";\n");
  }
  text_printf(e->out, "  %s(&%s_tree%u, w + %u, w + %u, w + %u);\n", name, e->job->name, op->a, a, op->dst,
              a + call->count);
  emit_left_in_slots(e, op);
}

static void emit(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "viva_tree_solve", results(e->tape->calls[op->a].data));
}

static void emit_slopes(Emit *e, const TapeOp *op, uint32_t index) {
  (void)index;
  emit_call(e, op, "viva_tree_slopes", slopes_count(e->tape->calls[op->a].data));
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
