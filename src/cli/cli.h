// The command. It uses the public API alone.
#ifndef VIVA_CLI_CLI_H
#define VIVA_CLI_CLI_H

#include "viva/viva.h"

#include <stdbool.h>
#include <stddef.h>

enum { exit_done = 0, exit_failed = 1, exit_input = 2 };

// One option of a verb. Its value goes where the kind says.
typedef enum OptionKind {
  option_flag,
  option_text,
  option_number,
  option_list,
  option_digits,
  option_later
} OptionKind;

typedef struct TextList {
  const char **items;
  size_t count;
} TextList;

typedef struct Option {
  const char *name; // --set
  OptionKind kind;
  const char *value; // how the help calls its value
  const char *help;
  void *into;          // bool *, const char **, double *, TextList *, uint32_t *
  const char *choices; // the words that its value may be, blanks between them; NULL: anything
} Option;

static const char run_methods[] = "auto dopri5 dop853 rodas bdf rk4 bs3 heun euler";

typedef struct Verb {
  const char *name;
  const char *usage;
  const char *about;
  int (*main)(int argc, char **argv); // argv[0] is the verb
  int files;                          // that it takes
  const char *words;                  // that may follow it, blanks between them; NULL: none
} Verb;

extern const Verb verb_derive, verb_run, verb_check, verb_diff, verb_animate, verb_report, verb_export, verb_cache,
    verb_linearize, verb_import, verb_diagram, verb_completion;
int export_dot(int argc, char **argv); // argv[0] is `dot`

// Reads the options and the files of a verb into file[0] ... Returns -1 to go on, else the exit status (help was shown,
// or an error).
int read_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv, const char **file);
void free_list(TextList *list);

bool is_confined(void); // `--confine`, which every verb with files has

// Loads a model and shows its diagnostics. -1: go on.
int load_model(const char *file, const viva_load_options *options, viva_model **model);

// The same in two steps, for those who load a model more than once: standard input can be read once only.
typedef struct ModelText {
  const char *file;
  char *text; // of standard input; NULL: read the file
  size_t length;
} ModelText;
int read_model(const char *file, ModelText *text); // -1: go on
int load_text(const ModelText *text, const viva_load_options *options, bool warnings, viva_model **model);
void free_text(ModelText *text);

// From here on an interrupt is noted (signals.c). Libraries of matrices are told to use one thread.
void listen_for_interrupts(void);
bool was_interrupted(void *self);

// Runs a model and shows its message; interrupts end the run and keep what is there, long runs show their progress on a
// terminal.
viva_status run_watched(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                        viva_run **run);
// Fills what a run needs to be watched and stopped; for calls that run inside. `watch` lives as long as the run.
typedef struct RunWatch {
  bool terminal, shown;
  long long start; // nanoseconds
  double last;
} RunWatch;
void watch_run(RunWatch *watch, viva_run_options *options);
void watch_end(const RunWatch *watch);

// What is read is noted, and never written to; outputs go through these alone. Those that return an int: -1 to go on,
// else the exit status after a message.
void note_input(const char *path, const char *what);    // "the saved state that this run goes on from"
void note_model(const viva_model *model);               // its file, its parts', its tables; load_text does it
bool is_stdout(const char *path);                       // by whatever name; NULL: no
int check_output(const char *option, const char *path); // it is nothing that is read, and no other output
int open_output(const char *option, const char *path, viva_file **file);
int save_output(viva_file **file, const char *path, const char *data, size_t length);
void discard_output(viva_file **file);                                                   // of NULL nothing
int write_output(const char *option, const char *path, const char *data, size_t length); // all at once
int open_table(const char *path, viva_csv **csv);
// Puts the table in its place, or away when the run gave nothing: *kept says which.
int save_table(viva_csv **csv, const char *path, viva_status status, bool *kept);
void discard_table(viva_csv **csv);

// Ctrl-C and SIGTERM. Outside of listening they end the program at once.
void catch_signals(void);
void listen_signals(bool on);
void guard_table(viva_csv *csv); // open ones, for the end by a signal
void unguard_table(const viva_csv *csv);
void guard_file(viva_file *file);
void unguard_file(const viva_file *file);

// One of some names; *out is its place. -1: go on.
int choose(const char *option, const char *value, const char *const *names, size_t count, const char *const *later,
           size_t later_count, int *out);

// message.c: everything that is said on standard error. With --json what was said is also kept, and message_end prints
// it as JSON unless the verb has printed its own (json_printed).
void message_begin(int argc, char **argv);
void show_message(const char *text); // of the library: whole lines
void show_diagnostic(const viva_diagnostic *diagnostic);
void complain(const char *format, ...) __attribute__((format(printf, 1, 2))); // viva: error: ...
void hint(const char *format, ...) __attribute__((format(printf, 1, 2)));     // to what was said last
void json_printed(void);
int message_end(int status); // the exit status

// completion.c: the words that may stand at the last of argv
static const char complete_word[] = "--complete-words";
int complete_options(const Verb *verb, const Option *options, size_t count, int argc, char **argv);
void complete_words(const char *words, const char *start);

const char *nearest(const char *word, const char *const *known, size_t count);

// A picture that will be written. These return -1 to go on, else the exit status after a message.
typedef struct PictureFile {
  const char *path;
  viva_picture kind;
  viva_file *file;
} PictureFile;
// path NULL: no picture. kinds: the endings that are possible here, closed by NULL.
int open_picture(const char *path, const char *option, const char *const *kinds, PictureFile *picture);
int save_picture(PictureFile *picture, viva_figure *figure);
void discard_picture(PictureFile *picture);
int tell_file(const char *path);                                  // says which file was written; the exit status
int figure_failed(const viva_figure *figure, viva_status status); // shows why; the exit status
// Runs all members of a family; `first` is its first one. options->figure, if any, gets their curves; `drawing` is how
// each member's own figure is made.
int run_family(const ModelText *text, const viva_model *first, viva_load_options load, const viva_run_options *options,
               const char *out, bool json, const viva_figure_options *drawing);
int read_theme(const char *theme, viva_figure_options *options); // NULL: light
void note_family(const viva_model *model);                       // shown is the first member
int refuse_family(const viva_model *model, const char *what);    // a picture shows one motion
void use_terminal(viva_figure_options *options, bool plain);     // width and colours of the terminal

int finish_output(void); // flushes standard output; the exit status

#endif
