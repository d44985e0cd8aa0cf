// Forward dynamics of chains and trees of bodies as the language reads them, beside MuJoCo's mj_forward on the same
// ones, contacts off. Ratios of one run. States are set beside the clock: calls are measured, not copies.
//
//   bench_bodies [SIZES...]
//
// A chain hangs link on link; in a tree body i hangs on body i/2. Joints are revolute about y, x, z in turn. Behind the
// table, without sizes: how long a tree of 30 takes from its text to the first row of its motion, by the clock, and how
// times grow from 10 to 1,000 joints.
#define _XOPEN_SOURCE 700
#include "api/pipeline.h"
#include "tape/frame.h"
#include "tape/lanes.h"
#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef VIVA_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { points = 16, rounds = 48 }; // states that are gone through, one a round

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t seed = 3;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

typedef struct Shape {
  uint32_t n;
  bool tree;
  double *states; // points of 2 n numbers
} Shape;

static uint32_t parent_of(const Shape *s, uint32_t i) { return i == 1 ? 0 : s->tree ? i / 2 : i - 1; }

static const char *const axes[] = {"y", "x", "z"}, *const peer_axes[] = {"0 1 0", "1 0 0", "0 0 1"};
static const double numbers[3][10] = {
    // place of the joint in the parent, mass, centre of mass, principal inertias
    {0, 0, -0.3, 1, 0.01, 0, -0.15, 0.011, 0.012, 0.002},
    {0.05, 0, -0.25, 0.8, 0, 0.02, -0.1, 0.01, 0.009, 0.003},
    {0, 0.04, -0.2, 0.6, 0.01, 0.01, -0.1, 0.006, 0.007, 0.002},
};

static Text text_of(Arena *arena, const Shape *s) {
  Text text = text_in(arena);
  text_put(&text, "gravity [0, 0, -9.81]\n");
  for (uint32_t i = 1; i <= s->n; i++) {
    const double *x = numbers[i % 3];
    text_printf(&text, "body b%u on ", i);
    if (parent_of(s, i)) text_printf(&text, "b%u", parent_of(s, i));
    else text_put(&text, "ground");
    text_printf(&text,
                " by revolute(%s) q%u at [%.17g, %.17g, %.17g] with mass = %.17g, com = [%.17g, %.17g, %.17g], "
                "inertia = [%.17g, %.17g, %.17g, 0, 0, 0]\n",
                axes[i % 3], i, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
  }
  return text;
}

static const Tape *tape_of(Arena *arena, const Shape *s, System *system, double *seconds) {
  Model *model = arena_new_of(arena, Model);
  Text text = text_of(arena, s);
  ModelOptions options = {0};
  double from = cpu();
  if (!pipeline_load(arena, model, system, "bodies.viva", text_str(&text), text.length, &options) ||
      model->diags.errors) {
    fprintf(stderr, "the model is wrong\n");
    exit(1);
  }
  ExprId *a = arena_array(arena, s->n, sizeof *a);
  for (uint32_t i = 0; i < s->n; i++) a[i] = expr_sym(system->pool, system->coords.items[i].a);
  const Tape *t = frame_tape(arena, &(TapeFrame){.system = system}, a, s->n);
  *seconds = cpu() - from;
  return t;
}

#ifdef VIVA_MUJOCO
static void put_body(FILE *f, const Shape *s, uint32_t i) {
  const double *x = numbers[i % 3];
  fprintf(
      f,
      "<body pos=\"%.17g %.17g %.17g\"><inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\" diaginertia=\"%.17g %.17g "
      "%.17g\"/><joint name=\"q%u\" type=\"hinge\" axis=\"%s\" pos=\"0 0 0\"/>\n",
      x[0], x[1], x[2], x[4], x[5], x[6], x[3], x[7], x[8], x[9], i, peer_axes[i % 3]);
  for (uint32_t k = i + 1; k <= s->n; k++) {
    if (parent_of(s, k) == i) put_body(f, s, k);
  }
  fputs("</body>\n", f);
}

// Seconds a call; a: accelerations of each point, in our order.
static double peer_seconds(const Shape *s, double *a) {
  char path[] = "/tmp/viva-bodies-XXXXXX", error[1000] = "", name[20];
  int fd = mkstemp(path);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!f) return NAN;
  fputs("<mujoco><compiler angle=\"radian\"/><size nstack=\"4000000\"/><option gravity=\"0 0 -9.81\"><flag "
        "contact=\"disable\" constraint=\"disable\"/></option><worldbody>\n",
        f);
  put_body(f, s, 1);
  fputs("</worldbody></mujoco>\n", f);
  fclose(f);
  mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
  unlink(path);
  if (!m) {
    fprintf(stderr, "MuJoCo: %s\n", error);
    return NAN;
  }
  mjData *d = mj_makeData(m);
  int *place = calloc(s->n, sizeof *place);
  for (uint32_t i = 0; i < s->n; i++) {
    snprintf(name, sizeof name, "q%u", i + 1);
    place[i] = m->jnt_qposadr[mj_name2id(m, mjOBJ_JOINT, name)];
  }
  double best = 1e9;
  uint32_t repeat = 1 + 2000 / s->n;
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t p = round % points;
    for (uint32_t i = 0; i < s->n; i++) {
      d->qpos[place[i]] = s->states[(size_t)p * 2 * s->n + i];
      d->qvel[place[i]] = s->states[(size_t)p * 2 * s->n + s->n + i];
    }
    double from = cpu();
    for (uint32_t k = 0; k < repeat; k++) mj_forward(m, d);
    best = fmin(best, (cpu() - from) / repeat);
    for (uint32_t i = 0; i < s->n; i++) a[(size_t)p * s->n + i] = d->qacc[place[i]];
  }
  free(place);
  mj_deleteData(d);
  mj_deleteModel(m);
  return best;
}
#else
static double peer_seconds(const Shape *s, double *a) {
  (void)s, (void)a;
  return NAN;
}
#endif

