// Ctrl-C and SIGTERM. Outside of listening they end the program at once.
#ifndef VIVA_CLI_SIGNALS_H
#define VIVA_CLI_SIGNALS_H

#include "viva/viva.h"

void catch_signals(void);
void listen_signals(bool on);
bool was_interrupted(void *self);
void tell_with_interrupt(const char *text); // also where a signal ends the program at once; "" to begin with

void guard_table(viva_csv *csv); // open ones, for the end by a signal
void unguard_table(const viva_csv *csv);
void guard_file(viva_file *file);
void unguard_file(const viva_file *file);

#endif
