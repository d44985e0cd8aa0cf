// An arm of six joints: its forward dynamics as a tape, traced by hand through Featherstone's articulated-body
// algorithm, beside MuJoCo's mj_forward on the same arm. Ratios of one run.
//
//   bench_arm
//
// Notation: spatial vectors (angular, linear) in the frame of each link, which sits at its joint. E turns vectors of
// the parent into the link, r is the joint in the parent's frame.
#define _XOPEN_SOURCE 700
#include "api/pipeline.h"
#include "tape/lanes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef VIVA_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { joints = 6 };

typedef struct ArmLink {
  int axis;                               // of the joint
  const char *r[3];                       // joint in the parent's frame
  const char *mass, *com[3], *inertia[3]; // about the centre of mass
} ArmLink;

static const ArmLink links[joints] = {
    {2, {"0", "0", "0.1"}, "4", {"0.01", "0", "0.15"}, {"0.05", "0.05", "0.02"}},
    {1, {"0", "0.1", "0.3"}, "6", {"0.2", "0.02", "0"}, {"0.03", "0.2", "0.2"}},
    {1, {"0.45", "0", "0"}, "4", {"0.15", "0", "0.03"}, {"0.02", "0.09", "0.09"}},
    {0, {"0.3", "0", "0.05"}, "2", {"0.05", "0.01", "0"}, {"0.006", "0.008", "0.008"}},
    {1, {"0.15", "0", "0"}, "1", {"0.03", "0", "0.01"}, {"0.002", "0.002", "0.001"}},
    {0, {"0.1", "0", "0"}, "0.5", {"0.02", "0.005", "0"}, {"0.0005", "0.0006", "0.0006"}},
};

// ---- tracing

typedef struct Trace {
  System *s;
  ExprPool *pool;
} Trace;

typedef ExprId V3[3];
typedef ExprId M3[3][3];

static ExprId number(Trace *t, const char *text) {
  int64_t num = 0, den = 1;
  bool point = false;
  for (; *text; text++) {
    if (*text == '.') {
      point = true;
      continue;
    }
    num = 10 * num + (*text - '0');
    if (point) den *= 10;
  }
  return expr_num(t->pool, rat_make(t->pool->arena, num, den));
}

// A value of its own, computed once.
static ExprId name(Trace *t, ExprId value) {
  Rat r;
  ExprId minus = expr_neg(t->pool, value);
  if (expr_number(t->pool, value, &r) || expr_symbol(t->pool, value) || expr_symbol(t->pool, minus)) return value;
  // one value for x and -x
  bool negative = expr_term_count(t->pool, value) > 0 && rat_sign(expr_term(t->pool, value, 0).coef) < 0;
  if (negative) value = minus;
  for (uint32_t i = 0; i < t->s->definitions.count; i++) {
    if (t->s->definitions.items[i].value != value) continue;
    ExprId known = expr_sym(t->pool, t->s->definitions.items[i].symbol);
    return negative ? expr_neg(t->pool, known) : known;
  }
  SymbolId symbol = pool_symbol(t->pool, "traced", sym_signal, 0, 0);
  vec_push(t->s->arena, &t->s->definitions, (Definition){symbol, value, 0});
  vec_push(t->s->arena, &t->s->steps, (SystemStep){false, t->s->definitions.count - 1});
  return negative ? expr_neg(t->pool, expr_sym(t->pool, symbol)) : expr_sym(t->pool, symbol);
}

static ExprId add(Trace *t, ExprId a, ExprId b) { return expr_add(t->pool, a, b); }
static ExprId sub(Trace *t, ExprId a, ExprId b) { return expr_sub(t->pool, a, b); }
static ExprId mul(Trace *t, ExprId a, ExprId b) { return expr_mul(t->pool, a, b); }

static void cross(Trace *t, V3 a, V3 b, V3 out) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = name(t, sub(t, mul(t, a[j], b[k]), mul(t, a[k], b[j])));
  }
}

static ExprId dot(Trace *t, const ExprId *a, const ExprId *b) {
  return add(t, add(t, mul(t, a[0], b[0]), mul(t, a[1], b[1])), mul(t, a[2], b[2]));
}

static void turn(Trace *t, M3 e, V3 a, V3 out) {
  for (int i = 0; i < 3; i++) out[i] = name(t, dot(t, e[i], a));
}

