// Messages between ranks by MPI. A module: only it calls MPI, and it is built where MPI was found.
//
// Sending does not wait: messages are kept until MPI has taken them. One thread at a time calls any of this.
#define _POSIX_C_SOURCE 200809L
#include "base/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Sent {
  MPI_Request request;
  char *bytes;
  struct Sent *next;
} Sent;

// What was sent and is not taken yet; of this process, as MPI itself is.
static Sent *sent;

static void sweep_sent(void) {
  for (Sent **at = &sent; *at;) {
    Sent *s = *at;
    int done = 0;
    if (MPI_Test(&s->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done) {
      at = &s->next;
      continue;
    }
    *at = s->next;
    free(s->bytes);
    free(s);
  }
}

static bool send_bytes(const Ranks *ranks, int to, const void *bytes, size_t length) {
  (void)ranks;
  Sent *s = malloc(sizeof *s);
  char *copy = malloc(length + 1);
  sweep_sent();
  if (!s || !copy || length > 0x7fffffff) {
    free(s);
    free(copy);
    return false;
  }
  memcpy(copy, bytes, length);
  *s = (Sent){.bytes = copy, .next = sent};
  if (MPI_Isend(copy, (int)length, MPI_BYTE, to, 0, MPI_COMM_WORLD, &s->request) != MPI_SUCCESS) {
    free(s);
    free(copy);
    return false;
  }
  sent = s;
  return true;
}

static bool receive(const Ranks *ranks, double seconds, int *from, char **bytes, size_t *length, bool *broken) {
  (void)ranks;
  MPI_Status status;
  int there = 0, count = 0;
  double until = MPI_Wtime() + seconds;
  *broken = false;
  while (true) {
    *broken = MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS;
    sweep_sent();
    if (*broken) return false;
    if (there) break;
    if (MPI_Wtime() >= until) return false;
    nanosleep(&(struct timespec){0, 200000}, NULL);
  }
  MPI_Get_count(&status, MPI_BYTE, &count);
  *bytes = malloc((size_t)count + 1);
  *broken = !*bytes || MPI_Recv(*bytes, count, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status) != MPI_SUCCESS;
  if (*broken) {
    free(*bytes);
    return false;
  }
  (*bytes)[count] = 0;
  *length = (size_t)count;
  *from = status.MPI_SOURCE;
  return true;
}

static void leave(const Ranks *ranks) {
  (void)ranks;
  while (sent) {
    Sent *s = sent;
    MPI_Wait(&s->request, MPI_STATUS_IGNORE);
    sent = s->next;
    free(s->bytes);
    free(s);
  }
  MPI_Finalize();
}

static int count_local(void) {
  MPI_Comm local;
  int count = 1;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local) != MPI_SUCCESS) return 1;
  MPI_Comm_size(local, &count);
  MPI_Comm_free(&local);
  return count;
}

const Ranks *viva_ranks_entry(void);

__attribute__((visibility("default"))) const Ranks *viva_ranks_entry(void) {
  static Ranks ranks;
  int given, begun = 0;
  if (ranks.count) return &ranks;
  MPI_Initialized(&begun);
  if (!begun && MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  ranks = (Ranks){.version = ranks_version, .send = send_bytes, .receive = receive, .leave = leave};
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  ranks.local = count_local();
  return &ranks;
}
