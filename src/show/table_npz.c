// Tables as NumPy's archives: an array for each column, under the column's name as written.
//
// in    all rows
// out   a ZIP archive without compression, of files NAME.npy (format 1.0: a head, then little-endian doubles)
// how   Head and directory of an archive have sizes and check sums (CRC-32) of its files, so each file is gone through
//       twice. Sizes beyond 4 GB would need another form of archive (ZIP64): rejected.
#include "show/table_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { head_unit = 64, head_most = 128 };

typedef struct ZipEntry {
  uint32_t sum, size, at; // check sum, bytes, where its head stands
} ZipEntry;

// CRC-32 (ISO 3309), bit by bit through a table of 16.
static uint32_t crc_add(uint32_t sum, const unsigned char *data, size_t length) {
  uint32_t table[16];
  for (uint32_t i = 0; i < 16; i++) {
    table[i] = i;
    for (int k = 0; k < 4; k++) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320u : 0);
  }
  for (size_t i = 0; i < length; i++) {
    sum ^= data[i];
    sum = sum >> 4 ^ table[sum & 15];
    sum = sum >> 4 ^ table[sum & 15];
  }
  return sum;
}

static void to_bytes(uint64_t value, size_t bytes, unsigned char *out) {
  for (size_t i = 0; i < bytes; i++) out[i] = (unsigned char)(value >> 8 * i & 0xFF);
}

static bool put_bytes(OutFile *file, uint64_t value, size_t bytes) {
  unsigned char out[8];
  to_bytes(value, bytes, out);
  return outfile_write(file, (const char *)out, bytes);
}

static void double_bytes(const TableRows *kept, size_t row, size_t column, unsigned char out[8]) {
  uint64_t bits;
  memcpy(&bits, &kept->values[row * kept->columns + column], sizeof bits);
  to_bytes(bits, 8, out);
}

// The head of an array: padded with blanks to a multiple of 64, a newline at its end. Its length.
static size_t array_head(const TableRows *kept, unsigned char out[head_most]) {
  static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  memcpy(out, magic, sizeof magic);
  int n = snprintf((char *)out + 10, head_most - 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu,), }",
                   kept->rows);
  size_t used = 10 + (size_t)n, all = (used + 1 + head_unit - 1) / head_unit * head_unit;
  memset(out + used, ' ', all - used);
  out[all - 1] = '\n';
  to_bytes(all - 10, 2, out + 8);
  return all;
}

// What local head and directory say alike of a file.
static bool put_facts(OutFile *file, const ZipEntry *e, size_t name) {
  enum { version = 20, names_are_utf8 = 0x0800, first_day = 0x21 }; // 1 January 1980
  return put_bytes(file, version, 2) && put_bytes(file, names_are_utf8, 2) && put_bytes(file, 0, 2) &&
         put_bytes(file, 0, 2) && put_bytes(file, first_day, 2) && put_bytes(file, e->sum, 4) &&
         put_bytes(file, e->size, 4) && put_bytes(file, e->size, 4) && put_bytes(file, name, 2) &&
         put_bytes(file, 0, 2);
}

static bool put_name(OutFile *file, const char *name) {
  return outfile_write(file, name, strlen(name)) && outfile_write(file, ".npy", 4);
}

static bool put_array(OutFile *file, const TableRows *kept, size_t column, ZipEntry *e) {
  unsigned char head[head_most], bytes[8];
  size_t length = array_head(kept, head), name = strlen(kept->names[column]) + 4;
  e->size = (uint32_t)(length + 8 * kept->rows);
  e->sum = crc_add(UINT32_MAX, head, length);
  for (size_t r = 0; r < kept->rows; r++) {
    double_bytes(kept, r, column, bytes);
    e->sum = crc_add(e->sum, bytes, 8);
  }
  e->sum = ~e->sum;
  bool ok = put_bytes(file, 0x04034B50, 4) && put_facts(file, e, name) && put_name(file, kept->names[column]) &&
            outfile_write(file, (const char *)head, length);
  for (size_t r = 0; ok && r < kept->rows; r++) {
    double_bytes(kept, r, column, bytes);
    ok = outfile_write(file, (const char *)bytes, 8);
  }
  return ok;
}

static bool put_directory(OutFile *file, const TableRows *kept, const ZipEntry *entries, uint64_t at) {
  uint64_t size = 0;
  bool ok = true;
  for (size_t c = 0; ok && c < kept->columns; c++) {
    size_t name = strlen(kept->names[c]) + 4;
    ok = put_bytes(file, 0x02014B50, 4) && put_bytes(file, 20, 2) && put_facts(file, &entries[c], name) &&
         put_bytes(file, 0, 2) && put_bytes(file, 0, 2) && put_bytes(file, 0, 2) && put_bytes(file, 0, 4) &&
         put_bytes(file, entries[c].at, 4) && put_name(file, kept->names[c]);
    size += 46 + name;
  }
  return ok && put_bytes(file, 0x06054B50, 4) && put_bytes(file, 0, 4) && put_bytes(file, kept->columns, 2) &&
         put_bytes(file, kept->columns, 2) && put_bytes(file, size, 4) && put_bytes(file, at, 4) &&
         put_bytes(file, 0, 2);
}

static bool end(OutFile *file, const TableRows *kept) {
  uint64_t at = 0, whole = (uint64_t)kept->columns * (8 * (uint64_t)kept->rows + 512);
  for (size_t c = 0; c < kept->columns; c++) whole += 2 * strlen(kept->names[c]);
  if (whole > UINT32_MAX || kept->columns > UINT16_MAX) {
    errno = EFBIG;
    return false;
  }
  ZipEntry *entries = calloc(kept->columns + 1, sizeof *entries);
  bool ok = entries != NULL;
  for (size_t c = 0; ok && c < kept->columns; c++) {
    entries[c].at = (uint32_t)at;
    ok = put_array(file, kept, c, &entries[c]);
    at += 30 + strlen(kept->names[c]) + 4 + entries[c].size;
  }
  ok = ok && put_directory(file, kept, entries, at);
  free(entries);
  return ok;
}

const TableForm table_form_npz = {.ending = ".npz", .end = end};
