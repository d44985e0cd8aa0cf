// Files read whole, and questions about paths.
#ifndef VIVA_BASE_FILE_H
#define VIVA_BASE_FILE_H

#include "base/arena.h"

// Reads a whole file into the arena; of pipes and devices only descriptors that are open already (/dev/stdin,
// /dev/fd/3). On failure returns NULL and *why says why in words (borrowed, static).
char *file_read(Arena *arena, const char *path, size_t most, size_t *length, const char **why);
// The same without those: files that a text names.
char *file_read_ordinary(Arena *arena, const char *path, size_t most, size_t *length, const char **why);
// The same from a descriptor, which stays open.
char *file_read_open(Arena *arena, int fd, size_t most, size_t *length, const char **why);
// The same for a path that must lead to an ordinary file in the folder or below it, through whatever links.
char *file_read_below(Arena *arena, const char *folder, const char *path, size_t most, size_t *length,
                      const char **why);

// The first bytes of such files, at most `most`: a table's head may have gigabytes behind it.
char *file_head_ordinary(Arena *arena, const char *path, size_t most, size_t *length, const char **why);
char *file_head_below(Arena *arena, const char *folder, const char *path, size_t most, size_t *length,
                      const char **why);

// An ordinary file read piece by piece. open: false and *why, as above.
typedef struct FileStream {
  int fd;
  bool failed; // a piece could not be read
} FileStream;
bool file_stream_open(FileStream *s, const char *path, const char **why);
size_t file_stream_read(FileStream *s, char *into, size_t most); // 0: its end, or it failed
void file_stream_close(FileStream *s);

bool file_write_all(int fd, const char *data, size_t length);

// Do two paths lead to one file?
bool file_same(const char *a, const char *b);

bool file_is_ordinary(const char *path); // it is there, and no folder, pipe or device

int file_make_folder(const char *path); // 0, also when it is there already; else errno

#endif
