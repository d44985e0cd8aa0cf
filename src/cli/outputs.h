// What a command reads and what it writes. Both are known from its options (read_options) and from the model
// (take_model); an output that is an input, or two outputs that are one file, end the command before anything is
// written. Outputs are opened by these functions alone. Those that return an int: -1 to go on, else the exit status
// after a message: 2 for a name that cannot be meant, 1 for a file that cannot be written.
#ifndef VIVA_CLI_OUTPUTS_H
#define VIVA_CLI_OUTPUTS_H

#include "viva/viva.h"

void note_input(const char *path, const char *what);    // "the model itself"
void note_option(const char *path, const char *option); // what an option reads
void note_model(const viva_model *model);               // its file, its parts', its tables; take_model does it
bool is_stdout(const char *path);                       // by whatever name; NULL: no
// An output of the command; path and option are kept. check_outputs: it is nothing that is read, and no other output.
int note_output(const char *option, const char *path);
int check_outputs(void);

int open_output(const char *option, const char *path, viva_file **file);
int save_output(viva_file **file, const char *path, const char *data, size_t length);
void discard_output(viva_file **file);                                                   // of NULL nothing
int write_output(const char *option, const char *path, const char *data, size_t length); // all at once
int tell_file(const char *path); // says which file was written; the exit status

int open_table(const char *option, const char *path, viva_csv **csv);
// Renames the table to its path, or removes it when the run gave nothing: *kept says which.
int save_table(viva_csv **csv, const char *path, viva_status status, bool *kept);
void discard_table(viva_csv **csv);

#endif
