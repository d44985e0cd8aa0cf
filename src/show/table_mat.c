// Tables as MATLAB's files of level 5: a column vector for each column, and `columns`, their names as written.
//
// in    all rows
// out   a head of 128 bytes, then an element (type miMATRIX) a variable, numbers with the least byte first
// how   A variable needs a name of letters, digits and underscores: th1' is th1_dot, P.x is P_x, th[3] is th_3, θ is
//       theta, what is longer than 63 is cut, a word of MATLAB's own ends in _. A name that would be there twice gets a
//       number, but never one that is written so in the model. An element has at most 2^32 - 1 bytes.
#include "base/text.h"
#include "show/table_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { name_most = 63 };
enum { mi_int8 = 1, mi_int32 = 5, mi_uint32 = 6, mi_double = 9, mi_matrix = 14, mi_utf16 = 17 };
enum { mx_char = 4, mx_double = 6 };

typedef char MatName[name_most + 1];

static bool put_bytes(OutFile *file, uint64_t value, size_t bytes) {
  char out[8];
  for (size_t i = 0; i < bytes; i++) out[i] = (char)(value >> 8 * i & 0xFF);
  return outfile_write(file, out, bytes);
}

static bool put_tag(OutFile *file, uint32_t type, size_t bytes) {
  return put_bytes(file, type, 4) && put_bytes(file, bytes, 4);
}

static bool put_double(OutFile *file, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return put_bytes(file, bits, 8);
}

static size_t padded(size_t bytes) { return (bytes + 7) / 8 * 8; }
static bool put_padding(OutFile *file, size_t bytes) { return put_bytes(file, 0, padded(bytes) - bytes); }

// The head of a variable of rows * columns, whose data of `bytes` bytes follow.
static bool put_head(OutFile *file, const char *name, uint32_t class, size_t rows, size_t columns, size_t bytes) {
  size_t length = strlen(name), all = 16 + 16 + 8 + padded(length) + 8 + padded(bytes);
  if (all > UINT32_MAX || rows > INT32_MAX) {
    errno = EFBIG;
    return false;
  }
  return put_tag(file, mi_matrix, all) && put_tag(file, mi_uint32, 8) && put_bytes(file, class, 4) &&
         put_bytes(file, 0, 4) && put_tag(file, mi_int32, 8) && put_bytes(file, rows, 4) &&
         put_bytes(file, columns, 4) && put_tag(file, mi_int8, length) && outfile_write(file, name, length) &&
         put_padding(file, length);
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The letters from alpha to omega; small ones stand at U+03B1, capital ones at U+0391.
static const char *const greek[] = {
    "alpha", "beta",    "gamma", "delta", "epsilon", "zeta",  "eta", "theta",   "iota", "kappa", "lambda", "mu",   "nu",
    "xi",    "omicron", "pi",    "rho",   "sigma",   "sigma", "tau", "upsilon", "phi",  "chi",   "psi",    "omega"};
enum {
  greek_count = sizeof greek / sizeof *greek,
  alpha_small = 0x3B1,
  alpha_capital = 0x391,
  theta_sign = 0x3D1,
  phi_sign = 0x3D5
};

// The name of a letter; *capital: it begins with a capital one. NULL: it is none of these.
static const char *greek_name(uint32_t code, bool *capital) {
  *capital = code >= alpha_capital && code < alpha_capital + greek_count;
  if (code == theta_sign) return "theta";
  if (code == phi_sign) return "phi";
  if (*capital) return greek[code - alpha_capital];
  return code >= alpha_small && code < alpha_small + greek_count ? greek[code - alpha_small] : NULL;
}

static bool is_keyword(const char *name) {
  static const char *const words[] = {
      "break",  "case", "catch",     "classdef", "continue",   "do",     "else", "elseif", "end", "for",   "function",
      "global", "if",   "otherwise", "parfor",   "persistent", "return", "spmd", "switch", "try", "until", "while"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(words[i], name) == 0) return true;
  }
  return false;
}