static void turn_back(Trace *t, M3 e, V3 a, V3 out) {
  for (int i = 0; i < 3; i++)
    out[i] = name(t, add(t, add(t, mul(t, e[0][i], a[0]), mul(t, e[1][i], a[1])), mul(t, e[2][i], a[2])));
}

// E' A E
static void turn_matrix(Trace *t, M3 e, M3 a, M3 out, bool symmetric) {
  M3 half;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      half[i][j] =
          name(t, add(t, add(t, mul(t, a[i][0], e[0][j]), mul(t, a[i][1], e[1][j])), mul(t, a[i][2], e[2][j])));
  }
  for (int i = 0; i < 3; i++) {
    for (int j = symmetric ? i : 0; j < 3; j++) {
      out[i][j] = name(
          t, add(t, add(t, mul(t, e[0][i], half[0][j]), mul(t, e[1][i], half[1][j])), mul(t, e[2][i], half[2][j])));
      if (symmetric) out[j][i] = out[i][j];
    }
  }
}

// r x A, columns of A
static void cross_matrix(Trace *t, V3 r, M3 a, M3 out) {
  for (int j = 0; j < 3; j++) {
    V3 column = {a[0][j], a[1][j], a[2][j]}, product;
    cross(t, r, column, product);
    for (int i = 0; i < 3; i++) out[i][j] = product[i];
  }
}

static void add_vector(Trace *t, V3 a, V3 b) {
  for (int i = 0; i < 3; i++) a[i] = name(t, add(t, a[i], b[i]));
}

typedef struct Body {
  M3 e;
  V3 r, w, v, cw, cv; // velocity; velocity product
  M3 A, B, C;         // articulated inertia: [A B; B' C]
  V3 n, f;            // articulated bias force
  V3 Uw, Uv;
  ExprId D, u;
} Body;

