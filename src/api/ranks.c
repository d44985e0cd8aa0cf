// MPI processes (ranks) that mpirun started, from the outside.
#define _XOPEN_SOURCE 700
#include "api/ranks.h"

#include "api/handles.h"

#include <unistd.h>

struct viva_ranks {
  Arena *arena;
  const Ranks *ranks; // NULL: message says why
  const char *message;
  bool shared; // work was, or the others were notified that none will be
};

viva_status viva_ranks_join(viva_ranks **out) {
  if (!out) return VIVA_EUSAGE;
  *out = NULL;
  if (ranks_announced() == 1) return VIVA_OK;
  viva_ranks *x = handle_new(sizeof *x);
  const char *why, *hint;
  if (!x) return VIVA_ENOMEM;
  x->ranks = ranks_join(x->arena, &why, &hint);
  if (!x->ranks) {
    Diag trouble = {.message = why, .hint = hint};
    x->message = messages_text(x->arena, NULL, &(Diags){0}, &trouble);
  }
  *out = x;
  return x->ranks ? VIVA_OK : VIVA_EINPUT;
}

const char *viva_ranks_message(const viva_ranks *x) { return x ? x->message : NULL; }
int viva_ranks_own(const viva_ranks *x) { return !x ? 0 : x->ranks ? x->ranks->rank : ranks_own(); }
int viva_ranks_count(const viva_ranks *x) { return x && x->ranks ? x->ranks->count : 1; }

void viva_ranks_leave(viva_ranks *x) {
  if (!x) return;
  const Ranks *r = x->ranks;
  if (r && !x->shared) { // it takes no part: nobody shall wait for it
    for (int i = 0; i < r->count; i++) {
      if (i == r->rank || (i && r->rank)) continue;
      r->send(r, i, r->rank ? "Fit could not begin" : "S", r->rank ? 20 : 2);
    }
  }
  if (r) r->leave(r);
  handle_free(x);
}

const Ranks *ranks_take(viva_ranks *x) {
  if (!x || !x->ranks || x->ranks->count < 2) return NULL;
  x->shared = true;
  return x->ranks;
}

unsigned ranks_threads(const Ranks *r) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  long own = processors / (r->local > 0 ? r->local : 1);
  return own > 1 ? (unsigned)own : 1;
}