// A name that MATLAB takes.
static void plain_name(const char *written, MatName out) {
  size_t n = 0, left = strlen(written), size = 0;
  for (const char *s = written; left && n < name_most; s += size, left -= size) {
    uint32_t code = 0;
    bool capital;
    size = utf8_decode(s, left, &code);
    const char *word = size ? greek_name(code, &capital) : NULL;
    if (!size) size = 1;
    if (*s == '\'' || word) {
      if (!word && n > 1 && out[n - 1] == '_') n--;
      if (!word) word = "_dot", capital = false;
      if (n + strlen(word) > name_most) continue;
      n += (size_t)snprintf(out + n, sizeof(MatName) - n, "%s", word);
      if (capital) out[n - strlen(word)] = (char)(*word - 'a' + 'A');
    } else if (is_letter(*s) || (n && *s >= '0' && *s <= '9')) {
      out[n++] = *s;
    } else if (n && out[n - 1] != '_' && left > size) {
      out[n++] = '_';
    }
  }
  while (n > 1 && out[n - 1] == '_') n--;
  if (!n) out[n++] = 'v';
  out[n] = '\0';
  if (is_keyword(out)) out[n++] = '_', out[n] = '\0';
}

static bool is_taken(MatName *names, size_t count, const char *name) {
  if (strcmp(name, "columns") == 0) return true;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(names[i], name) == 0) return true;
  }
  return false;
}

// Names that are plain already stay as they are; of the others, which take what is left, some get a number.
static void name_columns(const TableRows *kept, MatName *names) {
  for (size_t i = 0; i < kept->columns; i++) {
    MatName plain;
    plain_name(kept->names[i], plain);
    bool free = strcmp(plain, kept->names[i]) == 0 && !is_taken(names, kept->columns, plain);
    if (free) memcpy(names[i], plain, sizeof plain);
  }
  for (size_t i = 0; i < kept->columns; i++) {
    MatName plain, numbered;
    if (*names[i]) continue;
    plain_name(kept->names[i], plain);
    memcpy(numbered, plain, sizeof plain);
    for (unsigned k = 2; is_taken(names, kept->columns, numbered); k++)
      snprintf(numbered, sizeof numbered, "%.*s_%u", name_most - 12, plain, k);
    memcpy(names[i], numbered, sizeof numbered);
  }
}

// The names as written, a row of letters each: UTF-16, column by column, filled up with blanks.
static bool put_columns(OutFile *file, const TableRows *kept) {
  size_t width = 0;
  for (size_t i = 0; i < kept->columns; i++) {
    size_t n = utf8_columns(kept->names[i], strlen(kept->names[i]));
    width = n > width ? n : width;
  }
  size_t bytes = 2 * kept->columns * width;
  if (!put_head(file, "columns", mx_char, kept->columns, width, bytes) || !put_tag(file, mi_utf16, bytes)) return false;
  for (size_t c = 0; c < width; c++) {
    for (size_t i = 0; i < kept->columns; i++) {
      const char *s = kept->names[i];
      uint32_t code = ' ';
      size_t left = strlen(s), at = 0;
      for (size_t k = 0; k <= c; k++) {
        size_t n = left ? utf8_decode(s + at, left, &code) : 0;
        if (!n) {
          code = left ? '?' : ' ';
          n = left ? 1 : 0;
        }
        at += n;
        left -= n;
      }
      if (!put_bytes(file, code > 0xFFFF ? '?' : code, 2)) return false;
    }
  }
  return put_padding(file, bytes);
}

static bool put_all(OutFile *file, const TableRows *kept, MatName *names) {
  char head[116];
  memset(head, ' ', sizeof head);
  static const char words[] = "MATLAB 5.0 MAT-file, a table of Vis Viva";
  memcpy(head, words, sizeof words - 1);
  bool ok = outfile_write(file, head, sizeof head) && put_bytes(file, 0, 8) && put_bytes(file, 0x0100, 2) &&
            outfile_write(file, "IM", 2);
  for (size_t c = 0; ok && c < kept->columns; c++) {
    size_t bytes = 8 * kept->rows;
    ok = put_head(file, names[c], mx_double, kept->rows, 1, bytes) && put_tag(file, mi_double, bytes);
    for (size_t r = 0; ok && r < kept->rows; r++) ok = put_double(file, kept->values[r * kept->columns + c]);
  }
  return ok && put_columns(file, kept);
}

static bool end(OutFile *file, const TableRows *kept) {
  MatName *names = calloc(kept->columns + 1, sizeof *names);
  if (!names) return false;
  name_columns(kept, names);
  bool ok = put_all(file, kept, names);
  free(names);
  return ok;
}

const TableForm table_form_mat = {.ending = ".mat", .end = end};