static void trace(Trace *t, const ExprId *q, const ExprId *qd, ExprId *qdd) {
  ExprPool *p = t->pool;
  Body body[joints];
  ExprId zero = p->zero, one = p->one;
  for (int i = 0; i < joints; i++) {
    const ArmLink *l = &links[i];
    Body *b = &body[i];
    int x = l->axis, y = (x + 1) % 3, z = (x + 2) % 3;
    ExprId c = name(t, expr_fn(p, op_cos, &q[i], 1)), s = name(t, expr_fn(p, op_sin, &q[i], 1));
    for (int k = 0; k < 9; k++) b->e[k / 3][k % 3] = zero;
    b->e[x][x] = one;
    b->e[y][y] = b->e[z][z] = c;
    b->e[y][z] = s;
    b->e[z][y] = expr_neg(p, s);
    V3 moved, com;
    for (int k = 0; k < 3; k++) {
      b->r[k] = number(t, l->r[k]);
      com[k] = number(t, l->com[k]);
    }
    if (i == 0) {
      for (int k = 0; k < 3; k++) b->w[k] = b->v[k] = zero;
    } else {
      Body *parent = &body[i - 1];
      turn(t, b->e, parent->w, b->w);
      cross(t, parent->w, b->r, moved);
      add_vector(t, moved, parent->v);
      turn(t, b->e, moved, b->v);
    }
    b->w[x] = name(t, add(t, b->w[x], qd[i]));
    V3 spin = {zero, zero, zero};
    spin[x] = qd[i];
    cross(t, b->w, spin, b->cw);
    cross(t, b->v, spin, b->cv);
    // inertia about the joint: constants
    ExprId m = number(t, l->mass), square = dot(t, com, com);
    for (int a = 0; a < 3; a++) {
      for (int k = 0; k < 3; k++) {
        b->A[a][k] = expr_neg(p, mul(t, m, mul(t, com[a], com[k])));
        if (a == k) b->A[a][k] = add(t, add(t, b->A[a][k], mul(t, m, square)), number(t, l->inertia[a]));
        b->C[a][k] = a == k ? m : zero;
        b->B[a][k] = zero;
      }
      int j = (a + 1) % 3, k = (a + 2) % 3;
      b->B[a][j] = expr_neg(p, mul(t, m, com[k]));
      b->B[a][k] = mul(t, m, com[j]);
    }
    // momentum and its bias
    V3 L, P, mc, wc, one3, two3;
    for (int k = 0; k < 3; k++) mc[k] = mul(t, m, com[k]);
    cross(t, b->w, mc, wc);
    for (int k = 0; k < 3; k++) P[k] = name(t, add(t, mul(t, m, b->v[k]), wc[k]));
    cross(t, mc, b->v, one3);
    for (int k = 0; k < 3; k++) L[k] = name(t, add(t, dot(t, b->A[k], b->w), one3[k]));
    cross(t, b->w, L, one3);
    cross(t, b->v, P, two3);
    for (int k = 0; k < 3; k++) b->n[k] = name(t, add(t, one3[k], two3[k]));
    cross(t, b->w, P, b->f);
  }
  // inwards
  for (int i = joints - 1; i >= 0; i--) {
    Body *b = &body[i];
    int x = links[i].axis;
    for (int k = 0; k < 3; k++) {
      b->Uw[k] = b->A[k][x];
      b->Uv[k] = b->B[x][k];
    }
    b->D = name(t, expr_powi(p, b->A[x][x], -1));
    b->u = name(t, expr_neg(p, b->n[x])); // no torque
    if (i == 0) break;
    Body *parent = &body[i - 1];
    M3 A, B, C;
    V3 Dw, Dv;
    for (int k = 0; k < 3; k++) {
      Dw[k] = name(t, mul(t, b->Uw[k], b->D));
      Dv[k] = name(t, mul(t, b->Uv[k], b->D));
    }
    for (int a = 0; a < 3; a++) {
      for (int k = 0; k < 3; k++) {
        // the row and the column of the joint vanish
        A[a][k] = a == x || k == x ? zero : a <= k ? name(t, sub(t, b->A[a][k], mul(t, b->Uw[a], Dw[k]))) : A[k][a];
        B[a][k] = a == x ? zero : name(t, sub(t, b->B[a][k], mul(t, b->Uw[a], Dv[k])));
        C[a][k] = a <= k ? name(t, sub(t, b->C[a][k], mul(t, b->Uv[a], Dv[k]))) : C[k][a];
      }
    }
    V3 n, f, back_n, back_f, arm;
    for (int k = 0; k < 3; k++) {
      V3 column = {B[0][k], B[1][k], B[2][k]};
      n[k] = name(t, add(t, add(t, b->n[k], add(t, dot(t, A[k], b->cw), dot(t, B[k], b->cv))), mul(t, Dw[k], b->u)));
      f[k] = name(t, add(t, add(t, b->f[k], add(t, dot(t, column, b->cw), dot(t, C[k], b->cv))), mul(t, Dv[k], b->u)));
    }
    M3 tA, tB, tC, rC, rB, BT, sum;
    turn_matrix(t, b->e, A, tA, true);
    turn_matrix(t, b->e, B, tB, false);
    turn_matrix(t, b->e, C, tC, true);
    // moved to the parent's joint: A - B rx + rx B' - rx C rx, B + rx C
    cross_matrix(t, b->r, tC, rC);
    for (int a = 0; a < 3; a++) {
      for (int k = 0; k < 3; k++) {
        sum[a][k] = name(t, add(t, tB[a][k], rC[a][k]));
        BT[a][k] = tB[k][a];
      }
    }
    // rx B' and (B + rx C) rx; X rx has the rows -(r x row)
    cross_matrix(t, b->r, BT, rB);
    for (int a = 0; a < 3; a++) {
      V3 product;
      cross(t, b->r, sum[a], product); // row a of (B + rx C), times rx, is -product
      for (int k = a; k < 3; k++) {
        ExprId value = name(t, add(t, add(t, tA[a][k], rB[a][k]), product[k]));
        parent->A[a][k] = name(t, add(t, parent->A[a][k], value));
        parent->A[k][a] = parent->A[a][k];
      }
      for (int k = 0; k < 3; k++) {
        parent->B[a][k] = name(t, add(t, parent->B[a][k], sum[a][k]));
        parent->C[a][k] = name(t, add(t, parent->C[a][k], tC[a][k]));
      }
    }
    turn_back(t, b->e, n, back_n);
    turn_back(t, b->e, f, back_f);
    cross(t, b->r, back_f, arm);
    add_vector(t, back_n, arm);
    add_vector(t, parent->n, back_n);
    add_vector(t, parent->f, back_f);
  }
  // outwards; the base accelerates against gravity
  V3 aw = {zero, zero, zero}, av = {zero, zero, number(t, "9.81")};
  for (int i = 0; i < joints; i++) {
    Body *b = &body[i];
    V3 moved, w, v;
    cross(t, aw, b->r, moved);
    add_vector(t, moved, av);
    turn(t, b->e, aw, w);
    turn(t, b->e, moved, v);
    add_vector(t, w, b->cw);
    add_vector(t, v, b->cv);
    qdd[i] = name(t, mul(t, b->D, sub(t, b->u, add(t, dot(t, b->Uw, w), dot(t, b->Uv, v)))));
    w[links[i].axis] = name(t, add(t, w[links[i].axis], qdd[i]));
    memcpy(aw, w, sizeof w);
    memcpy(av, v, sizeof v);
  }
}

