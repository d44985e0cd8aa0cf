// Model selection among rival models of the same data. See fit_rivals.h.
#include "cli/fit_rivals.h"

#include "cli/message.h"
#include "cli/verb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rivals_take(FitRivals *r, const char *file, const viva_fit *fit) {
  if (r->count == most_rivals) return;
  FitRival *to = &r->items[r->count++];
  *to = (FitRival){.file = file,
                   .unknowns = viva_fit_unknown_count(fit),
                   .r2 = viva_fit_r_squared(fit),
                   .aic = viva_fit_aic(fit),
                   .bic = viva_fit_bic(fit)};
  to->data = viva_fit_data(fit, &to->points);
}

int rivals_check(const FitRivals *r) {
  for (size_t i = 1; i < r->count; i++) {
    if (r->items[i].data == r->items[0].data) continue;
    complain("%s and %s are fitted to different data: AIC and BIC do not compare them", r->items[0].file,
             r->items[i].file);
    hint("rivals have the same file, the same columns and the same `sd`");
    return exit_input;
  }
  return -1;
}

static size_t best_of(const FitRivals *r, bool bic) {
  size_t best = 0;
  for (size_t i = 1; i < r->count; i++) {
    if (bic ? r->items[i].bic < r->items[best].bic : r->items[i].aic < r->items[best].aic) best = i;
  }
  return best;
}

void rivals_print(const FitRivals *r) {
  size_t width = 5, aic = best_of(r, false), bic = best_of(r, true);
  for (size_t i = 0; i < r->count; i++) width = strlen(r->items[i].file) > width ? strlen(r->items[i].file) : width;
  printf("rivals\n  %-*s  unknowns       R^2           AIC  above least           BIC  above least\n", (int)width, "");
  for (size_t i = 0; i < r->count; i++) {
    const FitRival *x = &r->items[i];
    printf("  %-*s  %8zu  %8.6f  %12.6g  %11.4g  %12.6g  %11.4g\n", (int)width, x->file, x->unknowns, x->r2, x->aic,
           x->aic - r->items[aic].aic, x->bic, x->bic - r->items[bic].bic);
  }
  if (aic == bic) printf("  %s is best by both\n", r->items[aic].file);
  else printf("  %s is best by AIC, %s by BIC\n", r->items[aic].file, r->items[bic].file);
}

static void print_text(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    if ((unsigned char)*text >= 0x20) putchar(*text);
  }
  putchar('"');
}

void rivals_print_json(const FitRivals *r) {
  printf("\"aic\": ");
  print_text(r->items[best_of(r, false)].file);
  printf(", \"bic\": ");
  print_text(r->items[best_of(r, true)].file);
}
