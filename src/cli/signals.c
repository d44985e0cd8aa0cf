// Ctrl-C and SIGTERM: one of them ends any command within a second, with what is due kept.
//
// Where a simulation runs, the signal asks for an end: the run stops, its rows become the table. Where nobody can be
// asked, and where an end takes too long, the handler itself ends the program: whole rows become the table, files that
// were half made are removed, and the program dies by the signal. Signals within 0.2 s are one: timeout(1) sends two.
#define _XOPEN_SOURCE 700
#include "cli/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { most_guarded = 8 };

static const long long one_signal = 200000000, patience_us = 700000; // ns; us, so that all is done within a second

static volatile sig_atomic_t asked;      // to stop; the signal
static volatile sig_atomic_t listening;  // somebody looks at `asked`
static volatile long long first;         // when, ns; the handlers' alone
static const char *volatile remedy = ""; // behind the message
static viva_csv *volatile tables[most_guarded];
static viva_file *volatile files[most_guarded];

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Only calls that are safe in a handler.
static void end_now(int number) {
  static const char text[] = "viva: error: interrupted";
  const char *more = remedy;
  for (int i = 0; i < most_guarded; i++) {
    viva_csv_rescue(tables[i]);
    viva_file_abandon(files[i]);
  }
  ssize_t told = write(STDERR_FILENO, text, sizeof text - 1);
  told += write(STDERR_FILENO, more, strlen(more)) + write(STDERR_FILENO, "\n", 1);
  (void)told;
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void on_signal(int number) {
  long long now = now_ns();
  if (asked && now - first < one_signal) return;
  if (asked || !listening) end_now(number);
  asked = number;
  first = now;
  // a plain system call, safe here
  setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, patience_us}}, NULL);
}

static void on_alarm(int number) {
  (void)number;
  if (asked) end_now(asked);
}

void catch_signals(void) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = on_signal}, alarm_action = {.sa_handler = on_alarm}, before;
  for (size_t i = 0; i < 3; i++) {
    sigaddset(&action.sa_mask, ends[i]);
    sigaddset(&alarm_action.sa_mask, ends[i]);
  }
  sigaddset(&action.sa_mask, SIGALRM);
  for (size_t i = 0; i < 3; i++) {
    // nohup means it
    if (ends[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(ends[i], &action, NULL);
  }
  sigaction(SIGALRM, &alarm_action, NULL);
  signal(SIGPIPE, SIG_IGN); // a closed output is noticed when it is written
  signal(SIGXFSZ, SIG_IGN); // so is one that may not grow any more
}

void listen_signals(bool on) { listening = on; }
void tell_with_interrupt(const char *text) { remedy = text; }

bool was_interrupted(void *self) {
  (void)self;
  return asked != 0;
}

// ---- what is open

void guard_table(viva_csv *csv) {
  for (int i = 0; i < most_guarded; i++) {
    if (tables[i]) continue;
    tables[i] = csv;
    return;
  }
}

void unguard_table(const viva_csv *csv) {
  for (int i = 0; i < most_guarded; i++) {
    if (csv && tables[i] == csv) tables[i] = NULL;
  }
}

void guard_file(viva_file *file) {
  for (int i = 0; i < most_guarded; i++) {
    if (files[i]) continue;
    files[i] = file;
    return;
  }
}

void unguard_file(const viva_file *file) {
  for (int i = 0; i < most_guarded; i++) {
    if (file && files[i] == file) files[i] = NULL;
  }
}
