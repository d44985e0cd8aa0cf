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
//       do not move
// room  the results, the operands (of text that stands alone), what links keep, the frames; of the slopes see
//       viva_tree_slopes
#include "tape/kernel_ldl.h"
#include "tape/kernel_tree_parts.h"
#include "tape/lanes.h"

#include <string.h>

// Here operands are read where they stand.
typedef struct TreeOperands {
  const double *w;
  const uint32_t *at;
} TreeOperands;
#define viva_tree_operands TreeOperands
#define VIVA_TREE_AT(a, k) (a).w[(a).at[k]]

/* section tree_operands */
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
static inline unsigned viva_tree_singular(const viva_tree *s, const viva_real *kept) {
  for (unsigned i = s->links; i-- > 0;) {
    const unsigned ball = s->joint[i] == viva_tree_ball;
    const viva_real *margin = kept + s->kept[i] + (ball ? viva_tree_margin_ball : viva_tree_margin);
    for (unsigned k = 0; k < (ball ? 3u : 1u); k++) {
      if (!(margin[k] > 0)) return i + 1;
    }
  }
  return 0;
}

/* a: the operands. z: accelerations. room: what links keep, then frames. */
static inline void viva_tree_solve(const viva_tree *s, viva_tree_operands a, viva_real *z, viva_real *room) {
  viva_tree_run(s, &s->level, a, z, room, (viva_frame *)(void *)(room + s->keeps));
  if (!viva_tree_singular(s, room)) return;
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
#define viva_frame JOIN(LANES, Frame)
#define viva_kept JOIN(LANES, Kept)
#define viva_kept_ball JOIN(LANES, KeptBall)
#define viva_tree_given JOIN(LANES, Given)
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
#define viva_tree_is_plain JOIN(LANES, _is_plain)
#define viva_tree_is_early JOIN(LANES, _is_early)
#define viva_tree_before JOIN(LANES, _before)
#define viva_tree_into JOIN(LANES, _into)
#define viva_tree_need JOIN(LANES, _need)
#define viva_tree_move JOIN(LANES, _move)
#define viva_tree_weigh JOIN(LANES, _weigh)
#define viva_tree_add JOIN(LANES, _add)
#define viva_tree_pass JOIN(LANES, _pass)
#define viva_tree_pass_flat JOIN(LANES, _pass_flat)
#define viva_tree_axis JOIN(LANES, _axis)
#define viva_tree_left JOIN(LANES, _left)
#define viva_tree_feel JOIN(LANES, _feel)
#define viva_tree_feel_leaf JOIN(LANES, _feel_leaf)
#define viva_tree_yield JOIN(LANES, _yield)
#define viva_tree_invert JOIN(LANES, _invert)
#define viva_tree_loosen JOIN(LANES, _loosen)
#define viva_tree_yield_ball JOIN(LANES, _yield_ball)
#define viva_tree_yield_along JOIN(LANES, _yield_along)
#define viva_tree_come JOIN(LANES, _come)
#define viva_tree_carry JOIN(LANES, _carry)
#define viva_tree_speed_up JOIN(LANES, _speed_up)
#define viva_tree_read JOIN(LANES, _read)
#define viva_tree_some JOIN(LANES, _some)
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
#undef VIVA_TREE_APART
#define VIVA_TREE_AT(a, k) (a).w[2 * (a).at[k]]
#define VIVA_TREE_APART 2
#define LANES Half
#include "tape/kernel_tree_text.h"
#undef LANES
#undef viva_real
#undef viva_frame
#undef viva_kept
#undef viva_kept_ball
#undef viva_tree_given
#undef viva_place
#undef inline

// ---- the call

enum { frame_size = sizeof(viva_frame) / sizeof(double), lane_frame = sizeof(WideFrame) / sizeof(WideReal) };
_Static_assert((int)frame_size == (int)lane_frame, "a frame is as many numbers in lanes");
_Static_assert(sizeof(viva_kept) == viva_tree_kept * sizeof(double), "what a link keeps");
_Static_assert(sizeof(viva_kept_ball) == viva_tree_kept_ball * sizeof(double), "what a ball keeps");

static uint32_t results(const void *data) { return ((const TreeData *)data)->s.velocities; }

static uint32_t scratch_of(const TreeData *t) {
  const uint32_t level = t->s.level.frames, deep = t->deep.frames;
  return t->s.keeps + frame_size * (level > deep ? level : deep);
}

static uint32_t room(const void *data) {
  const TreeData *t = data;
  return t->s.velocities + t->operands + scratch_of(t);
}

static uint64_t work(const void *data) { return 100 * (uint64_t)((const TreeData *)data)->s.links; }

#if defined(__x86_64__)
// for its 32 registers
__attribute__((target("avx512f"))) static void solve_avx512(const viva_tree *s, TreeOperands a, double *z,
                                                            double *room) {
  viva_tree_solve(s, a, z, room);
}
__attribute__((target("avx2"))) static void solve_avx2(const viva_tree *s, TreeOperands a, double *z, double *room) {
  viva_tree_solve(s, a, z, room);
}
#endif

// room: what links keep, then frames.
static void solve(const viva_tree *s, TreeOperands a, double *z, double *room) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    solve_avx512(s, a, z, room);
    return;
  }
  if (__builtin_cpu_supports("avx2")) {
    solve_avx2(s, a, z, room);
    return;
  }
#endif
  viva_tree_solve(s, a, z, room);
}

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  const viva_tree *s = &((const TreeData *)call->data)->s;
  solve(s, (TreeOperands){w, args}, z, z + s->velocities);
}

