// The chain of blocks of bench/blocks.c, written by hand.
#ifndef VIVA_BENCH_HAND_BLOCKS_H
#define VIVA_BENCH_HAND_BLOCKS_H

// x: n states; work: 4n numbers.
void hand_blocks(double *x, double *work, long n, double h, long steps);

#endif
