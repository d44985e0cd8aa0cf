// Between the files of the kernel of trees: what a call knows of its links, and in which orders it visits them.
// parts: kernel_tree.c kernel_tree_plan.c kernel_tree_emit.c kernel_tree_native.c
#ifndef VIVA_TAPE_KERNEL_TREE_PARTS_H
#define VIVA_TAPE_KERNEL_TREE_PARTS_H

#include "tape/kernels.h"

/* section tree */
enum { viva_tree_prismatic = 3, viva_tree_ball = 6, viva_tree_numbers = 22 };

/* What a link is, beside its joint. */
enum {
  viva_tree_turned = 1, /* its axes are not those of the parent where q = 0, or its origin has a share along its axis */
  viva_tree_root = 2,   /* it hangs on the ground */
  viva_tree_leaf = 4,   /* nothing hangs on it */
  viva_tree_first = 8,  /* the first of its parent to come inwards */
  viva_tree_again = 16  /* a leaf that computes its share of the joint again on the way out, and does not keep it */
};

/* What is done with a link. A leaf moves when it comes inwards. */
enum { viva_tree_outwards, viva_tree_inwards, viva_tree_out_again };

/* How many numbers a link keeps from the way in to the way out, and at which its margins stand; its velocity, before
 * it comes inwards. */
enum { viva_tree_kept = 14, viva_tree_kept_ball = 21, viva_tree_margin = 13, viva_tree_margin_ball = 18 };
enum { viva_tree_speed = 6 };

/* An order in which links are visited: runs of links of one kind. Children of a link come inwards in the same order in
 * all of them. */
typedef struct viva_tree_order {
  unsigned runs, frames;
  const unsigned *what, *joint, *how; /* of each run */
  const unsigned *end, *link;         /* of each run: behind its last link in this list */
  const unsigned *own, *up;           /* of each link: its frame, where it carries others, and that of its parent */
} viva_tree_order;

/* Links of trees, parents first. Trees are what no link connects: they do not feel each other. */
typedef struct viva_tree {
  unsigned links, positions, velocities, keeps; /* how many there are; keeps: numbers that links keep */
  unsigned force, gravity, number; /* the first operand of each kind; positions stand at 0, then velocities */
  unsigned trees;
  const unsigned *parent;                /* of each link, plus one; 0: the ground */
  const unsigned *joint;                 /* of each link: 0, 1, 2 revolute (x, y, z); 3, 4, 5 prismatic; 6 spherical */
  const unsigned *how;                   /* of each link: its flags */
  const unsigned *position, *velocity;   /* of each link: its first */
  const unsigned *kept, *above;          /* of each link: the first number it keeps, and its parent; the ground's: 0 */
  const unsigned *sine;                  /* of each revolute link: the operand that is its sine; the cosine follows */
  const unsigned *member_start, *member; /* of each tree: its links, parents first */
  const unsigned *operands, *operand;    /* of each tree: positions, velocities and forces, rising */
  const unsigned *owner;                 /* of each of them: its link */
  const unsigned *start;                 /* of each result: its first derivative */
  viva_tree_order level; /* by distance from the ground: neighbours do not wait for each other. A frame for each */
} viva_tree;

/* section end */

typedef struct TreeData {
  viva_tree s;
  viva_tree_order deep; // branch by branch: few frames, which stay near; on the way out a few levels of each at once
  uint32_t operands;    // of a call
  TapePattern pattern;
  const char *const *faults; // of each link
  // Classes of links that are alike: joint, flags, and which of their numbers are zero whatever happens (bits).
  uint32_t classes;
  const uint32_t *class_of;             // of each link
  const uint32_t *level_run, *deep_run; // of each run: the class of its links
} TreeData;

// C text (kernel_tree_emit.c).
void kernel_tree_emit(struct Emit *e, const struct TapeOp *op, uint32_t index);
void kernel_tree_emit_slopes(struct Emit *e, const struct TapeOp *op, uint32_t index);
bool kernel_tree_emit_data(const struct EmitJob *job, uint32_t call);

// Native text (kernel_tree_native.c).
bool kernel_tree_emit_front(const struct EmitJob *job, uint32_t call);
uint64_t kernel_tree_front_length(const void *data);

#endif