static const char *reason(const TapeCall *call, const uint32_t *args, double *w) {
  const TreeData *t = call->data;
  (void)args;
  const double *kept = w + call->scratch + t->s.velocities;
  unsigned link = viva_tree_singular(&t->s, kept);
  if (!link) return NULL;
  const bool ball = t->s.joint[link - 1] == viva_tree_ball;
  // what is not finite is no lack of inertia
  return isfinite(kept[t->s.kept[link - 1] + (ball ? viva_tree_margin_ball : viva_tree_margin)]) ? t->faults[link - 1]
                                                                                                 : NULL;
}

// Results, then what links keep, then frames.
#if defined(__x86_64__)
#define FIND_FINE(s, kept, fine)                                                                                       \
  for (unsigned i = 0; i < (s)->links; i++) {                                                                          \
    const bool ball = (s)->joint[i] == viva_tree_ball;                                                                 \
    for (unsigned k = 0; k < (ball ? 3u : 1u); k++)                                                                    \
      fine &= (Mask)((kept)[(s)->kept[i] + (ball ? viva_tree_margin_ball : viva_tree_margin) + k] > 0);                \
  }

__attribute__((target("avx512f,avx512dq"))) static void lanes_wide(const TreeData *t, const uint32_t *args,
                                                                   const double *w, double *results) {
  typedef long long Mask __attribute__((vector_size(64)));
  const viva_tree *s = &t->s;
  WideReal *z = (WideReal *)(void *)results, *kept = z + s->velocities;
  Mask fine = ~(Mask){0};
  Wide_run(s, &t->deep, (WideOperands){(const WideReal *)(const void *)w, args}, z, kept,
           (WideFrame *)(void *)(kept + s->keeps));
  FIND_FINE(s, kept, fine)
  for (unsigned lane = 0; lane < lane_count; lane++) {
    for (uint32_t i = 0; i < s->velocities && !fine[lane]; i++) z[i][lane] = NAN;
  }
}

__attribute__((target("avx2"))) static void lanes_half(const TreeData *t, const uint32_t *args, const double *w,
                                                       double *results) {
  typedef long long Mask __attribute__((vector_size(32)));
  const viva_tree *s = &t->s;
  HalfReal *z = (HalfReal *)(void *)results, *kept = z + 2 * (size_t)s->velocities;
  Mask fine = ~(Mask){0};
  Half_run(s, &t->deep, (HalfOperands){(const HalfReal *)(const void *)w, args}, z, kept,
           (HalfFrame *)(void *)(kept + s->keeps));
  FIND_FINE(s, kept, fine)
  for (unsigned lane = 0; lane < lane_count / 2; lane++) {
    for (uint32_t i = 0; i < s->velocities && !fine[lane]; i++) z[2 * i][lane] = NAN;
  }
}
#endif

static unsigned tree_lanes(const TapeCall *call, const uint32_t *args, double *w) {
#if defined(__x86_64__)
  const TreeData *t = call->data;
  double *results = w + (size_t)lane_count * call->scratch;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    lanes_wide(t, args, w, results);
    return 0;
  }
  if (__builtin_cpu_supports("avx2")) {
    lanes_half(t, args, w, results);
    lanes_half(t, args, w + lane_count / 2, results + lane_count / 2);
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
  return t->s.velocities + scratch_of(t) + t->s.links * (pose + change + 1);
}

static uint32_t slopes_room(const void *data) {
  const TreeData *t = data;
  return slopes_count(t) + t->operands + slopes_scratch(t);
}

static uint64_t slopes_work(const void *data) { return 20 * (uint64_t)slopes_count(data); }

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void slopes_avx512(const viva_tree *s, TreeOperands operands, const double *a,
                                                             double *d, double *scratch) {
  viva_tree_slopes_after(s, operands, a, d, scratch);
}
__attribute__((target("avx2"))) static void slopes_avx2(const viva_tree *s, TreeOperands operands, const double *a,
                                                        double *d, double *scratch) {
  viva_tree_slopes_after(s, operands, a, d, scratch);
}
#endif

// a: room for the operands, the scratch behind it.
static void find_slopes(const viva_tree *s, const double *w, const uint32_t *args, uint32_t count, double *a,
                        double *d) {
  TreeOperands operands = {w, args};
  for (uint32_t i = 0; i < count; i++) a[i] = w[args[i]];
  solve(s, operands, a + count, a + count + s->velocities);
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
  viva_tree_slopes_after(s, operands, a, d, a + count);
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

// ---- the table

static const char fault[] = "overflow, or a joint that moves nothing with inertia";

static const TapeKernel kernel_tree_slopes = {
    .name = "slopes of a tree",
    .fault = fault,
    .blames_none = true,
    .results = slopes_count,
    .room = slopes_room,
    .eval = slopes_eval,
    .work = slopes_work,
    .emit = kernel_tree_emit_slopes,
    .emit_data = kernel_tree_emit_data,
    .sections =
        (const char *const[]){"tree", "tree_operands", "tree_pass", "tree_walk", "tree_check", "tree_slopes", NULL},
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
    .emit = kernel_tree_emit,
    .emit_data = kernel_tree_emit_data,
    .sections = (const char *const[]){"tree", "tree_operands", "tree_pass", "tree_walk", "tree_check", NULL},
    .emit_front = kernel_tree_emit_front,
    .front_length = kernel_tree_front_length,
};