typedef struct Ways {
  const Tape *t;
  LaneKit kit;
  Native *cc, *wide;
  double *w, *lanes;
} Ways;

// One point, or eight of them from it on, by a way: 0 interpreted, 1 cc, 2 lanes, 3 lanes by cc.
static void set_point(const Ways *x, const Shape *s, int way, uint32_t point) {
  for (uint32_t lane = 0; lane < (way < 2 ? 1 : lane_count); lane++) {
    const double *y = s->states + (size_t)((point + lane) % points) * 2 * s->n;
    double *lanes = x->lanes + (size_t)(x->t->param_count + 1) * lane_count + lane;
    for (uint32_t i = 0; i < 2 * s->n; i++) *(way < 2 ? tape_vars(x->t, x->w) + 1 + i : lanes + i * lane_count) = y[i];
  }
}

static void evaluate(const Ways *x, int way) {
  if (way == 0) tape_eval(x->t, x->w);
  else if (way == 1) native_eval(x->cc, x->w);
  else if (way == 2) lanes_eval(&x->kit, x->lanes);
  else lanes_native(x->wide, &x->kit, x->lanes);
}

static double seconds_of(const Ways *x, const Shape *s, int way) {
  double best = 1e9;
  uint32_t repeat = 1 + 2000 / s->n;
  if ((way == 1 && !x->cc) || (way == 3 && !x->wide)) return NAN;
  for (uint32_t round = 0; round < rounds; round++) {
    set_point(x, s, way, round % points);
    double from = cpu();
    for (uint32_t k = 0; k < repeat; k++) evaluate(x, way);
    best = fmin(best, (cpu() - from) / repeat);
  }
  return way < 2 ? best : best / lane_count;
}

static double worst_of(const Ways *x, const Shape *s, const double *theirs) {
  double worst = 0;
  for (uint32_t p = 0; p < points; p++) {
    set_point(x, s, 0, p);
    evaluate(x, 0);
    double size = 0;
    for (uint32_t i = 0; i < s->n; i++) size = fmax(size, fabs(theirs[(size_t)p * s->n + i]));
    for (uint32_t i = 0; i < s->n; i++)
      worst = fmax(worst, fabs(tape_result(x->t, x->w, i) - theirs[(size_t)p * s->n + i]) / size);
  }
  return worst;
}

// Products and sums: one operation may be both.
static void count_work(const Tape *t, uint32_t *products, uint32_t *sums) {
  *products = *sums = 0;
  for (uint32_t i = 0; i < t->op_count; i++) {
    TapeCode code = t->ops[i].code;
    bool both = code == tape_madd || code == tape_msub || code == tape_nmadd;
    *products += both || code == tape_mul;
    *sums += both || code == tape_add || code == tape_sub;
  }
}

