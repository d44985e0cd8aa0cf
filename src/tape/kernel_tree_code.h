// The machine code of the kernel of trees: the same text (kernel_tree_code_text.h), compiled for each instruction set.
// parts: kernel_tree_plain.c kernel_tree_avx2.c kernel_tree_avx512.c
#ifndef VIVA_TAPE_KERNEL_TREE_CODE_H
#define VIVA_TAPE_KERNEL_TREE_CODE_H

#include "tape/kernel_tree_parts.h"

// Operands of a call, read where they stand.
typedef struct TreeOperands {
  const double *w;
  const uint32_t *at;
} TreeOperands;

// Doubles of a frame, and of the derivatives: of a link's pose, of its changes in eight columns.
enum { tree_frame_size = 27, tree_pose_size = 85, tree_change_size = 144 };

typedef struct TreeCode {
  // z: accelerations. room: what links keep, then frames
  void (*solve)(const viva_tree *s, TreeOperands a, double *z, double *room);
  // after `solve`. a: the operands once more. d: the derivatives
  void (*slopes)(const viva_tree *s, TreeOperands operands, const double *a, double *d, double *scratch);
  // the outermost link, plus one, whose joint moves no inertia; 0: none. kept: what links keep
  unsigned (*singular)(const viva_tree *s, const double *kept);
  // eight states at once; NULL: the instruction set has no such registers
  void (*lanes)(const viva_tree *s, const viva_tree_order *order, const uint32_t *args, const double *w,
                double *results);
} TreeCode;

extern const TreeCode tree_code_plain;
#if defined(__x86_64__)
extern const TreeCode tree_code_avx2, tree_code_avx512;
#endif

#endif
