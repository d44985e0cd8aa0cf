// Everything that is said on standard error. With --json what was said is also kept, and message_end prints it as JSON
// unless the command has printed its own (json_printed).
#ifndef VIVA_CLI_MESSAGE_H
#define VIVA_CLI_MESSAGE_H

#include "viva/viva.h"

void message_begin(int argc, char **argv);
void show_message(const char *text); // of the library: whole lines
void show_diagnostic(const viva_diagnostic *diagnostic);
void complain(const char *format, ...) __attribute__((format(printf, 1, 2))); // viva: error: ...
void hint(const char *format, ...) __attribute__((format(printf, 1, 2)));     // to what was said last
void json_printed(void);
int message_end(int status); // the exit status

int finish_output(void); // flushes standard output; the exit status

#endif
