// Linear systems with dead times: storage, one path of them, loops closed around them.
#include "analyze/system.h"

#include <string.h>

bool system_room(LinearSystem *s, Arena *arena, uint32_t n, uint32_t m, uint32_t p, uint32_t delays) {
  size_t d = delays;
  *s = (LinearSystem){.n = n, .m = m, .p = p, .delays = delays};
  s->A = arena_array(arena, (size_t)n * n + 1, sizeof *s->A);
  s->B = arena_array(arena, (size_t)n * m + 1, sizeof *s->B);
  s->C = arena_array(arena, (size_t)p * n + 1, sizeof *s->C);
  s->D = arena_array(arena, (size_t)p * m + 1, sizeof *s->D);
  s->E = arena_array(arena, n * d + 1, sizeof *s->E);
  s->F = arena_array(arena, p * d + 1, sizeof *s->F);
  s->G = arena_array(arena, d * n + 1, sizeof *s->G);
  s->H = arena_array(arena, d * m + 1, sizeof *s->H);
  s->J = arena_array(arena, d * d + 1, sizeof *s->J);
  s->time = arena_array(arena, d + 1, sizeof *s->time);
  return !arena_failed(arena);
}

// What neither inputs nor outputs change.
static void copy_inside(const LinearSystem *s, LinearSystem *out) {
  size_t n = s->n, d = s->delays;
  memcpy(out->A, s->A, n * n * sizeof *s->A);
  memcpy(out->E, s->E, n * d * sizeof *s->E);
  memcpy(out->G, s->G, d * n * sizeof *s->G);
  memcpy(out->J, s->J, d * d * sizeof *s->J);
  memcpy(out->time, s->time, d * sizeof *s->time);
  out->period = s->period;
  out->states = s->states;
  out->channels = s->channels;
}

bool system_copy(const LinearSystem *s, Arena *arena, LinearSystem *out) {
  size_t n = s->n, m = s->m, p = s->p, d = s->delays;
  if (!system_room(out, arena, s->n, s->m, s->p, s->delays)) return false;
  copy_inside(s, out);
  memcpy(out->B, s->B, n * m * sizeof *s->B);
  memcpy(out->C, s->C, p * n * sizeof *s->C);
  memcpy(out->D, s->D, p * m * sizeof *s->D);
  memcpy(out->F, s->F, p * d * sizeof *s->F);
  memcpy(out->H, s->H, d * m * sizeof *s->H);
  out->inputs = s->inputs;
  out->outputs = s->outputs;
  return true;
}

bool system_path(const LinearSystem *s, Arena *arena, uint32_t input, uint32_t output, LinearSystem *out) {
  size_t n = s->n, d = s->delays;
  if (!system_room(out, arena, s->n, 1, 1, s->delays)) return false;
  copy_inside(s, out);
  memcpy(out->C, s->C + output * n, n * sizeof *s->C);
  memcpy(out->F, s->F + output * d, d * sizeof *s->F);
  for (size_t i = 0; i < n; i++) out->B[i] = s->B[i * s->m + input];
  for (size_t i = 0; i < d; i++) out->H[i] = s->H[i * s->m + input];
  out->D[0] = s->D[(size_t)output * s->m + input];
  out->inputs = s->inputs ? s->inputs + input : NULL;
  out->outputs = s->outputs ? s->outputs + output : NULL;
  return true;
}

void system_negate(LinearSystem *s) {
  for (size_t i = 0; i < (size_t)s->p * s->n; i++) s->C[i] = -s->C[i];
  for (size_t i = 0; i < (size_t)s->p * s->m; i++) s->D[i] = -s->D[i];
  for (size_t i = 0; i < (size_t)s->p * s->delays; i++) s->F[i] = -s->F[i];
}

bool system_open_state(const LinearSystem *s, Arena *arena, uint32_t state, LinearSystem *out) {
  size_t n = s->n, m = s->m, p = s->p, d = s->delays, wide = m + 1;
  if (!system_room(out, arena, s->n, s->m + 1, s->p + 1, s->delays)) return false;
  out->improper = arena_array(arena, (p + 1) * wide + 1, sizeof *out->improper);
  if (!out->improper) return false;
  copy_inside(s, out);
  memcpy(out->C, s->C, p * n * sizeof *s->C);
  memcpy(out->F, s->F, p * d * sizeof *s->F);
  for (size_t i = 0; i < n; i++) {
    memcpy(out->B + i * wide, s->B + i * m, m * sizeof *s->B);
    out->B[i * wide + m] = s->A[i * n + state];
    out->A[i * n + state] = 0;
  }
  for (size_t i = 0; i < d; i++) {
    memcpy(out->H + i * wide, s->H + i * m, m * sizeof *s->H);
    out->H[i * wide + m] = s->G[i * n + state];
    out->G[i * n + state] = 0;
  }
  for (size_t i = 0; i < p; i++) {
    memcpy(out->D + i * wide, s->D + i * m, m * sizeof *s->D);
    if (s->improper) memcpy(out->improper + i * wide, s->improper + i * m, m * sizeof *s->improper);
  }
  out->C[p * n + state] = 1;
  return true;
}

// u = (r - C x - F w)/(1 + D), put into everything that reads u.
bool system_close(const LinearSystem *s, Arena *arena, LoopSide side, LinearSystem *out, bool *posed) {
  size_t n = s->n, d = s->delays;
  double back = 1 + s->D[0];
  *posed = back != 0;
  if (!system_copy(s, arena, out)) return false;
  if (!*posed) return true;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) out->A[i * n + j] -= s->B[i] * s->C[j] / back;
    for (size_t j = 0; j < d; j++) out->E[i * d + j] -= s->B[i] * s->F[j] / back;
    out->B[i] = s->B[i] / back;
  }
  for (size_t i = 0; i < d; i++) {
    for (size_t j = 0; j < n; j++) out->G[i * n + j] -= s->H[i] * s->C[j] / back;
    for (size_t j = 0; j < d; j++) out->J[i * d + j] -= s->H[i] * s->F[j] / back;
    out->H[i] = s->H[i] / back;
  }
  double sign = side == loop_error ? -1 : 1;
  for (size_t j = 0; j < n; j++) out->C[j] = sign * s->C[j] / back;
  for (size_t j = 0; j < d; j++) out->F[j] = sign * s->F[j] / back;
  out->D[0] = side == loop_error ? 1 / back : s->D[0] / back;
  return true;
}
