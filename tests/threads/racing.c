// The broken twin of batches.c: two threads share a number without a lock, and nothing goes wrong. ThreadSanitizer must
// say so.
#include <pthread.h>
#include <stddef.h>

static void *count(void *self) {
  int *shared = self;
  for (int i = 0; i < 1000; i++) ++*shared;
  return NULL;
}

int main(void) {
  int shared = 0;
  pthread_t first, second;
  if (pthread_create(&first, NULL, count, &shared)) return 1;
  if (pthread_create(&second, NULL, count, &shared)) return 1;
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
