// Transfer functions in symbols: the exact linear model about a point, and of it every path from an input to an output.
#include "api/transfer.h"

#include "linear/freed.h"
#include "show/transfer.h"

static bool find_paths(Arena *arena, const Linearization *l, TransferPaths *paths) {
  ExprPool *pool = l->o->s.pool;
  ExprId *b = arena_array(arena, (size_t)l->n + 1, sizeof *b);
  if (!b) return false;
  for (uint32_t y = 0; y < l->p; y++) {
    for (uint32_t u = 0; u < l->m; u++) {
      TransferPath p = {.input = l->inputs[u], .output = l->outputs[y]};
      for (uint32_t i = 0; i < l->n; i++) b[i] = l->B.exact[(size_t)i * l->m + u];
      TransferIn in = {.n = l->n,
                       .A = l->A.exact,
                       .B = b,
                       .C = l->C.exact + (size_t)y * l->n,
                       .D = l->D.exact[(size_t)y * l->m + u]};
      if (!transfer_find(pool, arena, &in, &p.transfer)) return false;
      if (!vec_push(arena, paths, p)) return false;
    }
  }
  return true;
}

// A message instead of equations.
static viva_status refuse(Text *out, const char *words, viva_status status) {
  text_put(out, words);
  return status;
}

viva_status transfer_derive(Arena *arena, const viva_model *model, const viva_derive_options *o, Text *out) {
  Linearization *l = arena_new_of(arena, Linearization);
  Operating *operating = arena_new_of(arena, Operating);
  if (!l || !operating) return VIVA_ENOMEM;
  if (o->format == VIVA_FORMAT_HTML || o->format == VIVA_FORMAT_LATEX_DOCUMENT)
    return refuse(out, "transfer functions are written as text, latex, mathml or json", VIVA_EFAIL);
  if (freed_needed(&model->system))
    return refuse(out,
                  "a path with dead times or samples is no ratio of polynomials in symbols: `viva analyze` tells it in "
                  "numbers",
                  VIVA_EFAIL);
  static const char no_input[] = "the model has no input: a transfer function leads from one";
  if (!model->system.inputs.count) return refuse(out, no_input, VIVA_EFAIL);
  LinearizeJob job = {.model = &model->model,
                      .system = &model->system,
                      .at = o->at,
                      .at_count = o->at ? o->at_count : 0,
                      .settings = {.at = o->at ? at_point : at_equilibrium, .exact = true, .numbers = true},
                      .operating = operating,
                      .out = l};
  LinearizeStatus status = pipeline_linearize(arena, &job);
  if (status == linearize_no_memory) return VIVA_ENOMEM;
  const Diags *diags = &job.scope.model.diags;
  if (diags->errors || status == linearize_refused) {
    Diag failure = {.span = job.place, .message = job.message, .hint = l->hint};
    const char *words = messages_text(arena, &job.scope.model.sources, diags, &failure);
    return refuse(out, words ? words : "", VIVA_EINPUT);
  }
  if (status != linearize_done) return refuse(out, job.message ? job.message : "it was interrupted", VIVA_EFAIL);
  if (!l->m || !l->p) return refuse(out, l->m ? "the model has no output" : no_input, VIVA_EFAIL);
  if (!l->A.exact)
    return refuse(out, l->exact_note ? l->exact_note : "the linear model is not known in symbols", VIVA_EFAIL);
  TransferPaths paths = {0};
  if (!find_paths(arena, l, &paths)) return VIVA_ENOMEM;
  show_transfer(l, &paths, (ShowFormat)o->format, out);
  return arena_failed(arena) ? VIVA_ENOMEM : VIVA_OK;
}
