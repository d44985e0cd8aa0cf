// Words for people on standard error: in colour on a terminal, and once more as JSON where a program asked for it.
//
// in    messages of the library (file:line:column: error: ..., the line, a caret, a hint), and the command's own
// out   standard error; with --json and wrong input, one object on standard output:
//       {"status": "error", "messages": [{"severity", "code", "file", "line", "column", "message", "hint"}, ...]}
// why   a program that reads JSON must find JSON also when the input was wrong. Words for people
//       stay on standard error.
#define _POSIX_C_SOURCE 200809L
#include "cli/message.h"

#include "cli/verb.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// JSON of one message, without its last brace: a hint may follow.
static struct {
  bool wanted, printed, terminal, open;
  char *text;
  size_t length;
} json;

static void keep(const char *text, size_t n) {
  char *more = realloc(json.text, json.length + n + 1);
  if (!more) return;
  json.text = more;
  memcpy(json.text + json.length, text, n);
  json.length += n;
  json.text[json.length] = '\0';
}

static void keep_word(const char *text) { keep(text, strlen(text)); }

// The length of the UTF-8 character at s; 0: what stands there is none.
static size_t character(const unsigned char *s) {
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
             : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
             : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                           : 0;
  for (size_t i = 1; i < n; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
  }
  bool surrogate = n == 3 && s[0] == 0xED && s[1] >= 0xA0,
       overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
  return surrogate || (n > 2 && overlong) || (s[0] == 0xF4 && s[1] >= 0x90) ? 0 : n;
}

// "name": "text", with what JSON does not take escaped or replaced.
static void keep_text(const char *name, const char *text, size_t length) {
  keep_word(", \"");
  keep_word(name);
  keep_word("\": \"");
  for (size_t i = 0; i < length;) {
    const unsigned char *s = (const unsigned char *)text + i;
    size_t n = character(s);
    char escape[8];
    if (n == 0) keep_word("\\ufffd");
    else if (*s == '"' || *s == '\\') snprintf(escape, sizeof escape, "\\%c", *s), keep_word(escape);
    else if (*s == '\n') keep_word("\\n");
    else if (*s < 0x20 || *s == 0x7F) snprintf(escape, sizeof escape, "\\u%04x", *s), keep_word(escape);
    else keep(text + i, n);
    i += n ? n : 1;
  }
  keep_word("\"");
}

static void open_json(const char *severity) {
  keep_word(json.open ? "}, {\"severity\": \"" : "{\"severity\": \"");
  keep_word(severity);
  keep_word("\"");
  json.open = true;
}

// ---- colours

static const char *const red = "\033[1;31m", *const yellow = "\033[1;33m", *const cyan = "\033[36m",
                         *const green = "\033[1;32m", *const off = "\033[0m";

static bool only_carets(const char *line, size_t n) {
  size_t marks = 0;
  for (size_t i = 0; i < n; i++) {
    if (line[i] == '^' || line[i] == '~') marks++;
    else if (line[i] != ' ') return false;
  }
  return marks > 0;
}

static const char *find_in(const char *line, size_t n, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= n; i++) {
    if (memcmp(line + i, word, length) == 0) return line + i;
  }
  return NULL;
}

static void paint_line(const char *line, size_t n) {
  static const struct {
    const char *word;
    const char *const *colour;
  } words[] = {{"error: ", &red}, {"warning: ", &yellow}, {"note: ", &cyan}, {"hint: ", &cyan}};
  if (only_carets(line, n)) {
    fprintf(stderr, "%s%.*s%s", green, (int)n, line, off);
    return;
  }
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    const char *at = find_in(line, n, words[k].word);
    bool starts = at && (at == line || at[-1] == ' ') && (at - line < 3 || at[-2] == ':');
    if (!starts) continue;
    int head = (int)(at - line), rest = (int)(n - (size_t)head - strlen(words[k].word));
    fprintf(stderr, "%.*s%s%s%s%.*s", head, line, *words[k].colour, words[k].word, off, rest,
            at + strlen(words[k].word));
    return;
  }
  fwrite(line, 1, n, stderr);
}

static void paint(const char *text) {
  if (!json.terminal) {
    fputs(text, stderr);
    return;
  }
  while (*text) {
    size_t n = strcspn(text, "\n");
    paint_line(text, n);
    text += n;
    if (*text) fputc(*text++, stderr);
  }
}

// ---- the interface

void message_begin(int argc, char **argv) {
  const char *term = getenv("TERM");
  json.terminal = isatty(STDERR_FILENO) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    bool format = i + 1 < argc && strcmp(argv[i], "--format") == 0 && strcmp(argv[i + 1], "json") == 0;
    if (format || strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "--format=json") == 0) json.wanted = true;
  }
}

void show_message(const char *text) {
  size_t n = strlen(text);
  while (n && text[n - 1] == '\n') n--;
  open_json(find_in(text, n, "error: ") ? "error" : find_in(text, n, "warning: ") ? "warning" : "note");
  keep_text("message", text, n);
  paint(text);
}

void show_diagnostic(const viva_diagnostic *d) {
  char place[64];
  open_json(d->warning ? "warning" : "error");
  keep_text("code", d->code, strlen(d->code));
  if (d->file) {
    keep_text("file", d->file, strlen(d->file));
    snprintf(place, sizeof place, ", \"line\": %u, \"column\": %u", d->line, d->column);
    keep_word(place);
  }
  keep_text("message", d->message, strlen(d->message));
  if (d->hint) keep_text("hint", d->hint, strlen(d->hint));
  paint(d->text);
}

static char *print_all(const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  char *text = n < 0 ? NULL : malloc((size_t)n + 1);
  if (text) vsnprintf(text, (size_t)n + 1, format, again);
  va_end(again);
  // what comes from outside may hold what a terminal obeys
  char *shown = text ? viva_text_shown(text) : NULL;
  free(text);
  return shown;
}

void complain(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = print_all(format, args);
  va_end(args);
  open_json("error");
  keep_text("message", text ? text : format, strlen(text ? text : format));
  paint("viva: error: ");
  fprintf(stderr, "%s\n", text ? text : format);
  free(text);
}

void hint(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = print_all(format, args);
  va_end(args);
  if (text) keep_text("hint", text, strlen(text));
  paint("  hint: ");
  fprintf(stderr, "%s\n", text ? text : format);
  free(text);
}

void json_printed(void) { json.printed = true; }

int message_end(int status) {
  if (json.wanted && !json.printed && status != exit_done) {
    printf("{\"status\": \"error\", \"messages\": [%s%s]}\n", json.text ? json.text : "", json.open ? "}" : "");
    fflush(stdout);
  }
  free(json.text);
  return status;
}

int finish_output(void) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return exit_done;
  if (errno == EPIPE) return exit_failed; // the reader has what it wanted, as in `viva derive ... | head`
  complain("standard output cannot be written: %s", strerror(errno));
  return exit_failed;
}
