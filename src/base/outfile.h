// A file that appears whole or not at all.
//
// What is written goes to NAME.RANDOM.part in the folder of the path: a name nobody can guess, newly created and
// through no link, so no other file can be hit by it. outfile_commit gives it the name of the path in one moment
// (atomic rename), so that two programs that write one path leave the whole file of one of them.
//
// A link keeps standing: what it leads to is replaced. An existing file keeps its mode, and one that may not be written
// is refused. A pipe or a device is written directly; so are standard output ("-", /dev/stdout, or the file that it is
// led to) and other open descriptors (/dev/stderr, /dev/fd/N).
#ifndef VIVA_BASE_OUTFILE_H
#define VIVA_BASE_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

// The open descriptor that a path means; -1: none. A file that a standard stream is led to is one of them: given a new
// file under its name, the stream would go on into the old one, which nobody can find any more.
int outfile_descriptor(const char *path);
// The path behind the symbolic links of its last name, also where that file is not there yet; size: room in target,
// PATH_MAX or more. False: it is too long, or the links have no end.
bool outfile_resolve(const char *path, char *target, size_t size);
// Are two paths one file? By device and number, so that links, hard links and other spellings are seen; a file that is
// not there yet by its folder and its name. Pipes and devices are never one, an open descriptor is with itself.
bool outfile_same(const char *a, const char *b);

typedef struct OutFile OutFile;
OutFile *outfile_open(const char *path, int *error); // errno in *error
bool outfile_write(OutFile *out, const char *data, size_t length);
// After a whole row: hands what is buffered to the system about twice a second, so that a run that is killed leaves its
// rows.
bool outfile_end_row(OutFile *out);
int outfile_finish(OutFile *out);   // it appears: 0 or errno; on failure nothing is left
void outfile_discard(OutFile *out); // frees, and leaves nothing of what was not finished; NULL is fine
int outfile_commit(OutFile *out);   // both

// From a handler of signals, of a thread that is anywhere, also inside one of the calls above; the program must end
// after it.
void outfile_rescue(OutFile *out);  // whole rows so far become the file
void outfile_abandon(OutFile *out); // nothing is left

#endif