static const Tape *arm_tape(Arena *arena) {
  static const char text[] = "coord q[i] for i in 1 .. 6\nkinetic 1/2*q[i]'^2 for i in 1 .. 6\n";
  Model *model = arena_new_of(arena, Model);
  System *system = arena_new_of(arena, System);
  ModelOptions options = {0};
  if (!pipeline_load(arena, model, system, "arm.viva", text, sizeof text - 1, &options)) exit(1);
  Trace t = {system, system->pool};
  ExprId q[joints], v[joints], a[joints];
  SymbolId vars[2 * joints + 1];
  vars[0] = model->time;
  for (uint32_t i = 0; i < joints; i++) {
    vars[1 + i] = model->coords.items[i].q;
    vars[1 + joints + i] = model->coords.items[i].v;
    q[i] = expr_sym(t.pool, model->coords.items[i].q);
    v[i] = expr_sym(t.pool, model->coords.items[i].v);
  }
  system->steps.count = system->definitions.count = system->blocks.count = 0;
  trace(&t, q, v, a);
  return tape_build(
      arena, &(TapeRequest){
                 .system = system, .vars = vars, .var_count = 2 * joints + 1, .results = a, .result_count = joints});
}

// ---- MuJoCo's arm

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(void) {
  static uint64_t seed = 3;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

enum { points = 64 };
static double states[points][2 * joints];

#ifdef VIVA_MUJOCO
static mjModel *peer_model(void) {
  static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
  char path[] = "/tmp/viva-arm-XXXXXX";
  int fd = mkstemp(path);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!f) exit(1);
  fputs("<mujoco><compiler angle=\"radian\"/><option gravity=\"0 0 -9.81\"><flag contact=\"disable\" "
        "constraint=\"disable\"/></option><worldbody>\n",
        f);
  for (int i = 0; i < joints; i++) {
    const ArmLink *l = &links[i];
    fprintf(f,
            "<body pos=\"%s %s %s\"><inertial pos=\"%s %s %s\" mass=\"%s\" diaginertia=\"%s %s %s\"/><joint "
            "type=\"hinge\" axis=\"%s\" pos=\"0 0 0\"/>\n",
            l->r[0], l->r[1], l->r[2], l->com[0], l->com[1], l->com[2], l->mass, l->inertia[0], l->inertia[1],
            l->inertia[2], axes[l->axis]);
  }
  for (int i = 0; i < joints; i++) fputs("</body>", f);
  fputs("</worldbody></mujoco>\n", f);
  fclose(f);
  char error[1000] = "";
  mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
  unlink(path);
  if (!m) fprintf(stderr, "MuJoCo: %s\n", error);
  return m;
}

