// Samples over several MPI processes: messages, and the order of the results.
//
//   H head         a process is ready; it has this model, these settings, this version
//   W from end     samples to run
//   R from records what became of some of them, in their order
//   S              no more
//   F text         it takes no part (any more)
//
// A record is a sample's end: status, measures, message, and its rows where trajectories are asked for. The values of a
// sample follow from its number. Parts in work lie in a row; only the first of them is written, the others wait.
#define _POSIX_C_SOURCE 200809L
#include "api/sweep_ranks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { least_part = 8, most_part = 8192, parts_a_rank = 16, ahead = 2 };
// Rows of trajectories that one part may have, in bytes.
static const double most_part_bytes = 16e6;
static const double pause = 0.05, patience = 1; // seconds: a look at messages; what was done is sent at least so often

typedef struct Bytes {
  char *at;
  size_t length, room;
} Bytes;

// Samples that somebody has in work.
typedef struct RankPart {
  uint64_t from, end, next; // the next one to be written
  int owner;
  Bytes records;
  size_t read;
  struct RankPart *behind;
} RankPart;

struct SweepRanks {
  viva_sweep *x;
  const Ranks *r;
  uint64_t part, dealt; // samples of a part; dealt out up to here
  RankPart *first, *last, *own;
  int parts;
  int *busy; // by rank: parts that it has; -1: it did not say that it is ready; -2: it has gone
  double *values;
  double looked;
  bool stopped, interrupted, broken, began;
  // of those who do not lead
  uint64_t work[8][2]; // what they are to do
  int waiting;
  uint64_t in_work, end;
  Bytes out;
  double sent;
  // a record in the making
  Bytes rows;
  uint32_t row_count;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- bytes

static bool put(Bytes *b, const void *bytes, size_t count) {
  if (b->length + count > b->room) {
    size_t room = 2 * (b->length + count) + 256;
    char *at = realloc(b->at, room);
    if (!at) return false;
    b->at = at;
    b->room = room;
  }
  if (count) memcpy(b->at + b->length, bytes, count);
  b->length += count;
  return true;
}

typedef struct Record {
  uint64_t sample;
  uint32_t status, row_count, message; // bytes of the message, with its end; 0: none
  uint32_t measured;
} Record;

static bool put_record(SweepRanks *s, Bytes *b, uint64_t i, const EnsembleEnd *end) {
  uint32_t count = s->x->job.set.items.count;
  Record r = {.sample = i,
              .status = (uint32_t)end->status,
              .row_count = s->row_count,
              .message = end->message ? (uint32_t)strlen(end->message) + 1 : 0,
              .measured = end->measures != NULL};
  bool ok = put(b, &r, sizeof r) && (!r.measured || put(b, end->measures, count * sizeof(double))) &&
            put(b, s->rows.at, s->rows.length) && put(b, end->message, r.message);
  s->rows.length = 0;
  s->row_count = 0;
  return ok;
}

bool sweep_ranks_row(SweepRanks *s, double t, const double *columns) {
  s->row_count++;
  return put(&s->rows, &t, sizeof t) && put(&s->rows, columns, s->x->program->columns.shown * sizeof *columns);
}

// ---- the table

static double *aligned(SweepRanks *s, const char *from, uint32_t count, double *room) {
  (void)s;
  memcpy(room, from, count * sizeof *room);
  return room;
}

// The next record of a part; false: the sweep cannot go on.
static bool take_record(SweepRanks *s, RankPart *p) {
  viva_sweep *x = s->x;
  Record r;
  uint32_t count = x->job.set.items.count, shown = x->program->columns.shown;
  memcpy(&r, p->records.at + p->read, sizeof r);
  const char *at = p->records.at + p->read + sizeof r;
  EnsembleEnd end = {.status = (RunStatus)r.status};
  if (r.measured) {
    end.measures = aligned(s, at, count, s->values + x->design.grid_count + x->design.random_count);
    at += count * sizeof(double);
  }
  double *row = s->values + x->design.grid_count + x->design.random_count + count;
  for (uint32_t k = 0; k < r.row_count; k++) {
    aligned(s, at, shown + 1, row);
    if (!sweep_take_row(x, r.sample, row[0], row + 1)) return false;
    at += (shown + 1) * sizeof(double);
  }
  if (r.message) end.message = at;
  p->read = (size_t)(at - p->records.at) + r.message;
  p->next = r.sample + 1;
  design_sample(&x->design, r.sample, s->values);
  return sweep_take_end(x, r.sample, s->values, &end);
}

// What can be written is. False: the sweep cannot go on.
static bool flush(SweepRanks *s) {
  while (s->first) {
    RankPart *p = s->first;
    while (p->read < p->records.length) {
      if (!take_record(s, p)) return false;
    }
    p->read = p->records.length = 0;
    if (p->next < p->end) return true;
    s->first = p->behind;
    if (!s->first) s->last = NULL;
    if (s->busy[p->owner] > 0) s->busy[p->owner]--;
    s->parts--;
    free(p->records.at);
    free(p);
  }
  return true;
}

// ---- the one that leads

static RankPart *deal(SweepRanks *s, int owner) {
  if (s->dealt >= s->x->count || s->parts >= 4 * s->r->count + 4) return NULL;
  RankPart *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  uint64_t left = s->x->count - s->dealt;
  p->from = p->next = s->dealt;
  p->end = s->dealt += left < s->part ? left : s->part;
  p->owner = owner;
  if (s->last) s->last->behind = p;
  else s->first = p;
  s->last = p;
  s->parts++;
  s->busy[owner]++;
  return p;
}

static void deal_all(SweepRanks *s) {
  for (int k = 0; k < ahead; k++) {
    for (int r = 1; r < s->r->count; r++) {
      if (s->busy[r] != k) continue;
      const RankPart *p = deal(s, r);
      if (!p) return;
      char message[1 + 2 * sizeof(uint64_t)] = "W";
      memcpy(message + 1, &p->from, sizeof p->from);
      memcpy(message + 1 + sizeof p->from, &p->end, sizeof p->end);
      if (!s->r->send(s->r, r, message, sizeof message)) s->broken = true;
    }
  }
}

static bool hear_results(SweepRanks *s, const char *bytes, size_t length) {
  uint64_t from;
  memcpy(&from, bytes + 1, sizeof from);
  for (RankPart *p = s->first; p; p = p->behind) {
    if (p->from == from) return put(&p->records, bytes + 1 + sizeof from, length - 1 - sizeof from);
  }
  return true;
}

static const char *own_head(const viva_sweep *x) {
  return arena_printf(x->arena, "%s\n%s\n%s\n%s\n%s", x->head[0], x->head[1], x->head[2], x->head[3], x->head[4]);
}

static void fail(SweepRanks *s, const char *trouble, const char *hint) {
  viva_sweep *x = s->x;
  if (!x->trouble) {
    x->failure = VIVA_EFAIL;
    x->trouble = trouble;
    x->hint = hint;
  }
  s->stopped = true;
}

static void hear_ready(SweepRanks *s, int from, const char *bytes) {
  const char *own = own_head(s->x);
  s->busy[from] = 0;
  if (own && strcmp(own, bytes + 1) == 0) return;
  s->busy[from] = -2;
  fail(s, arena_printf(s->x->arena, "process %d has another model, other settings or another version", from),
       "all machines need the same program and the same files");
}

static void hear_gone(SweepRanks *s, int from, const char *bytes) {
  bool works = s->busy[from] > 0;
  s->busy[from] = -2;
  if (works)
    fail(s, arena_printf(s->x->arena, "process %d ended: %s", from, bytes + 1),
         s->x->o.path ? "what is finished stands in the table: `--resume` goes on" : NULL);
}

// One message, if there is one. False: none.
static bool hear(SweepRanks *s, double seconds) {
  int from;
  char *bytes;
  size_t length;
  bool broken;
  if (!s->r->receive(s->r, seconds, &from, &bytes, &length, &broken)) {
    s->broken = s->broken || broken;
    return false;
  }
  switch (bytes[0]) {
  case 'H': hear_ready(s, from, bytes); break;
  case 'R': s->broken = !hear_results(s, bytes, length) || s->broken; break;
  case 'F': hear_gone(s, from, bytes); break;
  case 'S': s->stopped = true; break;
  default: // W
    if (s->waiting < 8) memcpy(s->work[s->waiting++], bytes + 1, 2 * sizeof(uint64_t));
  }
  free(bytes);
  return true;
}

// All messages that are there, and what follows from them. False: the sweep ends.
static bool look(SweepRanks *s, double seconds) {
  while (hear(s, seconds)) seconds = 0;
  s->looked = now();
  if (s->broken) fail(s, "messages between the processes do not arrive any more", "`--resume` goes on with the table");
  if (s->stopped || s->r->rank > 0) return !s->stopped;
  if (!flush(s)) return false;
  deal_all(s);
  return !s->stopped;
}

static bool asked_to_stop(SweepRanks *s) {
  const viva_run_options *o = &s->x->o.run;
  if (o->interrupted && o->interrupted(o->self)) s->interrupted = true;
  return s->interrupted;
}

static bool lead_next(SweepRanks *s, uint64_t *from, uint64_t *end) {
  double wait = 0;
  s->own = NULL;
  while (look(s, wait) && !asked_to_stop(s)) {
    if (!s->first && s->dealt >= s->x->count) return false;
    s->own = deal(s, 0);
    if (s->own) {
      *from = s->own->from;
      *end = s->own->end;
      return true;
    }
    wait = pause;
  }
  return false;
}

static bool lead_take(SweepRanks *s, uint64_t i, const EnsembleEnd *end) {
  if (!put_record(s, &s->own->records, i, end)) return false;
  return now() - s->looked < pause ? flush(s) : look(s, 0);
}

// ---- the others

static bool send_out(SweepRanks *s) {
  bool ok = s->out.length <= 1 + sizeof(uint64_t) || s->r->send(s->r, 0, s->out.at, s->out.length);
  s->out.length = 0;
  s->sent = now();
  return ok && put(&s->out, "R", 1) && put(&s->out, &s->in_work, sizeof s->in_work);
}

static bool follow_next(SweepRanks *s, uint64_t *from, uint64_t *end) {
  while (!s->waiting) {
    if (!look(s, pause) || asked_to_stop(s)) return false;
  }
  *from = s->in_work = s->work[0][0];
  *end = s->end = s->work[0][1];
  memmove(s->work[0], s->work[1], sizeof s->work - sizeof s->work[0]);
  s->waiting--;
  s->out.length = 0;
  return send_out(s);
}

static bool follow_take(SweepRanks *s, uint64_t i, const EnsembleEnd *end) {
  double at = now();
  if (!put_record(s, &s->out, i, end)) return false;
  if ((i + 1 == s->end || at - s->sent > patience || s->out.length > (4u << 20)) && !send_out(s)) return false;
  return at - s->looked < pause || look(s, 0);
}

// ---- the whole

bool sweep_ranks_leads(const SweepRanks *s) { return s->r->rank == 0; }

bool sweep_ranks_interrupted(const SweepRanks *s) { return s->interrupted; }

SweepRanks *sweep_ranks_new(viva_sweep *x, const Ranks *ranks) {
  SweepRanks *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  *s = (SweepRanks){.x = x, .r = ranks, .busy = malloc((size_t)ranks->count * sizeof *s->busy)};
  if (s->busy) {
    for (int i = 0; i < ranks->count; i++) s->busy[i] = i ? -1 : 0;
    return s;
  }
  free(s);
  return NULL;
}

void sweep_ranks_begin(SweepRanks *s) {
  viva_sweep *x = s->x;
  const SimProgram *p = x->program;
  size_t width = (size_t)x->design.grid_count + x->design.random_count + x->job.set.items.count + p->columns.shown + 2;
  s->values = arena_array(x->arena, width, sizeof *s->values);
  s->dealt = x->complete ? x->count : x->rows;
  uint64_t part = (x->count - s->dealt) / ((uint64_t)s->r->count * parts_a_rank);
  double rows = x->o.rows.row || x->o.fan ? 8.0 * (double)ode_row_count(&p->settled.ode) * (p->columns.shown + 1) : 1;
  if (part > most_part) part = most_part;
  if ((double)part * rows > most_part_bytes) part = (uint64_t)(most_part_bytes / rows);
  s->part = part > least_part ? part : least_part;
  const char *head = own_head(x);
  s->began = s->values && head;
  if (s->r->rank == 0 || !s->began) return;
  Text t = text_in(x->arena);
  text_putc(&t, 'H');
  text_put(&t, head);
  s->r->send(s->r, 0, text_str(&t), t.length + 1);
}

bool sweep_ranks_next(SweepRanks *s, uint64_t *from, uint64_t *end) {
  if (!s->began || s->stopped) return false;
  return s->r->rank == 0 ? lead_next(s, from, end) : follow_next(s, from, end);
}

bool sweep_ranks_take(SweepRanks *s, uint64_t i, const EnsembleEnd *end) {
  return s->r->rank == 0 ? lead_take(s, i, end) : follow_take(s, i, end);
}

void sweep_ranks_end(SweepRanks *s, int *absent) {
  *absent = 0;
  if (s->r->rank > 0) {
    if (!s->stopped) s->r->send(s->r, 0, "Finterrupted, or out of memory", 31);
    while (!s->stopped && !s->broken) hear(s, pause);
    return;
  }
  for (int r = 1; r < s->r->count; r++) s->r->send(s->r, r, "S", 2);
  for (bool all = false; !all && !s->broken;) { // who is still reading the model answers when it has
    all = true;
    for (int r = 1; r < s->r->count; r++) all = all && s->busy[r] != -1;
    if (!all) hear(s, pause);
  }
  for (int r = 1; r < s->r->count; r++) *absent += s->busy[r] == -2;
}

void sweep_ranks_free(SweepRanks *s) {
  if (!s) return;
  for (RankPart *p = s->first, *behind; p; p = behind) {
    behind = p->behind;
    free(p->records.at);
    free(p);
  }
  free(s->out.at);
  free(s->rows.at);
  free(s->busy);
  free(s);
}
