// What the options of a fit say, and which of them go together. See fit_parts.h.
//
// An option that would change nothing is refused: who says it expects that it does.
#include "api/fit_parts.h"

#include <math.h>
#include <string.h>

static const char *const selections[] = {"roulette", "ranking", "tournament", "universal", "remainder"};

enum { most_individuals = 1000000 };

static void read_search(const viva_fit_options *o, Diags *diags, ExploreSettings *out) {
  *out = (ExploreSettings){.population = o->population,
                           .generations = o->generations,
                           .crossover = o->crossover,
                           .mutation = o->mutation,
                           .exponent = o->exponent,
                           .printed = o->printed,
                           .mean_square = o->mean_square};
  uint32_t i = 0, count = sizeof selections / sizeof *selections;
  while (o->selection && i < count && strcmp(selections[i], o->selection) != 0) i++;
  if (i == count) {
    diag_error(diags, diag_bad_setting, (Span){0}, "there is no selection `%s`", o->selection);
    diag_hint(diags, "there is roulette, ranking, tournament, universal and remainder");
  }
  out->selection = (FitSelection)(i == count ? 0 : i);
  const struct {
    double value;
    const char *name;
  } part[] = {{o->crossover, "--crossover"}, {o->mutation, "--mutation"}};
  for (int k = 0; k < 2; k++) {
    if (part[k].value < 0 || part[k].value > 1)
      diag_error(diags, diag_bad_setting, (Span){0}, "`%s` is a probability: it lies between 0 and 1", part[k].name);
  }
  if (o->exponent < 0) diag_error(diags, diag_bad_setting, (Span){0}, "the exponent of the crossover is not below 0");
  if (o->population && o->population < 4)
    diag_error(diags, diag_bad_setting, (Span){0}, "a population has at least 4 individuals");
  if (o->population > most_individuals)
    diag_error(diags, diag_bad_setting, (Span){0}, "a population has at most %d individuals", most_individuals);
}

static FitLossKind loss_kind(const char *name, Diags *diags) {
  if (!name || strcmp(name, "square") == 0) return loss_square;
  if (strcmp(name, "huber") == 0) return loss_huber;
  diag_error(diags, diag_bad_setting, (Span){0}, "there is no loss `%s`", name);
  diag_hint(diags, "there is square and, where there are outliers, huber");
  return loss_square;
}

// ---- which options have an effect

enum { of_auto = 1, of_lm = 2, of_ga = 4, of_binary = 8, of_de = 16, of_cmaes = 32, of_all = 63 };

static const struct {
  const char *name;
  unsigned bit;
} methods[] = {{"auto", of_auto},        {"lm", of_lm}, {"ga", of_ga},
               {"ga-binary", of_binary}, {"de", of_de}, {"cmaes", of_cmaes}};
enum { method_count = sizeof methods / sizeof *methods };

// An option, whether it is said, of which methods it is, and whether it is about residuals.
typedef struct FitOption {
  const char *name;
  bool said;
  unsigned of;
  bool residuals;
} FitOption;

// "ga and ga-binary"
static const char *name_methods(Arena *arena, unsigned of) {
  Text out = text_in(arena);
  unsigned left = of;
  for (int i = 0; i < method_count; i++) {
    if (!(of & methods[i].bit)) continue;
    left &= ~methods[i].bit;
    text_printf(&out, "%s%s", left == (of & ~methods[i].bit) ? "" : left ? ", " : " and ", methods[i].name);
  }
  return text_str(&out);
}

static void refuse_option(const viva_fit_options *o, unsigned method, const FitOption *x, Diags *diags) {
  if (!x->said) return;
  if (o->only_before) {
    diag_error(diags, diag_bad_setting, (Span){0}, "`--beforehand` searches nothing: `%s` would change nothing",
               x->name);
  } else if (o->minimize && x->residuals) {
    diag_error(diags, diag_bad_setting, (Span){0}, "`--minimize` compares with no data: `%s` would change nothing",
               x->name);
  } else if (!(x->of & method)) {
    const char *of = name_methods(diags->arena, x->of);
    diag_error(diags, diag_bad_setting, (Span){0}, "`%s` would change nothing: the method `%s` has no such thing",
               x->name, o->method ? o->method : "auto");
    diag_hint(diags, "it is of %s", of ? of : "");
  }
}

static void refuse_idle(const viva_fit_options *o, Diags *diags) {
  unsigned method = o->method ? 0 : of_auto, generations = of_ga | of_binary | of_de | of_cmaes;
  for (int i = 0; o->method && i < method_count; i++) {
    if (strcmp(methods[i].name, o->method) == 0) method = methods[i].bit;
  }
  if (!method) return; // there is none of that name, which is reported elsewhere
  if (o->minimize) generations |= of_auto;
  const FitOption options[] = {
      {"--method", o->only_before && o->method, of_all, false},
      {"--population", o->population, of_all & ~of_lm, false},
      {"--generations", o->generations, generations, false},
      {"--crossover", !isnan(o->crossover), of_ga | of_binary, false},
      {"--mutation", !isnan(o->mutation), of_ga | of_binary, false},
      {"--exponent", !isnan(o->exponent), of_ga, false},
      {"--printed", o->printed, of_ga, false},
      {"--selection", o->selection, of_ga | of_binary, false},
      {"--mean-square", o->mean_square, of_ga | of_binary, true},
      {"--loss", o->loss, of_all, true},
      {"--no-profiles", o->no_profiles, of_all, true},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) refuse_option(o, method, &options[i], diags);
  bool by_order = o->selection && (!strcmp(o->selection, "ranking") || !strcmp(o->selection, "tournament"));
  if (o->mean_square && by_order && !diags->errors) {
    diag_error(diags, diag_bad_setting, (Span){0},
               "`--mean-square` would change nothing: `%s` asks only who is better, not by how much", o->selection);
    diag_hint(diags, "it is of roulette, universal and remainder");
  }
}

void fit_settings_read(const viva_fit_options *o, Diags *diags, FitSettings *out) {
  read_search(o, diags, &out->search);
  out->loss = loss_kind(o->loss, diags);
  refuse_idle(o, diags);
  if (o->run.rtol > 1e-3)
    diag_error(diags, diag_bad_setting, (Span){0},
               "the relative tolerance of a fit is at most 1e-3: less exact runs have derivatives that lead nowhere");
}
