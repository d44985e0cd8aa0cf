// See waist.h.
#include "tests/waist/waist.h"

#include <unistd.h>

static void fail_with(const Waist *w, const char *what) {
  for (uint32_t i = 0; i < w->diags.list.count; i++) print_error("%s\n", w->diags.list.items[i].message);
  fail_msg("%s", what);
}

static void put_param(Waist *w, const WaistParam *p) {
  System *s = &w->s;
  SystemParam x = {
      .symbol = pool_symbol(s->pool, p->name, sym_param, s->params.count, 0), .name = p->name, .unit = &unit_unsaid};
  x.value = expr_num(s->pool, rat_parse(w->arena, p->value, strlen(p->value)));
  assert_true(x.value && vec_push(w->arena, &s->params, x));
}

Waist *waist_new(const WaistParam *params) {
  Arena *arena = arena_new();
  Waist *w = arena_new_of(arena, Waist);
  assert_non_null(w);
  w->arena = arena;
  w->sources.arena = w->diags.arena = arena;
  assert_true(pool_init(&w->pool, arena));
  w->s = (System){.arena = arena, .pool = &w->pool, .sources = &w->sources, .diags = &w->diags};
  w->s.time = pool_symbol(&w->pool, "t", sym_time, 0, 0);
  for (; params->name; params++) put_param(w, params);
  if (!form_build(&w->s) || w->diags.errors) fail_with(w, "no system");
  return w;
}

void waist_free(Waist *w) { arena_free(w->arena); }

RunSettings waist_settings(const char *method, double to) {
  RunSettings s = run_defaults();
  s.method = method;
  s.to = to;
  return s;
}

RunResult waist_run(Waist *w, const RunSettings *settings, const Sink *sink) {
  static const Sink nobody = {0};
  RunResult r = run_model(w->arena, &w->s, settings, sink ? sink : &nobody, &w->diags);
  if (r.status != run_done) fail_with(w, r.message ? r.message : "no motion");
  return r;
}

double waist_final(const RunResult *r, const char *name) {
  for (uint32_t i = 0; i < r->final.count; i++) {
    if (strcmp(r->final.names[i], name) == 0) return r->final.values[i];
  }
  fail_msg("no column %s", name);
  return NAN;
}

Linearization *waist_linearize(Waist *w) {
  Operating *o = arena_new_of(w->arena, Operating);
  Linearization *l = arena_new_of(w->arena, Linearization);
  System *own = arena_new_of(w->arena, System);
  ExprPool *pool = arena_new_of(w->arena, ExprPool);
  const char *message = NULL;
  Span place = {0};
  assert_true(o && l && own && pool && system_clone(own, &w->s, pool, w->arena));
  if (!operating_open(o, own, &(PointRequest){0}, &w->diags) || w->diags.errors) fail_with(w, "no point");
  LinearizeSettings settings = {.at = at_point, .exact = true, .numbers = true};
  if (linearize(o, &settings, l, &message, &place) != linearize_done) fail_with(w, message ? message : "not linear");
  return l;
}

static void put_file(const char *folder, const char *name, const Text *text, const char *more) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text ? text_str(text) : more, f);
  assert_int_equal(fclose(f), 0);
}

void waist_export(Waist *w, const char *compiler, const char *main_text, char *out, size_t size) {
  Export e;
  ExportText texts = {text_in(w->arena), text_in(w->arena), text_in(w->arena), text_in(w->arena)};
  assert_null(export_refuses(w->arena, &w->s));
  if (!export_model(w->arena, &w->s, &e)) fail_with(w, e.failure ? e.failure : "no export");
  assert_true(show_export_c(&e, "waist", false, "0", &texts));
  char folder[] = "/tmp/viva-waist-XXXXXX", command[1024];
  assert_non_null(mkdtemp(folder));
  put_file(folder, "waist.c", &texts.source, NULL);
  put_file(folder, "waist.h", &texts.header, NULL);
  put_file(folder, "own.c", NULL, main_text);
  snprintf(command, sizeof command, "cd %s && %s -o own own.c waist.c -lm && ./own", folder, compiler);
  FILE *f = popen(command, "r");
  assert_non_null(f);
  size_t got = fread(out, 1, size - 1, f);
  out[got] = 0;
  assert_int_equal(pclose(f), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}
