// Forward dynamics of a kinematic tree by the articulated-body algorithm (Featherstone, Rigid Body Dynamics Algorithms,
// 2008, chapter 7), with loops over arrays: for trees that would be too many expressions.
//
// in    links, parents first, each with a joint: revolute or prismatic about or along an axis of its frame, or
//       spherical
// args  positions q (of a spherical joint the quaternion w x y z, from the link to the joint's frame), velocities (of a
//       spherical joint the angular velocity in the link's axes), forces in the joints; sin q and cos q of each
//       revolute joint; gravity; viva_tree_numbers of each link: the joint in the parent's frame, the matrix (row by
//       row) that rotates vectors of the parent into the link where q = 0, mass, mass times centre of mass, inertia
//       about the link's origin xx yy zz xy xz yz
// out   accelerations. A joint behind which there is no inertia: NaN
// deriv by positions, velocities and forces. That by q holds those of its sine and cosine; numbers of links and gravity
//       do not move
// room  the results, the operands (of text that stands alone), what links keep, the frames; of the derivatives see
//       viva_tree_slopes
#include "tape/kernel_tree_code.h"
#include "tape/lanes.h"

#include <math.h>
#include <string.h>

// The machine code for this processor.
static const TreeCode *code(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return &tree_code_avx512;
  if (__builtin_cpu_supports("avx2")) return &tree_code_avx2;
#endif
  return &tree_code_plain;
}

static uint32_t results(const void *data) { return ((const TreeData *)data)->s.velocities; }

static uint32_t scratch_of(const TreeData *t) {
  const uint32_t level = t->s.level.frames, deep = t->deep.frames;
  return t->s.keeps + tree_frame_size * (level > deep ? level : deep);
}

static uint32_t room(const void *data) {
  const TreeData *t = data;
  return t->s.velocities + t->operands + scratch_of(t);
}

static uint64_t work(const void *data) { return 100 * (uint64_t)((const TreeData *)data)->s.links; }

static void eval(const TapeCall *call, const uint32_t *args, double *w, double *z) {
  const viva_tree *s = &((const TreeData *)call->data)->s;
  code()->solve(s, (TreeOperands){w, args}, z, z + s->velocities);
}

static const char *reason(const TapeCall *call, const uint32_t *args, double *w) {
  const TreeData *t = call->data;
  (void)args;
  const double *kept = w + call->scratch + t->s.velocities;
  unsigned link = code()->singular(&t->s, kept);
  if (!link) return NULL;
  const bool ball = t->s.joint[link - 1] == viva_tree_ball;
  // what is not finite is no lack of inertia
  return isfinite(kept[t->s.kept[link - 1] + (ball ? viva_tree_margin_ball : viva_tree_margin)]) ? t->faults[link - 1]
                                                                                                 : NULL;
}

static unsigned tree_lanes(const TapeCall *call, const uint32_t *args, double *w) {
  const TreeData *t = call->data;
  const TreeCode *machine = code();
  if (!machine->lanes) return (1u << lane_count) - 1; // each alone
  machine->lanes(&t->s, &t->deep, args, w, w + (size_t)lane_count * call->scratch);
  return 0;
}

// ---- derivatives

static uint32_t slopes_count(const void *data) {
  const viva_tree *s = &((const TreeData *)data)->s;
  return s->start[s->velocities];
}

static uint32_t slopes_scratch(const TreeData *t) {
  return t->s.velocities + scratch_of(t) + t->s.links * (tree_pose_size + tree_change_size + 1);
}

static uint32_t slopes_room(const void *data) {
  const TreeData *t = data;
  return slopes_count(t) + t->operands + slopes_scratch(t);
}

static uint64_t slopes_work(const void *data) { return 20 * (uint64_t)slopes_count(data); }

// a: room for the operands, the scratch behind it.
static void find_slopes(const viva_tree *s, const double *w, const uint32_t *args, uint32_t count, double *a,
                        double *d) {
  TreeOperands operands = {w, args};
  for (uint32_t i = 0; i < count; i++) a[i] = w[args[i]];
  code()->solve(s, operands, a + count, a + count + s->velocities);
  code()->slopes(s, operands, a, d, a + count);
}

static void slopes_eval(const TapeCall *call, const uint32_t *args, double *w, double *d) {
  const TreeData *t = call->data;
  find_slopes(&t->s, w, args, call->count, d + slopes_count(t), d);
}

static TapePattern pattern(const void *data) { return ((const TreeData *)data)->pattern; }

// Rates in numbers: the derivatives are computed once for all directions.
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
