// Files read whole, and files that appear whole or not at all.
#ifndef VIVA_BASE_FILE_H
#define VIVA_BASE_FILE_H

#include "base/arena.h"

// Reads a whole file into the arena. On failure returns NULL and *why says why in words (borrowed, static).
char *file_read(Arena *arena, const char *path, size_t most, size_t *length, const char **why);

// Do two paths lead to one file?
bool file_same(const char *a, const char *b);

// A file written under path.part, and renamed to path by outfile_commit. A path that exists and is no ordinary file
// (a pipe, a device) is written directly; "-" is standard output.
typedef struct OutFile OutFile;
OutFile *outfile_open(const char *path, int *error); // errno in *error
bool outfile_write(OutFile *out, const char *data, size_t length);
// After a whole row: hands what is gathered to the system about twice a second, so that a run that is killed leaves its rows.
bool outfile_end_row(OutFile *out);
int outfile_commit(OutFile *out);  // frees; 0 or errno; on failure nothing is left
void outfile_discard(OutFile *out); // frees and removes the .part

int file_make_folder(const char *path); // 0, also when it is there already; else errno

#endif
