// viva-algebra: common factors and factors of polynomials, in a process of its own with limits. A gcd can run for ever
// in rare cases, and running out of memory ends the process; the caller then goes on without.
//
// in    a line "N" (number of generators x1 ... xN), then lines: "cancel", NUM, DEN; "factor", POLY; "quotient", NUM,
//       DEN; "member", COUNT, WANTED, COUNT POLYs, F
// out   a line an answer, fields parted by tabs: "cancel" NUM DEN; "factor" CONSTANT, then FACTOR EXPONENT ...; for a
//       quotient both, of what was cancelled and of the denominator that is left; "member", then for the first WANTED
//       of the polynomials what they are multiplied by in a combination that is F, if there is one (ideal.c)
#define _POSIX_C_SOURCE 200809L
#include "ideal.h"

#include <flint/fmpq_mpoly.h>
#include <flint/fmpq_mpoly_factor.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { most_memory_mb = 2048, most_seconds = 20, most_polys = 100 };

static void limit(int what, rlim_t most) {
  struct rlimit r = {most, most};
  setrlimit(what, &r);
}

static bool read_poly(fmpq_mpoly_t p, const fmpq_mpoly_ctx_t ctx, char **line, size_t *size) {
  ssize_t n = getline(line, size, stdin);
  if (n <= 0) return false;
  if ((*line)[n - 1] == '\n') (*line)[n - 1] = '\0';
  return fmpq_mpoly_set_str_pretty(p, *line, NULL, ctx) == 0;
}

static void put(const fmpq_mpoly_t p, const fmpq_mpoly_ctx_t ctx) {
  char *text = fmpq_mpoly_get_str_pretty(p, NULL, ctx);
  fputs(text, stdout);
  flint_free(text);
}

static bool factor_of(fmpq_mpoly_t p, const fmpq_mpoly_ctx_t ctx);

static bool cancel(const fmpq_mpoly_ctx_t ctx, char **line, size_t *size, bool factors) {
  fmpq_mpoly_t num, den, g;
  fmpq_mpoly_init(num, ctx);
  fmpq_mpoly_init(den, ctx);
  fmpq_mpoly_init(g, ctx);
  bool ok = read_poly(num, ctx, line, size) && read_poly(den, ctx, line, size) && !fmpq_mpoly_is_zero(den, ctx);
  ok = ok && fmpq_mpoly_gcd(g, num, den, ctx) && !fmpq_mpoly_is_zero(g, ctx);
  ok = ok && fmpq_mpoly_divides(num, num, g, ctx) && fmpq_mpoly_divides(den, den, g, ctx);
  if (ok) {
    fputs("cancel\t", stdout);
    put(num, ctx);
    putchar('\t');
    put(den, ctx);
    putchar('\n');
    ok = !factors || factor_of(den, ctx);
  }
  fmpq_mpoly_clear(num, ctx);
  fmpq_mpoly_clear(den, ctx);
  fmpq_mpoly_clear(g, ctx);
  return ok;
}

// p itself is used up.
static bool factor_of(fmpq_mpoly_t p, const fmpq_mpoly_ctx_t ctx) {
  fmpq_mpoly_factor_t f;
  fmpq_t c;
  fmpq_mpoly_factor_init(f, ctx);
  fmpq_init(c);
  bool ok = !fmpq_mpoly_is_zero(p, ctx) && fmpq_mpoly_factor(f, p, ctx) && fmpq_mpoly_factor_make_integral(f, ctx);
  if (ok) {
    fmpq_mpoly_factor_get_constant_fmpq(c, f, ctx);
    char *text = fmpq_get_str(NULL, 10, c);
    printf("factor\t%s", text);
    flint_free(text);
    for (slong i = 0; i < fmpq_mpoly_factor_length(f, ctx); i++) {
      fmpq_mpoly_factor_get_base(p, f, i, ctx);
      putchar('\t');
      put(p, ctx);
      printf("\t%ld", (long)fmpq_mpoly_factor_get_exp_si(f, i, ctx));
    }
    putchar('\n');
  }
  fmpq_clear(c);
  fmpq_mpoly_factor_clear(f, ctx);
  return ok;
}

static bool factor(const fmpq_mpoly_ctx_t ctx, char **line, size_t *size) {
  fmpq_mpoly_t p;
  fmpq_mpoly_init(p, ctx);
  bool ok = read_poly(p, ctx, line, size) && factor_of(p, ctx);
  fmpq_mpoly_clear(p, ctx);
  return ok;
}

static bool read_count(slong *out, slong most, char **line, size_t *size) {
  *out = getline(line, size, stdin) > 0 ? strtol(*line, NULL, 10) : -1;
  return *out >= 0 && *out <= most;
}

// By degree, which keeps bases short.
static bool member(slong vars, char **line, size_t *size) {
  slong count, wanted;
  if (!read_count(&count, most_polys, line, size) || !read_count(&wanted, count, line, size)) return false;
  fmpq_mpoly_ctx_t ctx;
  fmpq_mpoly_ctx_init(ctx, vars, ORD_DEGREVLEX);
  fmpq_mpoly_struct polys[most_polys + 1], cofactors[most_polys];
  for (slong k = 0; k <= count; k++) fmpq_mpoly_init(polys + k, ctx);
  for (slong k = 0; k < wanted; k++) fmpq_mpoly_init(cofactors + k, ctx);
  bool ok = true;
  for (slong k = 0; k <= count && ok; k++) ok = read_poly(polys + k, ctx, line, size);
  if (ok) fputs("member", stdout);
  if (ok && ideal_cofactors(cofactors, polys, count, wanted, polys + count, ctx)) {
    for (slong k = 0; k < wanted; k++) {
      putchar('\t');
      put(cofactors + k, ctx);
    }
  }
  if (ok) putchar('\n');
  for (slong k = 0; k <= count; k++) fmpq_mpoly_clear(polys + k, ctx);
  for (slong k = 0; k < wanted; k++) fmpq_mpoly_clear(cofactors + k, ctx);
  fmpq_mpoly_ctx_clear(ctx);
  return ok;
}

int main(void) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most_seconds);
#if !defined(__SANITIZE_ADDRESS__)
  limit(RLIMIT_AS, (rlim_t)most_memory_mb << 20);
#endif
  char *line = NULL;
  size_t size = 0;
  bool ok = getline(&line, &size, stdin) > 0;
  long n = ok ? strtol(line, NULL, 10) : 0;
  if (n < 1 || n > 100000) return 2;
  fmpq_mpoly_ctx_t ctx;
  fmpq_mpoly_ctx_init(ctx, n, ORD_LEX);
  while (ok && getline(&line, &size, stdin) > 0) {
    if (strcmp(line, "cancel\n") == 0) ok = cancel(ctx, &line, &size, false);
    else if (strcmp(line, "quotient\n") == 0) ok = cancel(ctx, &line, &size, true);
    else if (strcmp(line, "factor\n") == 0) ok = factor(ctx, &line, &size);
    else if (strcmp(line, "member\n") == 0) ok = member(n, &line, &size);
    else ok = false;
  }
  fmpq_mpoly_ctx_clear(ctx);
  free(line);
  flint_cleanup();
  return ok && fflush(stdout) == 0 ? 0 : 1;
}