static double peer_seconds(double a[points][joints]) {
  mjModel *m = peer_model();
  if (!m) return NAN;
  mjData *d = mj_makeData(m);
  double best = 1e9;
  for (int round = 0; round < 20; round++) {
    double from = cpu();
    for (int k = 0; k < 50; k++) {
      for (int i = 0; i < points; i++) {
        memcpy(d->qpos, states[i], joints * sizeof(double));
        memcpy(d->qvel, states[i] + joints, joints * sizeof(double));
        mj_forward(m, d);
        memcpy(a[i], d->qacc, joints * sizeof(double));
      }
    }
    best = fmin(best, (cpu() - from) / (50 * points));
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return best;
}
#else
static double peer_seconds(double a[points][joints]) {
  (void)a;
  return NAN;
}
#endif

int main(void) {
  static char cache[] = "/tmp/viva-bench-XXXXXX";
  if (!mkdtemp(cache)) return 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  Arena *arena = arena_new();
  const Tape *t = arm_tape(arena);
  if (!t) return 1;
  for (int i = 0; i < points; i++) {
    for (int k = 0; k < 2 * joints; k++) states[i][k] = uniform() * (k < joints ? 3 : 2);
  }
  static double theirs[points][joints];
  double peer = peer_seconds(theirs);
  const char *why, *note;
  Native *cc =
      native_new(arena, t, &(NativeSettings){.backend = backend_cc, .cache = cache, .rates = true}, &why, &note);
  Native *tcc = native_new(arena, t, &(NativeSettings){.backend = backend_tcc, .rates = true}, &why, &note);
  Native *wide = native_new(
      arena, t, &(NativeSettings){.backend = backend_cc, .lanes = true, .cache = cache, .rates = true}, &why, &note);
  double *w = arena_array(arena, t->slot_count, sizeof *w), *lanes = lanes_workspace(arena, t), out[joints], worst = 0;
  LaneKit kit = lanes_kit(t);
  tape_prepare(t, w);
  lanes_prepare(&kit, lanes);
  double *y = lanes_workspace(arena, t), *d = lanes_workspace(arena, t), zero[lane_count] = {0};
  const char *const names[] = {"interpreted", "tcc", "cc", "eight lanes interpreted", "eight lanes by cc"};
  double best[5] = {1e9, 1e9, 1e9, 1e9, 1e9};
  for (int round = 0; round < 20; round++) {
    for (int way = 0; way < 5; way++) {
      const Native *n = way == 1 ? tcc : way == 2 ? cc : wide;
      if ((way == 1 || way == 2 || way == 4) && !n) continue;
      double from = cpu();
      for (int k = 0; k < 50; k++) {
        for (int i = 0; i < points; i += way < 3 ? 1 : lane_count) {
          if (way == 0) {
            memcpy(tape_vars(t, w) + 1, states[i], sizeof states[i]);
            tape_eval(t, w);
            for (uint32_t j = 0; j < joints; j++) out[j] = tape_result(t, w, j);
          } else if (way < 3) {
            native_rates(n, 0, states[i], out, w);
          } else {
            // the states of an integrator stand in lanes; here they are put there
            for (int j = 0; j < 2 * joints; j++) {
              for (int l = 0; l < lane_count; l++) y[j * lane_count + l] = states[i + l][j];
            }
            if (way == 4) {
              lanes_rates(wide, &kit, zero, y, d, lanes);
            } else {
              memcpy(lanes + (size_t)(t->param_count + 1) * lane_count, y, 2 * joints * lane_count * sizeof *y);
              lanes_eval(&kit, lanes);
            }
          }
          if (way == 2 && !isnan(peer)) {
            for (int j = 0; j < joints; j++)
              worst = fmax(worst, fabs(out[j] - theirs[i][j]) / (1 + fabs(theirs[i][j])));
          }
        }
      }
      best[way] = fmin(best[way], (cpu() - from) / (50 * points));
    }
  }
  bool beside = !isnan(peer);
  printf("Forward dynamics of an arm with 6 joints, %u operations; ", t->op_count);
  if (beside) printf("MuJoCo's mj_forward %.3f us is 1\n", peer * 1e6);
  else puts("MuJoCo: not installed");
  for (int way = 0; way < 5; way++) {
    if (best[way] >= 1e9) printf("  %-24s not installed\n", names[way]);
    else if (!beside) printf("  %-24s %7.3f us a state\n", names[way], best[way] * 1e6);
    else
      printf("  %-24s %7.3f us a state, %6.1f times the speed%s\n", names[way], best[way] * 1e6, peer / best[way],
             way == 2   ? " (aim 5)"
             : way == 4 ? " (aim 25)"
                        : "");
  }
  if (beside) printf("  accelerations differ by %.1e\n", worst);
  native_free(cc);
  native_free(tcc);
  native_free(wide);
  arena_free(arena);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", cache);
  return system(command);
}
