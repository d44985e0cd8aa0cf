// The chain of blocks of bench/blocks.c, written by hand.
#ifndef VIVA_BENCH_HAND_BLOCKS_H
#define VIVA_BENCH_HAND_BLOCKS_H

// x: n states; work: 4n numbers. All stages are alike, so the compiler computes eight at a time; `hand_blocks_single`
// is the same text without that, as it would be for blocks that differ.
void hand_blocks(double *x, double *work, long n, double h, long steps);
void hand_blocks_single(double *x, double *work, long n, double h, long steps);

#endif
