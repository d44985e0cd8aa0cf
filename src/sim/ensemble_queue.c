// Reorder buffer of an ensemble: results go to the sink in the order of the samples. A part of ensemble_inside.h.
//
// Workers take samples by their number. A finished one waits in a slot until all before it were taken; whoever finishes
// the first one that is missing hands over all that can be. At most `window` samples are between the first that was not
// taken and the next to begin: a worker that works one by one waits for a free slot. One in lanes must not, because it
// may hold the very sample that all wait for; it lets its lanes run empty and comes back.
#define _XOPEN_SOURCE 700
#include "sim/ensemble_inside.h"

#include <stdlib.h>
#include <string.h>

// Results that may wait: 64 MB, but enough for every lane of many threads, and no more samples than a table of 65536.
enum { most_waiting_bytes = 64 << 20, most_window = 65536, least_window = 4096 };

bool ensemble_asked_to_stop(void *queue) {
  EnsembleQueue *q = queue;
  const Ensemble *e = q->e;
  if (e->interrupted && e->interrupted(e->asker)) atomic_store(&q->stop, true);
  return atomic_load(&q->stop);
}

// Is a slot free for one more? With the lock.
static bool has_room(const EnsembleQueue *q) { return q->next < q->taken + q->window; }

static bool has_more(EnsembleQueue *q) { return q->next < q->e->count && !atomic_load(&q->stop); }

bool ensemble_wait(EnsembleQueue *q) {
  pthread_mutex_lock(&q->lock);
  while (has_more(q) && !has_room(q)) pthread_cond_wait(&q->moved, &q->lock);
  bool more = has_more(q);
  pthread_mutex_unlock(&q->lock);
  return more;
}

bool ensemble_next(EnsembleQueue *q, uint64_t *sample) {
  pthread_mutex_lock(&q->lock);
  bool ok = has_more(q) && has_room(q);
  if (ok) *sample = q->next++;
  pthread_mutex_unlock(&q->lock);
  return ok;
}

bool ensemble_put_row(EnsembleQueue *q, uint64_t sample, double t, const double *values) {
  EnsembleSlot *s = &q->slots[sample % q->window];
  uint32_t shown = q->p->columns.shown;
  size_t width = (size_t)shown + 1;
  if (s->row_count == s->row_room) {
    size_t room = s->row_room ? 2 * s->row_room : 64;
    double *rows = realloc(s->rows, room * width * sizeof *rows);
    if (!rows) return false;
    s->rows = rows;
    s->row_room = room;
  }
  double *row = s->rows + s->row_count++ * width;
  row[0] = t;
  memcpy(row + 1, values, shown * sizeof *row);
  return true;
}

// One sample to the sink. False: it wants no more.
static bool hand_over(EnsembleQueue *q, uint64_t sample) {
  const Ensemble *e = q->e;
  EnsembleSlot *s = &q->slots[sample % q->window];
  size_t width = (size_t)q->p->columns.shown + 1;
  bool ok = true;
  for (size_t i = 0; ok && i < s->row_count; i++)
    ok = e->row(e->self, sample, s->rows[i * width], s->rows + i * width + 1);
  ok = ok && e->take(e->self, sample, &s->end);
  free(s->rows);
  free(s->message);
  *s = (EnsembleSlot){.values = s->values, .measures = s->measures};
  return ok;
}

void ensemble_put_end(EnsembleQueue *q, uint64_t sample, const EnsembleEnd *end) {
  EnsembleSlot *s = &q->slots[sample % q->window];
  s->end = *end;
  if (end->values) {
    memcpy(s->values, end->values, q->p->columns.count * sizeof *s->values);
    s->end.values = s->values;
  }
  if (end->measures) {
    memcpy(s->measures, end->measures, q->p->measures->set->items.count * sizeof *s->measures);
    s->end.measures = s->measures;
  }
  s->message = end->message ? strdup(end->message) : NULL;
  s->end.message = s->message;
  pthread_mutex_lock(&q->lock);
  s->done = true;
  if (q->taking) { // another thread hands over, and sees this one when it gets there
    pthread_mutex_unlock(&q->lock);
    return;
  }
  q->taking = true;
  while (q->taken < q->e->count && q->slots[q->taken % q->window].done) {
    uint64_t first = q->taken;
    pthread_mutex_unlock(&q->lock);
    bool wanted = hand_over(q, first);
    if (!wanted) atomic_store(&q->stop, true);
    pthread_mutex_lock(&q->lock);
    q->taken++;
    pthread_cond_broadcast(&q->moved);
    if (!wanted) { // `taking` stays: what was finished behind this one is not handed over
      pthread_mutex_unlock(&q->lock);
      return;
    }
  }
  q->taking = false;
  pthread_mutex_unlock(&q->lock);
}

void ensemble_give_up(EnsembleQueue *q) {
  atomic_store(&q->no_memory, true);
  atomic_store(&q->stop, true);
  pthread_mutex_lock(&q->lock);
  pthread_cond_broadcast(&q->moved);
  pthread_mutex_unlock(&q->lock);
}

bool ensemble_open(EnsembleQueue *q, Arena *arena, const SimProgram *p, const Ensemble *e) {
  *q = (EnsembleQueue){.p = p, .e = e, .arena = arena, .ode = p->settled.ode};
  if (e->row) {
    q->ode.times = e->times;
    q->ode.time_count = e->time_count;
  }
  uint32_t measures = p->measures ? p->measures->set->items.count : 0;
  double rows = e->row ? (double)ode_row_count(&q->ode) * (p->columns.shown + 1) : 0,
         bytes = sizeof(EnsembleSlot) + 8 * (rows + p->columns.count + measures), window = most_waiting_bytes / bytes;
  q->window = window > most_window ? most_window : window < least_window && !e->row ? least_window : (uint64_t)window;
  if (q->window < 64) q->window = 64;
  if (q->window > e->count) q->window = e->count ? e->count : 1;
  q->slots = arena_array(arena, (size_t)q->window, sizeof *q->slots);
  size_t width = (size_t)p->columns.count + measures;
  double *values = arena_array(arena, (size_t)q->window * width + 1, sizeof *values);
  if (!q->slots || !values) return false;
  for (uint64_t i = 0; i < q->window; i++) {
    q->slots[i].values = values + i * width;
    q->slots[i].measures = q->slots[i].values + p->columns.count;
  }
  if (pthread_mutex_init(&q->lock, NULL) != 0) return false;
  if (pthread_cond_init(&q->moved, NULL) == 0) return true;
  pthread_mutex_destroy(&q->lock);
  return false;
}

void ensemble_close(EnsembleQueue *q) {
  for (uint64_t i = 0; i < q->window; i++) {
    free(q->slots[i].rows);
    free(q->slots[i].message);
  }
  pthread_cond_destroy(&q->moved);
  pthread_mutex_destroy(&q->lock);
}
