// Threaded code, for the loops of interpreters (interp_body.h, lanes_body.h).
//
// Arithmetic is nearly all of a tape. Each of these operations jumps to the next one itself, so that the processor
// learns for each what follows it; one jump for all is guessed wrong nearly every time, which costs more than the
// arithmetic. Labels as values are no part of ISO C, but of every compiler that has the vectors of lanes.
#ifndef VIVA_TAPE_THREADED_H
#define VIVA_TAPE_THREADED_H

// The operations, and what they compute from the slots of op.
#define THREADED_ARITHMETIC(X)                                                                                         \
  X(add, w[op->a] + w[op->b])                                                                                          \
  X(sub, w[op->a] - w[op->b])                                                                                          \
  X(mul, w[op->a] * w[op->b])                                                                                          \
  X(madd, w[op->a] * w[op->b] + w[op->c])                                                                              \
  X(msub, w[op->a] * w[op->b] - w[op->c])                                                                              \
  X(nmadd, w[op->c] - w[op->a] * w[op->b])

// The table of labels: all others go to `others`.
#define THREADED_OTHER(name, arity, value, d1, d2, d3, smoothness, parity, switching, answer, domain, meaning)         \
  [tape_##name] = &&others,
#define THREADED_GO(name, value) [tape_##name] = &&do_##name,
#define THREADED_DO(name, value)                                                                                       \
  do_##name : do {                                                                                                     \
    w[op->dst] = value;                                                                                                \
    if (++op == end) return;                                                                                           \
  }                                                                                                                    \
  while (op->code == tape_##name)                                                                                      \
    ;                                                                                                                  \
  goto *go[op->code];
#define THREADED_NEXT                                                                                                  \
  do {                                                                                                                 \
    if (++op == end) return;                                                                                           \
    goto *go[op->code];                                                                                                \
  } while (0)

#endif
