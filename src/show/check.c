// Verdicts about equations and models as text and as JSON.
//
// in    a CheckReport (algebra/check_result.h)
// out   for each result the verdict, then what it is, where it holds, why not, the difference and a counterexample;
//       a point of many names breaks over lines of some 92 columns
#include "show/check.h"

#include "expr/print.h"
#include "show/json.h"

#include <string.h>

// name = value, several a line
static void point_text(const Witness *w, Text *out) {
  size_t column = 0;
  for (uint32_t i = 0; i < w->point.count; i++) {
    const WitnessValue *v = &w->point.items[i];
    size_t length = strlen(v->name) + strlen(v->value) + 5;
    if (i) text_put(out, column + length > 92 ? ",\n             " : ", ");
    if (i == 0 || column + length > 92) column = 0;
    text_printf(out, "%s = %s", v->name, v->value);
    column += length;
  }
  text_putc(out, '\n');
}

static void result_text(System *s, const CheckResult *r, Text *out) {
  text_printf(out, "%s: %s\n", verdict_name(r->verdict), r->text);
  if (r->verdict == verdict_equal) {
    if (r->means) text_printf(out, "  it is      %s\n", r->means);
    if (r->condition) text_printf(out, "  holds      %s\n", r->condition);
    return;
  }
  if (r->means) text_printf(out, "  compared   with %s\n", r->means);
  if (r->reason) text_printf(out, "  because    %s\n", r->reason);
  if (r->difference)
    text_printf(out, "  differs    by %s  (%s%s)\n", expr_text(s->pool, s->arena, r->difference),
                r->yours ? "yours - " : "", r->difference_of);
  if (!r->witness.left) return;
  if (r->witness.point.count) {
    text_put(out, "  witness    ");
    point_text(&r->witness, out);
  }
  text_printf(out, "  there      left = %s, right = %s\n", r->witness.left, r->witness.right);
}

void show_check_text(System *s, const CheckReport *report, Text *out) {
  for (uint32_t i = 0; i < report->results.count; i++) result_text(s, &report->results.items[i], out);
}

void show_diff_text(System *s, const CheckReport *report, const char *first, const char *second, Text *out) {
  uint32_t equal = 0;
  for (uint32_t i = 0; i < report->results.count; i++) equal += report->results.items[i].verdict == verdict_equal;
  static const char *const verdicts[] = {"mean the same motion", "do not mean the same motion",
                                         "may or may not mean the same motion"};
  text_printf(out, "%s and %s %s\n", first, second, verdicts[report->verdict]);
  if (equal) text_printf(out, "%u equation%s proved equal\n", equal, equal == 1 ? "" : "s");
  for (uint32_t i = 0; i < report->results.count; i++) {
    const CheckResult *r = &report->results.items[i];
    if (r->verdict != verdict_equal || r->condition) result_text(s, r, out);
  }
}

static void witness_json(Json *j, const Witness *w) {
  if (!w || !w->left) {
    json_null(j, "witness");
    return;
  }
  json_open(j, "witness", '{');
  json_bool(j, "exact", w->exact);
  json_open(j, "point", '{');
  for (uint32_t i = 0; i < w->point.count; i++) json_string(j, w->point.items[i].name, w->point.items[i].value);
  json_close(j, '}');
  json_string(j, "left", w->left);
  json_string(j, "right", w->right);
  json_close(j, '}');
}

static void result_json(System *s, Json *j, const CheckResult *r) {
  json_open(j, NULL, '{');
  json_string(j, "equation", r->text);
  json_string(j, "verdict", verdict_name(r->verdict));
  json_string(j, "means", r->means);
  json_string(j, "condition", r->condition);
  json_string(j, "reason", r->reason);
  json_string(j, "difference", r->difference ? expr_text(s->pool, s->arena, r->difference) : NULL);
  witness_json(j, &r->witness);
  json_close(j, '}');
}

void show_check_json(System *s, const CheckReport *report, Text *out) {
  Json json = {.out = out}, *j = &json;
  json_open(j, NULL, '{');
  json_string(j, "verdict", verdict_name(report->verdict));
  // the first one there is
  const Witness *first = NULL;
  for (uint32_t i = 0; i < report->results.count && !first; i++)
    first = report->results.items[i].witness.left ? &report->results.items[i].witness : NULL;
  witness_json(j, first);
  json_open(j, "equations", '[');
  for (uint32_t i = 0; i < report->results.count; i++) result_json(s, j, &report->results.items[i]);
  json_close(j, ']');
  json_close(j, '}');
  text_putc(out, '\n');
}
