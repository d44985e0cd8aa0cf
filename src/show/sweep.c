// The summary of a sweep: how many samples of what, statistics of the measures, which samples pass, indices.
#include "show/sweep.h"

#include "show/json.h"

#include <math.h>
#include <string.h>

static const char *const draws[] = {"random", "latin", "sobol"};

void show_sweep_design(const SweepSummary *s, Text *out) {
  const Design *d = s->design;
  text_printf(out, "%llu", (unsigned long long)s->count);
  for (uint32_t i = 0; !d && i < s->name_count; i++) text_printf(out, "%s%s", i ? ", " : ": ", s->names[i]);
  if (!d) {
    text_put(out, s->open ? " (the table has no end: it is unfinished)" : "");
    return;
  }
  for (uint32_t i = 0; i < d->grid_count; i++)
    text_printf(out, "%s%s %llu", i ? " x " : ": ", s->names[i], (unsigned long long)d->grids[i].count);
  if (d->random_count) {
    text_put(out, d->grid_count ? " x " : ": ");
    text_printf(out, "%llu draw%s of", (unsigned long long)d->draw_count, d->draw_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < d->random_count; i++) text_printf(out, "%s %s", i ? "," : "", s->names[d->grid_count + i]);
    text_printf(out, " (%s, seed %llu)", draws[d->draws], (unsigned long long)d->seed);
    if (d->radial) text_printf(out, ", %u times for indices", 2 + d->random_count);
  }
}

static void put_numbers(const SweepSummary *s, Text *out) {
  text_put(out, "\n");
  size_t width = 7;
  for (uint32_t i = 0; i < s->measure_count; i++) {
    size_t w = utf8_columns(s->measures[i], strlen(s->measures[i]));
    width = w > width ? w : width;
  }
  text_put(out, "  measure");
  text_pad(out, ' ', width - 7);
  text_printf(out, "  %12s %12s %12s %12s %12s %12s %12s\n", "mean", "sd", "min", "5 %", "50 %", "95 %", "max");
  for (uint32_t i = 0; i < s->measure_count; i++) {
    const char *name = s->measures[i];
    const TallyStatistics *m = &s->statistics[i];
    text_printf(out, "  %s", name);
    text_pad(out, ' ', width - utf8_columns(name, strlen(name)) + 2);
    if (!m->count) {
      text_put(out, "no values\n");
      continue;
    }
    text_printf(out, "%12.6g ", m->mean);
    if (m->count > 1) text_printf(out, "%12.6g", m->sd);
    else text_printf(out, "%12s", "-"); // of one value there is none
    text_printf(out, " %12.6g %12.6g %12.6g %12.6g %12.6g\n", m->min, m->low, m->median, m->high, m->max);
  }
}

static void put_indices(const SweepSummary *s, Text *out) {
  for (uint32_t m = 0; s->indices && m < s->measure_count; m++) {
    text_printf(out, "\n  Sobol's indices of %s, with 95 %% of their distribution\n", s->measures[m]);
    for (uint32_t k = 0; k < s->indices_of; k++) {
      const SobolIndex *x = &s->indices[m * s->indices_of + k];
      text_printf(out, "    %-12s alone %7.4f (%.4f .. %.4f)   with others %7.4f (%.4f .. %.4f)\n",
                  s->names[s->design->grid_count + k], x->first, x->first_low, x->first_high, x->total, x->total_low,
                  x->total_high);
    }
  }
}

static void put_list(Text *out, const char *words, const uint64_t *list, uint64_t count) {
  if (!count) return;
  text_printf(out, "  %s", words);
  for (uint64_t i = 0; i < count && i < tally_listed; i++)
    text_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)list[i]);
  text_put(out, count > tally_listed ? ", ...\n" : "\n");
}

