// Polynomials over the rationals and real balls, behind tables of functions. What stands behind them is FLINT and Arb
// in modules of their own (src/exact/module.c, balls.c), which are loaded when they are first needed: their libraries
// take longer to load than most models take to derive.
#ifndef VIVA_EXPR_RING_H
#define VIVA_EXPR_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ring_version = 3 };

typedef struct Ring Ring; // Q[x0, x1, ...]; owns its polynomials
typedef struct Poly Poly;
typedef struct Balls Balls; // owns its balls
typedef struct Ball Ball;   // a real number, known to lie in an interval

typedef enum BallOp {
  ball_add,
  ball_sub,
  ball_mul,
  ball_div,
  ball_pow, // of two
  ball_sin,
  ball_cos,
  ball_tan,
  ball_asin,
  ball_acos,
  ball_atan,
  ball_atan2,
  ball_sinh,
  ball_cosh,
  ball_tanh,
  ball_exp,
  ball_ln,
  ball_sqrt,
  ball_floor,
  ball_pi
} BallOp;

typedef struct RingApi {
  uint32_t version;
  Ring *(*ring_new)(uint32_t generators);
  void (*ring_free)(Ring *ring);

  // Polynomials. A result may be one of the arguments.
  Poly *(*poly_new)(Ring *ring); // zero
  void (*poly_free)(Ring *ring, Poly *p);
  void (*set)(Ring *ring, Poly *out, const Poly *a);
  bool (*set_number)(Ring *ring, Poly *out, const char *text); // "-3/4"
  void (*set_generator)(Ring *ring, Poly *out, uint32_t generator, uint32_t exponent);
  void (*add)(Ring *ring, Poly *out, const Poly *a, const Poly *b);
  void (*sub)(Ring *ring, Poly *out, const Poly *a, const Poly *b);
  void (*mul)(Ring *ring, Poly *out, const Poly *a, const Poly *b);
  // Puts value^k in the place of generator^(k*power), so that the degree falls below power.
  void (*reduce)(Ring *ring, Poly *p, uint32_t generator, uint32_t power, const Poly *value);
  size_t (*length)(const Ring *ring, const Poly *p); // terms; 0: the zero polynomial
  size_t (*bits)(const Ring *ring, const Poly *p);   // of its longest number
  bool (*equal)(const Ring *ring, const Poly *a, const Poly *b);
  uint32_t (*degree)(const Ring *ring, const Poly *p, uint32_t generator);
  void (*degrees)(const Ring *ring, const Poly *p, int64_t *out); // of all generators in one pass
  // The i-th term: exponents (one a generator) and coefficient (to be freed).
  char *(*term)(const Ring *ring, const Poly *p, size_t i, uint64_t *exponents);
  // p = number * monomial * out, out without a common monomial and with leading coefficient 1. p is not zero. The
  // number is to be freed.
  char *(*split)(Ring *ring, Poly *out, const Poly *p, uint64_t *exponents);
  bool (*root)(Ring *ring, Poly *out, const Poly *p); // the square root, if p is a square
  char *(*print)(const Ring *ring, const Poly *p);    // to be freed; for the helper program
  bool (*parse)(Ring *ring, Poly *out, const char *text);
  void (*text_free)(char *text);
} RingApi;

typedef struct BallApi {
  uint32_t version;
  Balls *(*balls_new)(void);
  void (*balls_free)(Balls *balls);
  Ball *(*ball_new)(Balls *balls);
  bool (*ball_number)(Ball *out, const char *text, uint32_t bits);
  // False: not finite (a division by something that may be zero, a root of something that may be negative).
  bool (*ball_apply)(Ball *out, BallOp op, const Ball *a, const Ball *b, uint32_t bits);
  int (*ball_sign)(const Ball *a);    // -1, 1; 0: exactly zero; 2: not known
  char *(*ball_print)(const Ball *a); // middle and radius, to be freed
  void (*text_free)(char *text);
} BallApi;

// What the modules export.
typedef const RingApi *RingEntry(void);
#define RING_ENTRY "viva_exact_ring"
typedef const BallApi *BallEntry(void);
#define BALL_ENTRY "viva_exact_balls"

#endif
