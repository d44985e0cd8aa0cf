// The articulated-body algorithm as machine code for one instruction set. No include guard: this is a template. A file
// for each instruction set includes it and is compiled with the compiler's options for it.
//
// in    VIVA_TREE_CODE: the name of the table that comes out. TREE_LANES: how many states a vector register holds, 8 or
//       4; 0: no function for lanes. VIVA_TREE_GENERAL: one text for all joints instead of one for each kind of them,
//       slower and a tenth of the code
// out   a TreeCode
#include "tape/kernel_ldl.h"
#include "tape/kernel_tree_code.h"
#include "tape/lanes.h"

#define viva_tree_operands TreeOperands
#define VIVA_TREE_AT(a, k) (a).w[(a).at[k]]

/* section tree_operands */
/* The operands of a call, and one of them. */
#ifndef VIVA_TREE_AT
typedef const viva_real *viva_tree_operands;
#define VIVA_TREE_AT(a, k) (a)[k]
#endif

/* section end */

#define VIVA_TREE_ALONE __attribute__((noinline))
#define VIVA_TREE_KIND(k) viva_tree_kind_##k
// What the passes are given is constant where they are called.
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

// ---- derivatives, eight columns at once

typedef double TreeMany __attribute__((vector_size(64), aligned(8), may_alias));
#define VIVA_TREE_MANY
#define viva_many TreeMany
enum { viva_tree_many = 8 };
#include "tape/kernel_tree_slopes.h"
#undef viva_many

static void solve(const viva_tree *s, TreeOperands a, double *z, double *room) { viva_tree_solve(s, a, z, room); }

static void slopes(const viva_tree *s, TreeOperands operands, const double *a, double *d, double *scratch) {
  viva_tree_slopes_after(s, operands, a, d, scratch);
}

enum { frame_size = sizeof(viva_frame) / sizeof(double) };
_Static_assert((int)frame_size == (int)tree_frame_size, "the size of a frame");
_Static_assert(sizeof(viva_kept) == viva_tree_kept * sizeof(double), "what a link keeps");
_Static_assert(sizeof(viva_kept_ball) == viva_tree_kept_ball * sizeof(double), "what a spherical joint keeps");
_Static_assert(sizeof(viva_tree_pose) == tree_pose_size * sizeof(double), "the size of a pose");
_Static_assert(sizeof(viva_tree_change) == tree_change_size * sizeof(double), "the size of changes");

#if TREE_LANES
// ---- SIMD lanes: the same text over vectors. Eight lanes in one register, or a half of each slot.
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

typedef double LaneReal __attribute__((vector_size(8 * TREE_LANES), aligned(8 * TREE_LANES), may_alias));
typedef struct LaneOperands {
  const LaneReal *w;
  const uint32_t *at;
} LaneOperands;
enum { halves = (int)lane_count / TREE_LANES }; // registers a slot
#undef VIVA_TREE_AT
#undef VIVA_TREE_APART
#define VIVA_TREE_AT(a, k) (a).w[halves * (a).at[k]]
#define VIVA_TREE_APART halves
#undef VIVA_TREE_KIND
#define VIVA_TREE_KIND(k) lane_kind_##k
#define LANES Lane
#include "tape/kernel_tree_text.h"
#undef LANES
#undef viva_real
#undef viva_frame
#undef viva_kept
#undef viva_kept_ball
#undef viva_tree_given
#undef viva_place
#undef inline

// Results, then what links keep, then frames. A lane in which a joint moves no inertia gets NaN.
static void solve_lanes(const viva_tree *s, const viva_tree_order *order, const uint32_t *args, const double *w,
                        double *results) {
  typedef long long Mask __attribute__((vector_size(8 * TREE_LANES)));
  for (unsigned half = 0; half < halves; half++) {
    LaneReal *z = (LaneReal *)(void *)(results + half * TREE_LANES), *kept = z + halves * (size_t)s->velocities;
    Mask fine = ~(Mask){0};
    Lane_run(s, order, (LaneOperands){(const LaneReal *)(const void *)(w + half * TREE_LANES), args}, z, kept,
             (LaneFrame *)(void *)(kept + s->keeps));
    for (unsigned i = 0; i < s->links; i++) {
      const bool ball = s->joint[i] == viva_tree_ball;
      for (unsigned k = 0; k < (ball ? 3u : 1u); k++)
        fine &= (Mask)(kept[s->kept[i] + (ball ? viva_tree_margin_ball : viva_tree_margin) + k] > 0);
    }
    for (unsigned lane = 0; lane < TREE_LANES; lane++) {
      for (uint32_t i = 0; i < s->velocities && !fine[lane]; i++) z[halves * i][lane] = NAN;
    }
  }
}
#endif

const TreeCode VIVA_TREE_CODE = {
    .solve = solve,
    .slopes = slopes,
    .singular = viva_tree_singular,
#if TREE_LANES
    .lanes = solve_lanes,
#endif
};