static void measure(uint32_t n, bool tree, const char *cache, double own[4]) {
  Arena *arena = arena_new();
  System *system = arena_new_of(arena, System);
  Shape s = {n, tree, arena_array(arena, (size_t)points * 2 * n, sizeof(double))};
  for (size_t i = 0; i < (size_t)points * 2 * n; i++) s.states[i] = 0.5 * uniform();
  double load = 0, *theirs = arena_array(arena, (size_t)points * n, sizeof *theirs);
  const char *why, *note;
  Ways x = {.t = tape_of(arena, &s, system, &load)};
  if (!x.t) exit(1);
  x.kit = lanes_kit(x.t);
  x.cc = native_new(arena, x.t, &(NativeSettings){.backend = backend_cc, .cache = cache}, &why, &note);
  x.wide = native_new(arena, x.t, &(NativeSettings){.backend = backend_cc, .lanes = true, .cache = cache}, &why, &note);
  if (!x.wide) fprintf(stderr, "no lanes by cc: %s\n", why);
  x.w = arena_array(arena, x.t->slot_count, sizeof *x.w);
  x.lanes = lanes_workspace(arena, x.t);
  tape_prepare(x.t, x.w);
  lanes_prepare(&x.kit, x.lanes);
  double peer = peer_seconds(&s, theirs);
  for (int way = 0; way < 4; way++) own[way] = seconds_of(&x, &s, way);
  uint32_t products, sums;
  count_work(x.t, &products, &sums);
  printf("| %s of %u | %u (%u, %u) | %.1f ms | %.2f us |", tree ? "tree" : "chain", n, x.t->op_count, products, sums,
         load * 1e3, peer * 1e6);
  for (int way = 0; way < 4; way++) printf(" %.3f us, %.1f |", own[way] * 1e6, peer / own[way]);
  printf(" %.1e |\n", isnan(peer) ? NAN : worst_of(&x, &s, theirs));
  native_free(x.cc);
  native_free(x.wide);
  arena_free(arena);
}

// ---- from text to the first row

static double wall(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool see_header(void *self, const char *const *names, size_t count) {
  (void)self, (void)names, (void)count;
  return true;
}

static bool see_row(void *self, const double *values, size_t count) {
  double *at = self;
  (void)values, (void)count;
  if (at[0] > 0) return true;
  at[0] = wall();
  at[1] = cpu();
  return true;
}

// By the clock; *used: of the processor.
static double first_row(uint32_t n, bool tree, double *used) {
  double best = *used = 1e9;
  for (int round = 0; round < rounds; round++) {
    Arena *arena = arena_new();
    Text text = text_of(arena, &(Shape){.n = n, .tree = tree});
    text_put(&text, "simulate to 0.01 every 0.01\n");
    viva_model *model;
    viva_run *run;
    viva_run_options o = viva_run_defaults();
    double at[2] = {0}, from = wall(), began = cpu();
    viva_sink sink = {at, see_header, see_row};
    if (viva_model_parse("bodies.viva", text_str(&text), text.length, NULL, &model) == VIVA_OK &&
        viva_run_model(model, &o, &sink, &run) == VIVA_OK) {
      best = fmin(best, at[0] - from);
      *used = fmin(*used, at[1] - began);
    }
    viva_run_free(run);
    viva_model_free(model);
    arena_free(arena);
  }
  return best;
}

// ---- growth

// The slope of log seconds over log joints, by least squares.
static double exponent_of(const uint32_t *sizes, double own[][4], int count, int way) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < count; i++) {
    double x = log(sizes[i]), y = log(own[i][way]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

static void growth(bool tree, const char *cache) {
  static const uint32_t sizes[] = {10, 18, 32, 56, 100, 178, 316, 562, 1000};
  enum { count = sizeof sizes / sizeof *sizes };
  static const char *const ways[] = {"interpreted", "by cc", "eight lanes", "eight lanes by cc"};
  enum { passes = 3 }; // over all sizes, the least of each: a machine that is disturbed for a while is not growth
  double own[count][4], now[4];
  for (int pass = 0; pass < passes; pass++) {
    for (int i = 0; i < count; i++) {
      measure(sizes[i], tree, cache, now);
      for (int way = 0; way < 4; way++) own[i][way] = pass ? fmin(own[i][way], now[way]) : now[way];
    }
  }
  for (int way = 0; way < 4; way++)
    printf("%s, %s: growth exponent %.3f\n", tree ? "trees" : "chains", ways[way], exponent_of(sizes, own, count, way));
}

int main(int count, char **args) {
  static char cache[] = "/tmp/viva-bench-XXXXXX";
  uint32_t sizes[20] = {2, 6, 12, 30, 100, 1000};
  int size_count = count > 1 ? 0 : 6;
  for (int i = 1; i < count && i < 20; i++) sizes[size_count++] = (uint32_t)strtoul(args[i], NULL, 10);
  if (!mkdtemp(cache)) return 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  puts("| bodies | operations (products, sums) | text to tape | mj_forward | interpreted | cc | eight lanes | eight "
       "lanes by cc | "
       "differ |");
  puts("|---|---|---|---|---|---|---|---|---|");
  for (int tree = 0; tree < 2; tree++) {
    double own[4];
    for (int i = 0; i < size_count; i++) measure(sizes[i], tree, cache, own);
  }
  puts("us a state, and how many times the speed of mj_forward");
  if (count == 1) {
    for (int tree = 0; tree < 2; tree++) {
      double used, clock = first_row(30, tree, &used);
      printf("%s of 30, from text to the first row: %.1f ms, %.1f ms of the processor\n", tree ? "tree" : "chain",
             1e3 * clock, 1e3 * used);
    }
    growth(false, cache);
    growth(true, cache);
  }
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", cache);
  return system(command);
}