void show_sweep_text(const SweepSummary *s, Text *out) {
  const Tally *t = s->tally;
  text_put(out, "  samples      ");
  show_sweep_design(s, out);
  text_putc(out, '\n');
  if (s->result) {
    text_printf(out, "  method       %s", s->result->settled.method);
    if (s->result->threads) text_printf(out, ", %u thread%s", s->result->threads, s->result->threads == 1 ? "" : "s");
    if (s->ranks > 1) text_printf(out, " in each of %d processes", s->ranks);
    text_putc(out, '\n');
  }
  if (s->absent) text_printf(out, "  absent       %d of the processes took no part\n", s->absent);
  if (s->rows < s->count)
    text_printf(out, "  done         %llu of %llu%s\n", (unsigned long long)s->rows, (unsigned long long)s->count,
                s->kept ? ": `--resume` goes on" : "");
  if (t->failed) text_printf(out, "  failed       %llu\n", (unsigned long long)t->failed);
  put_list(out, "             samples ", t->failures, t->failed);
  if (t->failed && s->failure) text_printf(out, "               the first: %s\n", s->failure);
  if (t->wheres)
    text_printf(out, "  where        %llu of %llu pass (%.4g %%)\n", (unsigned long long)t->passed,
                (unsigned long long)t->done, t->done ? 100 * (double)t->passed / (double)t->done : 0);
  put_list(out, "             samples ", t->listed, t->passed);
  for (uint32_t i = 0; i < s->measure_count; i++) {
    uint64_t without = t->done - t->failed - s->statistics[i].count;
    if (without)
      text_printf(out, "  no value     %s in %llu of %llu samples\n", s->measures[i], (unsigned long long)without,
                  (unsigned long long)(t->done - t->failed));
  }
  if (t->cut) text_put(out, "  quantiles    not kept: there are too many samples\n");
  if (s->measure_count) put_numbers(s, out);
  put_indices(s, out);
}

static void json_list(Json *j, const char *key, const uint64_t *list, uint64_t count) {
  json_open(j, key, '[');
  for (uint64_t i = 0; i < count && i < tally_listed; i++) json_count(j, NULL, list[i]);
  json_close(j, ']');
}

static void json_measures(const SweepSummary *s, Json *j) {
  json_open(j, "measures", '{');
  for (uint32_t i = 0; i < s->measure_count; i++) {
    const TallyStatistics *m = &s->statistics[i];
    json_open(j, s->measures[i], '{');
    json_count(j, "count", m->count);
    json_number(j, "mean", m->mean);
    json_number(j, "sd", m->sd);
    json_number(j, "min", m->min);
    json_number(j, "5%", m->low);
    json_number(j, "50%", m->median);
    json_number(j, "95%", m->high);
    json_number(j, "max", m->max);
    for (uint32_t k = 0; s->indices && k < s->indices_of; k++) {
      const SobolIndex *x = &s->indices[i * s->indices_of + k];
      if (k == 0) json_open(j, "indices", '{');
      json_open(j, s->names[s->design->grid_count + k], '{');
      json_number(j, "first", x->first);
      json_open(j, "first_interval", '[');
      json_number(j, NULL, x->first_low);
      json_number(j, NULL, x->first_high);
      json_close(j, ']');
      json_number(j, "total", x->total);
      json_open(j, "total_interval", '[');
      json_number(j, NULL, x->total_low);
      json_number(j, NULL, x->total_high);
      json_close(j, ']');
      json_close(j, '}');
      if (k + 1 == s->indices_of) json_close(j, '}');
    }
    json_close(j, '}');
  }
  json_close(j, '}');
}

void show_sweep_json(const SweepSummary *s, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_count(j, "samples", s->count);
  json_count(j, "done", s->rows);
  json_count(j, "failed", s->tally->failed);
  json_list(j, "failed_samples", s->tally->failures, s->tally->failed);
  json_string(j, "failure", s->tally->failed ? s->failure : NULL);
  if (s->tally->wheres) {
    json_count(j, "passed", s->tally->passed);
    json_list(j, "passed_samples", s->tally->listed, s->tally->passed);
  }
  if (s->result) json_string(j, "method", s->result->settled.method);
  if (s->design) json_string(j, "sampling", s->design->random_count ? draws[s->design->draws] : NULL);
  if (s->design) json_count(j, "seed", s->design->seed);
  if (s->result) json_count(j, "threads", s->result->threads);
  if (s->result) json_count(j, "processes", (uint64_t)s->ranks);
  json_measures(s, j);
  json_close(j, '}');
  text_putc(out, '\n');
}
