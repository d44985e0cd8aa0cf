/* Vis Viva: the dynamics of physical systems.
 *
 * A model is read from text, and then asked: for its equations, for its motion. A loaded model never changes, so
 * threads may share it. No function prints, exits or keeps global state.
 *
 * A call that cannot be meant is VIVA_EUSAGE, never a crash: a NULL where none may be, a number that no enum has, a
 * list with holes. A model with errors is VIVA_EINPUT in every call that asks it for something; its diagnostics say
 * why. In both cases what the call would give is NULL. Questions to a handle that is NULL have an answer, too: NULL, 0,
 * NAN, "".
 *
 *     viva_model *model;
 *     if (viva_model_load("pendulum.viva", NULL, &model) == VIVA_OK) {
 *       char *text;
 *       if (viva_derive(model, NULL, &text) == VIVA_OK) puts(text);
 *       viva_text_free(text);
 *     }
 *     viva_model_free(model);
 */
#ifndef VIVA_VIVA_H
#define VIVA_VIVA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VIVA_API __attribute__((visibility("default")))
#else
#define VIVA_API
#endif

#define VIVA_VERSION "0.1.0"
VIVA_API const char *viva_version(void); /* of the library; static */

/* What a call came to. Every call that can fail returns one. */
typedef enum viva_status {
  VIVA_OK = 0,
  VIVA_EFAIL = 1,       /* the computation failed; what was computed until then is kept */
  VIVA_EINPUT = 2,      /* the model or an option is wrong: see the diagnostics */
  VIVA_EUSAGE = 3,      /* the call itself is wrong: a NULL where none may be, a number that an enum does not have */
  VIVA_ENOMEM = 4,      /* memory is out */
  VIVA_EIO = 5,         /* a file cannot be written */
  VIVA_EINTERRUPTED = 6 /* the caller's `interrupted` said so; what was computed until then is kept */
} viva_status;
VIVA_API const char *viva_status_text(viva_status status); /* static */

/* ---- models ---- */

typedef struct viva_model viva_model;

typedef struct viva_load_options {
  const char *case_name;  /* a `case` of the file, or NULL */
  const char *const *set; /* "name=value": parameters and starting values */
  size_t set_count;
  const char *const *input; /* "u=EXPRESSION" */
  size_t input_count;
  size_t member;    /* of a family, counted from 0; see below */
  bool strict;      /* a clash of units is an error, not a warning */
  bool confined;    /* parts and tables must lie in the folder of the model or below it: for models of strangers */
  double stiffness; /* bars as springs of so many N/m instead of rigid ones; 0: rigid */
  bool at_rest;     /* for viva_equilibrium_find alone: of nodes, bars and springs no equations are made */
  const char *fit;  /* a `fit` line in the place of those of the file, with a path from where the program is; or NULL */
  const char *const
      *taps; /* names of `let`s and outputs that viva_analyze enters or cuts: inputs whose value is their expression */
  size_t tap_count;
} viva_load_options;
VIVA_API viva_load_options viva_load_defaults(void);

/* Reads a model. *model is owned by the caller, and is given also with VIVA_EINPUT, for its diagnostics (NULL only with
 * VIVA_ENOMEM and VIVA_EUSAGE). options may be NULL. Strings are copied. */
VIVA_API viva_status viva_model_load(const char *path, const viva_load_options *options, viva_model **model);
/* The same from memory; `name` stands for the path in messages and is where relative paths start. */
VIVA_API viva_status viva_model_parse(const char *name, const char *text, size_t length,
                                      const viva_load_options *options, viva_model **model);
VIVA_API void viva_model_free(viva_model *model); /* NULL is fine */
/* The files that it was read from: its own, those of its parts, tables. Borrowed; NULL: no such. */
VIVA_API size_t viva_model_file_count(const viva_model *model);
VIVA_API const char *viva_model_file(const viva_model *model, size_t index);
VIVA_API const char *viva_model_title(const viva_model *model); /* borrowed until the model is freed; NULL: none */

/* ---- files of other programs ----
 *
 * Loading recognises data files of SDSC (.DAT, .PRN), robots (URDF) and tables of joints (CSV) by their content and
 * reads them as models. These give the model's text; options NULL: defaults. *text and *message are owned by the
 * caller; free them with viva_text_free. *message says what is wrong or assumed, with its place; NULL: nothing. It may
 * be given with VIVA_OK, too. VIVA_EINPUT: *text is NULL. */
typedef struct viva_import_options {
  int limits; /* not 0: limits of the joints of a robot become stops */
} viva_import_options;
VIVA_API viva_import_options viva_import_defaults(void);
VIVA_API viva_status viva_import(const char *name, const char *data, size_t length, const viva_import_options *options,
                                 char **text, char **message);
VIVA_API viva_status viva_import_file(const char *path, const viva_import_options *options, char **text,
                                      char **message);

/* ---- families: a list given for a number, by a case or by `set`, asks for one model a value ----
 *
 * A loaded model is one member of its family. Several lists give all combinations, the first list varying slowest. A
 * `member` beyond the last one is VIVA_EUSAGE. */
/* Another member of the family of a loaded one. Where they differ in numbers alone nothing is read again, and what was
 * made for the run of one serves the others. *member is owned by the caller; either may be freed first. It is given
 * also with VIVA_EINPUT, unless the model has errors itself. VIVA_EUSAGE: no such member, or no family. */
VIVA_API viva_status viva_model_member(const viva_model *model, size_t number, viva_model **member);
VIVA_API size_t viva_model_member_count(const viva_model *model);                   /* 1: no family; 0: no model */
VIVA_API size_t viva_model_varied_count(const viva_model *model);                   /* names that vary; 0: no family */
VIVA_API const char *viva_model_varied_name(const viva_model *model, size_t index); /* borrowed; NULL: no such */
VIVA_API const char *viva_model_varied_setting(const viva_model *model,
                                               size_t index); /* how `set` calls it: x, whose name is x(0) */
VIVA_API double viva_model_varied_value(const viva_model *model,
                                        size_t index); /* of this member, in SI units; NAN: no such */

/* ---- diagnostics: what is wrong with the text, and where ---- */

typedef struct viva_diagnostic {
  bool warning;
  const char *code;      /* a stable name, such as "unknown_name" */
  const char *file;      /* NULL: nowhere in particular */
  uint32_t line, column; /* from 1 */
  const char *message;
  const char *hint; /* NULL: none */
  const char *text; /* all of it for a person: file:line:column, the line, a caret, how a part came in, the hint */
} viva_diagnostic;

VIVA_API size_t viva_model_diagnostic_count(const viva_model *model);
/* The strings are borrowed until the model is freed. */
VIVA_API viva_diagnostic viva_model_diagnostic(const viva_model *model, size_t index);
/* How many errors there were beyond those kept. */
VIVA_API size_t viva_model_diagnostics_dropped(const viva_model *model);

/* ---- equations ---- */

typedef enum viva_form {
  VIVA_FORM_LAGRANGE,
  VIVA_FORM_MATRICES,
  VIVA_FORM_STATE,
  VIVA_FORM_SOLVED,
  VIVA_FORM_KINEMATICS, /* of bodies: transformations and Jacobians */
  VIVA_FORM_HAMILTON,   /* port-Hamiltonian: x' = (J - R) dH/dx + G u */
  VIVA_FORM_TRANSFER    /* of the linear model about an equilibrium or `at`: G(s), and den(d/dt) y = num(d/dt) u */
} viva_form;
typedef enum viva_format {
  VIVA_FORMAT_TEXT,
  VIVA_FORMAT_LATEX, /* for the body of a document; needs amsmath */
  VIVA_FORMAT_JSON,
  VIVA_FORMAT_MATHML,        /* an element <math> a line */
  VIVA_FORMAT_HTML,          /* a page of its own */
  VIVA_FORMAT_LATEX_DOCUMENT /* to compile; of the form asked for alone, see viva_export_latex */
} viva_format;

typedef struct viva_derive_options {
  viva_form form;
  viva_format format;
  bool factor;     /* equations as products of factors */
  bool expand;     /* multiplied out */
  uint32_t digits; /* not 0: with the values of the parameters, numbers in that many digits */
  bool steps;      /* the derivation line by line, every line proved by the exact algebra */
  bool origins;    /* which statement each term comes from: inertial, elastic, dissipative, coupling, control */
  bool reduce;     /* of VIVA_FORM_STATE and VIVA_FORM_HAMILTON: without coordinates that nothing depends on */
  /* of VIVA_FORM_MATRICES and _KINEMATICS: in numbers at a point, "name=value, ..." for what is not at its start,
   * velocities 0. NULL: in symbols. Of trees of bodies it is the form that has no limit of size. */
  const char *const *at;
  size_t at_count;
} viva_derive_options;
VIVA_API viva_derive_options viva_derive_defaults(void);

/* *text is owned by the caller; free it with viva_text_free. options may be NULL. VIVA_EFAIL: the equations grow too
 * large to be written out; or, with a text, the form that was asked for does not exist, and the text says why.
 * VIVA_EINPUT, with a text: the point is wrong, and the text is its messages. */
VIVA_API viva_status viva_derive(const viva_model *model, const viva_derive_options *options, char **text);
/* A document to compile with pdflatex: what is declared, the energies (with `steps` the derivation), Lagrange's
 * equations and their matrices. */
VIVA_API viva_status viva_export_latex(const viva_model *model, bool steps, char **text);
VIVA_API void viva_text_free(char *text); /* NULL is fine */
/* A text from outside for a screen: what it would obey instead of showing it (escape sequences, marks of direction,
 * bytes that are no UTF-8) becomes `?`. Messages of this library are made so. NULL: memory is out. Free it with
 * viva_text_free. */
VIVA_API char *viva_text_shown(const char *text);

/* ---- decisions: is a derivation right? ---- */

typedef enum viva_verdict {
  VIVA_EQUAL,     /* proved */
  VIVA_DIFFERENT, /* with a point where the sides differ */
  VIVA_UNDECIDED  /* with the reason */
} viva_verdict;

typedef struct viva_check viva_check;

/* Decides equations in the names of a model, one a line: do they follow from its equations of motion? `name` stands for
 * the text in messages. *check is owned by the caller, and is given also with VIVA_EINPUT, for its message (NULL only
 * with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). */
VIVA_API viva_status viva_check_equations(const viva_model *model, const char *name, const char *text, size_t length,
                                          viva_check **check);
/* A report on a model: the unit of every name, constants of motion, parameters that hang together, what has no effect.
 * The verdict is VIVA_EQUAL. */
VIVA_API viva_status viva_check_model(const viva_model *model, viva_check **check);
/* Do two models mean the same motion? `first` and `second` name them in the text. */
VIVA_API viva_status viva_check_same(const viva_model *a, const viva_model *b, const char *first, const char *second,
                                     viva_check **check);
/* Is the model passive at its ports, with its own energy as the storage? The verdict stands in the text and in the
 * JSON; viva_check_verdict is VIVA_EQUAL where it is passive, cyclo-passive, strictly passive or lossless,
 * VIVA_DIFFERENT where it is not passive, else VIVA_UNDECIDED. */
VIVA_API viva_status viva_check_passivity(const viva_model *model, viva_check **check);
VIVA_API void viva_check_free(viva_check *check); /* NULL is fine */

/* All borrowed until the check is freed. */
VIVA_API viva_verdict viva_check_verdict(const viva_check *check); /* the worst one */
VIVA_API size_t viva_check_count(const viva_check *check);
VIVA_API viva_verdict viva_check_verdict_of(const viva_check *check, size_t index);
VIVA_API const char *viva_check_text(const viva_check *check,
                                     viva_format format);         /* text or JSON; "": another format, or VIVA_EINPUT */
VIVA_API const char *viva_check_message(const viva_check *check); /* what is wrong with the equations; NULL: nothing */

/* ---- linear models ---- */

typedef enum viva_point {
  VIVA_AT_EQUILIBRIUM, /* a rest (or steady motion) near the point, found by Newton's method */
  VIVA_AT_POINT,       /* the point itself */
  VIVA_AT_START        /* the same, but velocities that are not said have their start, not 0 */
} viva_point;

typedef struct viva_linearize_options {
  viva_point point;
  const char *const *at; /* "name=value, ...": coordinates, velocities, states, inputs, t. What is not said has its
                          * start, velocities are 0, inputs are as at t. */
  size_t at_count;
  bool symbolic; /* exact matrices of the parameters */
  bool numeric;  /* numbers, eigenvalues and modes */
  void *self;
  bool (*interrupted)(void *self); /* asked now and then; true: VIVA_EINTERRUPTED. May be NULL */
} viva_linearize_options;
VIVA_API viva_linearize_options viva_linearize_defaults(void); /* at an equilibrium; both forms */

typedef struct viva_linearization viva_linearization;

/* x' = A x + B u (+ k where the point is no equilibrium), y = C x + D u, in deviations from the point. States:
 * positions, velocities of coordinates with inertia, states; inputs: those of the model, and such of their rates as
 * matter; outputs: those of the model, else coordinates and states. *linearization is owned by the caller, must go
 * before the model, and is given also with VIVA_EINPUT and VIVA_EFAIL, for its message (NULL only with VIVA_ENOMEM and
 * VIVA_EUSAGE, and where the model has errors). options may be NULL. What a block remembers is held, and so is what
 * friction holds; samples, delays, and events at the point are VIVA_EINPUT: such a motion has no linear model. */
VIVA_API viva_status viva_linearize(const viva_model *model, const viva_linearize_options *options,
                                    viva_linearization **linearization);
VIVA_API void viva_linearization_free(viva_linearization *linearization); /* NULL is fine */

/* All borrowed until it is freed. */
/* Text, LaTeX or JSON, made when it is first asked for; "": another format, or a failure; NULL: memory is out. */
VIVA_API const char *viva_linearization_text(const viva_linearization *linearization, viva_format format);
/* What went wrong, or (with VIVA_OK) terms that have no derivative at the point, with their places; NULL: nothing. */
VIVA_API const char *viva_linearization_message(const viva_linearization *linearization);
VIVA_API bool viva_linearization_equilibrium(const viva_linearization *linearization);
VIVA_API size_t viva_linearization_states(const viva_linearization *linearization);
VIVA_API size_t viva_linearization_inputs(const viva_linearization *linearization);
VIVA_API size_t viva_linearization_outputs(const viva_linearization *linearization);
VIVA_API const char *viva_linearization_state_name(const viva_linearization *linearization, size_t index);
VIVA_API const char *viva_linearization_input_name(const viva_linearization *linearization, size_t index);
VIVA_API const char *viva_linearization_output_name(const viva_linearization *linearization, size_t index);
VIVA_API double viva_linearization_state(const viva_linearization *linearization,
                                         size_t index); /* its value at the point */
VIVA_API double viva_linearization_input(const viva_linearization *linearization, size_t index);
/* matrix: 'A', 'B', 'C', 'D', or 'k' (one column). NAN: no such entry, or no numbers. */
VIVA_API double viva_linearization_entry(const viva_linearization *linearization, char matrix, size_t row,
                                         size_t column);
/* The same as an expression of the parameters; NULL: not known, or memory is out. */
VIVA_API const char *viva_linearization_symbolic(const viva_linearization *linearization, char matrix, size_t row,
                                                 size_t column);
/* As many as states, by real part, the largest first. NAN: no such. */
VIVA_API double viva_linearization_eigenvalue(const viva_linearization *linearization, size_t index, double *imaginary);

/* ---- equilibria ---- */

/* Takes the rows of a table. Each function returns false to stop. Members may be NULL. */
typedef struct viva_sink {
  void *self;
  bool (*header)(void *self, const char *const *names, size_t count);
  bool (*row)(void *self, const double *values, size_t count);
} viva_sink;

typedef enum viva_stability {
  VIVA_NOT_JUDGED,
  VIVA_STABLE,    /* a minimum of the potential; without one: all eigenvalues to the left */
  VIVA_UNSTABLE,  /* the potential falls along a direction; without one: an eigenvalue to the right */
  VIVA_SINGULAR,  /* a direction without stiffness, or an eigenvalue 0: terms of higher order decide */
  VIVA_MECHANISM, /* it can be moved along a direction, and still balances */
  VIVA_MARGINAL   /* eigenvalues on the imaginary axis, none to the right */
} viva_stability;

typedef struct viva_equilibrium_options {
  const char *const *at; /* "name=value, ...": where to start. What is not said has its start; velocities are 0 */
  size_t at_count;
  const char *search; /* "th=-pi:pi, x=0:1": all equilibria in this box; "": in the usual one of angles. NULL: the
                       * one that is downhill from the start */
  /* of structures, nodes, bars and springs alone */
  const char *method; /* auto lagrange penalty stiffness alm-direct alm-linear alm-quadratic; NULL: auto */
  bool compare;       /* all seven; the answer is that of auto */
  double r0, gamma, rmax, eps1, eps2, eps3; /* of the six methods; NAN: as usual */
  unsigned hold, inner;                     /* 0: as usual */
  unsigned most_iterations;                 /* 0: a usual number */
  uint64_t seed;                            /* of starts, where a search cannot be complete */
  const viva_sink *trace;                   /* gets a row an iteration; may be NULL */
  void *self;                               /* handed to the two calls */
  bool (*interrupted)(void *self);          /* asked now and then; may be NULL */
  void (*progress)(void *self, unsigned long iteration, double residue); /* told now and then; may be NULL */
} viva_equilibrium_options;
VIVA_API viva_equilibrium_options viva_equilibrium_defaults(void);

typedef struct viva_equilibrium viva_equilibrium;

/* Where the model rests. With energies: downhill from the start to a minimum of the potential under its constraints and
 * constant forces; else by Newton's method. Inputs are as at t. *equilibrium is owned by the caller, must go before the
 * model, and is given also with VIVA_EINPUT, VIVA_EFAIL and VIVA_EINTERRUPTED, for its message (NULL only with
 * VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). VIVA_EFAIL: there is none, or none was found. options
 * may be NULL. */
VIVA_API viva_status viva_equilibrium_find(const viva_model *model, const viva_equilibrium_options *options,
                                           viva_equilibrium **equilibrium);
VIVA_API void viva_equilibrium_free(viva_equilibrium *equilibrium); /* NULL is fine */

/* All borrowed until it is freed. */
VIVA_API const char *viva_equilibrium_text(const viva_equilibrium *equilibrium,
                                           viva_format format); /* text or JSON; "": another format, or a failure;
                                                                   NULL: memory is out */
VIVA_API const char *viva_equilibrium_message(const viva_equilibrium *equilibrium); /* NULL: nothing went wrong */
VIVA_API size_t viva_equilibrium_count(const viva_equilibrium *equilibrium);        /* 1, of a search any number */
VIVA_API bool viva_equilibrium_complete(const viva_equilibrium *equilibrium); /* of a search: these are all, proved */
VIVA_API viva_stability viva_equilibrium_verdict(const viva_equilibrium *equilibrium, size_t index);
VIVA_API double viva_equilibrium_potential(const viva_equilibrium *equilibrium, size_t index); /* NAN: there is none */
VIVA_API double viva_equilibrium_residue(const viva_equilibrium *equilibrium, size_t index);
/* Coordinates, states, multipliers of constraints; of a structure places of nodes and forces of bars. NAN, NULL: no
 * such. */
VIVA_API size_t viva_equilibrium_value_count(const viva_equilibrium *equilibrium);
VIVA_API const char *viva_equilibrium_value_name(viva_equilibrium *equilibrium, size_t value);
VIVA_API double viva_equilibrium_value(const viva_equilibrium *equilibrium, size_t index, size_t value);

/* ---- problems of position ---- */

typedef struct viva_positions_options {
  const char *problem; /* "initial": from guesses; "successive": along the `drive` lines; "path": equilibria along them;
                        * "modes": all positions where the drives start; "inverse": with `reach`; "deformed": what is
                        * driven, or `reach`, is held, and elements give way; "synthesis": with `pass` and `free` */
  const char *over;    /* "F=0:100", "F=0:5:100": the path of equilibria along a parameter or coordinate; NULL: none */
  const char *reach;   /* "tool=[1, 2]": the inputs for which it is there, by least motion ("inverse"); NULL: none */
  const char *const *pass; /* "P=[0, 1; 1, 1.2]": what is to pass which points, a row each; as many points in all */
  size_t pass_count;
  const char *const *free; /* "l=0.5:2": parameters that a synthesis finds, with their bounds */
  size_t free_count;
  unsigned starts; /* of a synthesis: random ones beside that of the model */
  unsigned mode;   /* start from this assembly mode, from 1 on, instead of from the drawing; 0: from the drawing */
  bool resultants; /* modes of planar linkages by elimination, not by homotopy */
  bool compare;    /* modes by both, and whether they agree */
  uint64_t seed;   /* of the paths by which modes are found, of the starts of a synthesis */
  const int32_t *branches; /* of a path: bifurcations, counted along it from 1 on, where the other way is taken; below
                            * 0: in its opposite direction */
  size_t branch_count;     /* 0: straight on at all of them */
  bool through;            /* go on behind dead points and crossings, where it would stop and fail */
  void *self;              /* handed to the two calls */
  bool (*interrupted)(void *self);           /* asked now and then; may be NULL */
  void (*progress)(void *self, double part); /* told the part of the way, now and then; may be NULL */
} viva_positions_options;
VIVA_API viva_positions_options viva_positions_defaults(void);

typedef struct viva_positions viva_positions;

/* Where a mechanism is for given inputs, and where it goes as they change, on one branch. Rows to the sink (may be
 * NULL): values of the drives, outputs (without any: coordinates), then their first, second and third derivatives.
 * *positions is owned by the caller, must go before the model, and is given also with VIVA_EINPUT, VIVA_EFAIL and
 * VIVA_EINTERRUPTED, with what was reached (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has
 * errors). VIVA_EFAIL: constraints that contradict each other, a dead point, drives that do not fit the freedoms.
 * options may be NULL. */
VIVA_API viva_status viva_positions_find(const viva_model *model, const viva_positions_options *options,
                                         const viva_sink *sink, viva_positions **positions);
VIVA_API void viva_positions_free(viva_positions *positions); /* NULL is fine */
/* Does a model that was loaded `at_rest` do for this? It does for the initial position of a large linkage without
 * drives, which is then found from lists of nodes and bars; else viva_positions_find says VIVA_EUSAGE. */
VIVA_API bool viva_positions_listed(const viva_model *model, const viva_positions_options *options);

/* All borrowed until it is freed. */
VIVA_API const char *viva_positions_text(const viva_positions *positions, viva_format format); /* text, JSON */
VIVA_API const char *viva_positions_message(const viva_positions *positions); /* NULL: nothing went wrong */
VIVA_API size_t viva_positions_count(const viva_positions *positions);        /* rows; the first 100000 are kept */
VIVA_API size_t viva_positions_column_count(const viva_positions *positions);
VIVA_API const char *viva_positions_column_name(const viva_positions *positions, size_t column);
VIVA_API double viva_positions_value(const viva_positions *positions, size_t row, size_t column); /* NAN: no such */
/* Settings "B.x=1.25", for viva_load_options, by which the model starts there: places, and parameters that are driven.
 * Of each assembly mode; row 0 of other problems is the last position. 0, NULL: no such. The time cannot be set: where
 * it is driven, and the position is one at another time than that at which a motion begins, the obstacle says so. */
VIVA_API size_t viva_positions_start_count(const viva_positions *positions, size_t row);
VIVA_API const char *viva_positions_start(const viva_positions *positions, size_t row, size_t index);
VIVA_API const char *viva_positions_start_obstacle(const viva_positions *positions); /* NULL: none */
/* Of a synthesis: the text of the model with the numbers that were found; NULL: none. */
VIVA_API const char *viva_positions_model(const viva_positions *positions);
VIVA_API bool viva_positions_proved(const viva_positions *positions); /* all of them are one branch, by intervals */

/* ---- the model in other programs ---- */

typedef struct viva_export_options {
  const char *name; /* what functions and files start with, a C name; NULL: model */
  bool single;      /* float instead of double */
  bool force;       /* write over files that are there and are no unchanged export */
} viva_export_options;
VIVA_API viva_export_options viva_export_defaults(void);

/* Writes C99 that needs nothing but the C library into a folder, which is made if it is missing: NAME.c, NAME.h,
 * main.c, Makefile. options may be NULL. A file that is there is only replaced when it is an export that nobody
 * changed, or with `force`; one that the model was read from never: VIVA_EIO with EEXIST, and nothing is written. With
 * VIVA_EIO *system_error is errno and *path names the file; with VIVA_EINPUT the model has something that cannot be
 * exported, and *path says what, in words, where the model itself was right. Free it with viva_text_free; both may be
 * NULL. VIVA_EUSAGE: the name is no C name. VIVA_EFAIL: the equations grow too large. */
VIVA_API viva_status viva_export_c(const viva_model *model, const viva_export_options *options, const char *folder,
                                   char **path, int *system_error);

/* ---- motion ---- */

typedef struct viva_figure viva_figure; /* see "pictures" */

typedef struct viva_run_options {
  double to, step, every; /* seconds; NAN: as the model says */
  double rtol,
      atol; /* NAN: 1e-11, and 0.01 rtol times the size of each component; rtol >= 1e-15; not for fixed steps */
  const char *method;  /* euler heun bs3 rk4 dopri5 dop853 rodas bdf auto; NULL: as the model says */
  bool energy;         /* further columns: the energy account */
  bool all;            /* further columns: every named signal */
  const char *resume;  /* the file of a saved state to go on from; NULL: from the start */
  bool save;           /* keep the state at the end, for viva_run_save */
  bool no_events;      /* fixed steps: no event is located, memories change at every evaluation */
  bool check_step;     /* repeat a fixed-step run with half the step and compare */
  uint64_t most_steps; /* 0: 100000000 */
  const char *backend; /* interp, tcc, cc: who makes the code of the right-hand side; NULL or auto: by counted work.
                        * All give the same bits; without a compiler the run is interpreted and the summary says so. */
  viva_figure *figure; /* gets the rows it draws; may be NULL */
  /* what the motion comes to: "max(x)", "final(x) - 2*min(y)", "time(x > 1)", "max(y) <= 1.02"; formulas of max(e)
   * min(e) mean(e) sd(e) final(e) integral(e) time(condition), parameters and numbers */
  const char *const *measures;
  size_t measure_count;
  void *self;                                        /* handed to the two calls */
  bool (*interrupted)(void *self);                   /* asked every few steps; may be NULL */
  void (*progress)(void *self, double t, double to); /* told now and then; may be NULL */
} viva_run_options;
VIVA_API viva_run_options viva_run_defaults(void);

typedef struct viva_run viva_run;

/* Runs the model. *run is owned by the caller and given also when the run fails half way (NULL only with VIVA_ENOMEM
 * and VIVA_EUSAGE, and where the model has errors). options and sink may be NULL. */
VIVA_API viva_status viva_run_model(const viva_model *model, const viva_run_options *options, const viva_sink *sink,
                                    viva_run **run);
VIVA_API void viva_run_free(viva_run *run); /* NULL is fine */
/* Runs members of one family side by side: eight at a time in lanes, where their method and model allow it, each with
 * the rows, bits, counts and messages of viva_run_model. options and sinks have one entry a member (sinks may be NULL).
 * Rows of a member come when those of the one before are complete; until then they wait in memory. runs[i] and
 * states[i] are what viva_run_model gives. After a member that is interrupted, or whose sink takes no more, no other is
 * run: its state is VIVA_EINTERRUPTED. The callbacks are those of the first member. VIVA_EUSAGE, or the state of a
 * model that cannot be run: nothing was run. */
VIVA_API viva_status viva_run_members(const viva_model *const *members, size_t count, const viva_run_options *options,
                                      const viva_sink *sinks, viva_run **runs, viva_status *states);

/* All borrowed until the run is freed. */
VIVA_API const char *viva_run_summary(const viva_run *run,
                                      viva_format format);  /* text or JSON; "": another format, or VIVA_EINPUT */
VIVA_API const char *viva_run_message(const viva_run *run); /* what went wrong, with its place; NULL: nothing */
VIVA_API size_t viva_run_value_count(const viva_run *run);  /* final values */
VIVA_API const char *viva_run_value_name(const viva_run *run, size_t index);
VIVA_API double viva_run_value(const viva_run *run, size_t index);
/* The measures of its options, as far as the motion came. Extrema, crossings and integrals are found inside of steps,
 * as exactly as the motion itself. A condition is 1 or 0. NAN: it has no value, or there is no such. */
VIVA_API size_t viva_run_measure_count(const viva_run *run);
VIVA_API double viva_run_measure(const viva_run *run, size_t index);
/* Writes the complete state at the end of a run (needs `save` of its options): a run that resumes from it goes on as if
 * it had not stopped. VIVA_EIO: *system_error is the errno; it may be NULL. */
VIVA_API viva_status viva_run_save(const viva_run *run, const char *path, int *system_error);
/* What switched during the run, in order: a function, a block, a `when`. At most 100000 are kept. */
typedef struct viva_event {
  double t;
  const char *what; /* "hysteresis", "when h < 0" */
  unsigned line;    /* of the model; 0: none */
  double value;     /* the new one; 1 for a `when` */
} viva_event;
VIVA_API size_t viva_run_event_count(const viva_run *run);
VIVA_API viva_event viva_run_event(const viva_run *run, size_t index);
VIVA_API double viva_run_energy_residue(const viva_run *run); /* the largest one; NAN: the model has no energies */

/* ---- forces for a given motion ---- */

typedef struct viva_inverse viva_inverse;

/* The generalized forces that a motion needs beside those that the model has: M a + h at each row of a CSV table whose
 * columns are the time, the coordinates by their names and, where it has them, their velocities `x'` and accelerations
 * `x''`; what is missing comes by splines through the rest, and the summary says so. Rows to the sink: t, force.x for
 * each coordinate x. Of the options (may be NULL) only `self` and `interrupted` count. *inverse is owned by the caller
 * and given also when something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). */
VIVA_API viva_status viva_inverse_model(const viva_model *model, const char *motion, const viva_run_options *options,
                                        const viva_sink *sink, viva_inverse **inverse);
VIVA_API void viva_inverse_free(viva_inverse *inverse); /* NULL is fine */

/* All borrowed until it is freed. */
VIVA_API const char *viva_inverse_summary(const viva_inverse *inverse, viva_format format); /* text, JSON */
VIVA_API const char *viva_inverse_message(const viva_inverse *inverse);                     /* NULL: nothing is wrong */
VIVA_API size_t viva_inverse_force_count(const viva_inverse *inverse);
VIVA_API const char *viva_inverse_force_name(const viva_inverse *inverse, size_t index);
VIVA_API double viva_inverse_force_largest(const viva_inverse *inverse, size_t index); /* in size, with its sign */

/* ---- sensitivities ---- */

typedef struct viva_sensitivity_options {
  viva_run_options run;     /* energy, all, save, resume, check_step, figure and progress are not used */
  const char *const *names; /* parameters and starts ("k", "x", "x'"); none: every parameter that is a number */
  size_t name_count;
} viva_sensitivity_options;
VIVA_API viva_sensitivity_options viva_sensitivity_defaults(void);

typedef struct viva_sensitivity viva_sensitivity;

/* The derivatives of the outputs (without any: coordinates, velocities, states) by parameters and starts, over time.
 * They are exact, integrated with the motion, and jump rightly at events; where that cannot be they are differences of
 * motions, and the summary says why. Rows to the sink (may be NULL): t, outputs, then d(output)/d(unknown).
 * *sensitivity is owned by the caller and given also when something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE,
 * and where the model has errors). options may be NULL. */
VIVA_API viva_status viva_sensitivity_model(const viva_model *model, const viva_sensitivity_options *options,
                                            const viva_sink *sink, viva_sensitivity **sensitivity);
VIVA_API void viva_sensitivity_free(viva_sensitivity *sensitivity); /* NULL is fine */

/* All borrowed until it is freed. */
VIVA_API const char *viva_sensitivity_summary(const viva_sensitivity *sensitivity, viva_format format); /* text, JSON */
VIVA_API const char *viva_sensitivity_message(const viva_sensitivity *sensitivity); /* NULL: nothing is wrong */
VIVA_API bool
viva_sensitivity_exact(const viva_sensitivity *sensitivity); /* false: by differences, or there are none */
VIVA_API size_t viva_sensitivity_output_count(const viva_sensitivity *sensitivity);
VIVA_API size_t viva_sensitivity_unknown_count(const viva_sensitivity *sensitivity);
VIVA_API const char *viva_sensitivity_output_name(const viva_sensitivity *sensitivity, size_t index);
VIVA_API const char *viva_sensitivity_unknown_name(const viva_sensitivity *sensitivity, size_t index);
VIVA_API double viva_sensitivity_final(const viva_sensitivity *sensitivity, size_t output,
                                       size_t unknown); /* at the end; NAN: no such */

/* ---- parameters from data ---- */

typedef struct viva_fit_options {
  viva_run_options run;             /* rtol (1e-9), atol, method, self and interrupted are used */
  const char *method;               /* auto lm ga ga-binary de cmaes; NULL: auto. What it has no use for is refused */
  uint64_t seed;                    /* of the random numbers */
  bool no_profiles;                 /* intervals by standard errors, not by profiles */
  bool only_before;                 /* what can be found, before anything is searched; there are no estimates then */
  bool pictures;                    /* keep curves, bands and profiles for viva_fit_draw and viva_fit_table */
  uint32_t population, generations; /* of a search; 0: as the method has it (ga: 70 and 30) */
  double crossover, mutation;       /* probabilities of ga; NAN: 0.7 and 0.1 */
  double exponent;                  /* n of its crossover SBX; NAN: 2 */
  bool printed;                     /* the formula of SBX as AGS_R prints it, not Deb's */
  bool mean_square;                 /* its fitness by the mean square, not by R^2 */
  const char *selection;            /* roulette ranking tournament universal remainder; NULL: roulette */
  const char *loss;                 /* huber: outliers count less; NULL or square: they do not */
  /* An index of performance in the place of data: this measure of the motion (max min mean sd final integral time)
   * becomes least, where these conditions on measures hold. The unknowns are those of the `fit` lines, whose data is
   * not read; the motion lasts until run.to, or as the model says. By all methods but lm. minimize NULL: none. */
  const char *minimize;
  const char *const *where;
  size_t where_count;
  /* Told as the search goes on, with run.self: simulations so far and the best R^2, or index (NAN: none yet). May be
   * NULL. */
  void (*best)(void *self, uint64_t simulations, double r_squared);
} viva_fit_options;
VIVA_API viva_fit_options viva_fit_defaults(void);

typedef struct viva_fit viva_fit;

/* Finds the unknowns of the `fit` lines of a model: all lines are one fit. *fit is owned by the caller and given also
 * when something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). A search that was
 * interrupted, or did not come to rest, keeps the best values so far, without standard errors. options may be NULL. */
VIVA_API viva_status viva_fit_model(const viva_model *model, const viva_fit_options *options, viva_fit **fit);
VIVA_API void viva_fit_free(viva_fit *fit); /* NULL is fine; before the model */

/* All borrowed until it is freed. */
VIVA_API const char *viva_fit_summary(const viva_fit *fit, viva_format format); /* text, JSON */
VIVA_API const char *viva_fit_message(const viva_fit *fit);                     /* NULL: nothing is wrong */
/* The text of the model with the values that were found; NULL: there is none, and *why (may be NULL) says why. */
VIVA_API const char *viva_fit_text(const viva_fit *fit, const char **why);
VIVA_API size_t viva_fit_unknown_count(const viva_fit *fit);
VIVA_API const char *viva_fit_unknown_name(const viva_fit *fit, size_t index);
typedef struct viva_estimate {
  double value, stderr_;
  double low, high; /* of the interval that holds the truth in 95 of 100 repetitions */
  bool at_bound;    /* it lies on the end of its range */
  bool found;       /* the data tells it */
} viva_estimate;
VIVA_API viva_estimate viva_fit_estimate(const viva_fit *fit, size_t index); /* NAN: no such */
VIVA_API double viva_fit_r_squared(const viva_fit *fit);                     /* NAN: an index became least */
VIVA_API double viva_fit_index(const viva_fit *fit);                         /* the least index; NAN: none */
/* Akaike's and Schwarz's criteria compare rival models of the same data: the smaller one wins. */
VIVA_API double viva_fit_aic(const viva_fit *fit);
VIVA_API double viva_fit_bic(const viva_fit *fit);
/* What it was fitted to: the same number for the same data, and how many points (may be NULL). 0: it failed. */
VIVA_API uint64_t viva_fit_data(const viva_fit *fit, size_t *points);

/* Rows: experiment, t, and of each output x: data, curve, prediction band, data - curve ("x", "x fit", "x low", "x
 * high", "x residual"); NAN where nothing was measured. VIVA_EINPUT: the fit did not keep pictures. */
VIVA_API viva_status viva_fit_table(const viva_fit *fit, const viva_sink *sink);
/* Rows: generation, best, mean and spread of R^2, simulations so far, the unknowns of the best. VIVA_EINPUT: the method
 * has no generations. */
VIVA_API viva_status viva_fit_evolution(const viva_fit *fit, const viva_sink *sink);
VIVA_API uint64_t viva_fit_simulations(const viva_fit *fit); /* a motion with k slopes counts 1 + k */

/* ---- the choice of an experiment ---- */

typedef struct viva_experiments_options {
  viva_run_options run;    /* to, every, method, rtol (1e-9), atol, self and interrupted are used */
  const char *const *vary; /* ranges of starts and parameters, "x=0.1:0.1:0.5", "w=[1, 2]": all combinations */
  size_t vary_count;
  const char *const *cases; /* names of cases that are candidates, each with all values; none: the model as it is */
  size_t case_count;
  uint32_t samples; /* so many times of each motion are measured, the best ones; 0: all */
  void (*progress)(void *self, uint64_t done, uint64_t count); /* candidates, with run.self; may be NULL */
} viva_experiments_options;
VIVA_API viva_experiments_options viva_experiments_defaults(void);

typedef struct viva_experiments viva_experiments;

/* Which experiment would tell the unknowns of the `fit` line best (D-optimal), at the values that the model has. Its
 * data is not read; what is measured stands behind `by`. *experiments is owned by the caller and given also when
 * something fails (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). VIVA_EFAIL: no
 * candidate tells all unknowns. options may be NULL. */
VIVA_API viva_status viva_experiments_choose(const viva_model *model, const viva_experiments_options *options,
                                             viva_experiments **experiments);
VIVA_API void viva_experiments_free(viva_experiments *experiments); /* NULL is fine; before the model */
/* All borrowed until it is freed. */
VIVA_API const char *viva_experiments_summary(const viva_experiments *experiments, viva_format format); /* text, JSON */
VIVA_API const char *viva_experiments_message(const viva_experiments *experiments); /* NULL: nothing is wrong */
VIVA_API size_t viva_experiments_count(const viva_experiments *experiments);
typedef struct viva_experiment {
  const char *text;     /* "case push, x = 0.1" */
  double efficiency;    /* beside the best one: (det M / det M_best)^(1/k); 0: it does not tell all unknowns */
  const double *errors; /* standard errors of the unknowns; INFINITY: not told */
  size_t error_count;
  const double *times; /* the best times to measure; none: all of them */
  size_t time_count;
} viva_experiment;
VIVA_API viva_experiment viva_experiments_get(const viva_experiments *experiments,
                                              size_t index); /* 0 is the best; efficiency NAN: no such */

/* ---- many motions ---- */

typedef struct viva_batch_options {
  viva_run_options run;     /* energy, all, check_step, figure and progress are not used; measures are */
  const char *const *names; /* parameters and starting values ("m", "x", "x'") that differ from sample to sample */
  size_t name_count;
  const double *values; /* count rows of name_count numbers; borrowed during the call */
  size_t count;         /* of samples */
  unsigned threads;     /* 0: one for each processor */
} viva_batch_options;
VIVA_API viva_batch_options viva_batch_defaults(void);

typedef struct viva_batch viva_batch;

/* Runs all samples, eight at a time in lanes, also with methods that choose their steps (not bdf, nor models with
 * events: these go one by one). Each has the bits of a run of its own, whatever its neighbours and the number of
 * threads. *batch is owned by the caller and given also when something fails (NULL only with VIVA_ENOMEM and
 * VIVA_EUSAGE, and where the model has errors). VIVA_OK also when single samples failed: ask for their status.
 * `interrupted` is asked from several threads. */
VIVA_API viva_status viva_batch_model(const viva_model *model, const viva_batch_options *options, viva_batch **batch);
VIVA_API void viva_batch_free(viva_batch *batch);                 /* NULL is fine */
VIVA_API const char *viva_batch_message(const viva_batch *batch); /* what is wrong with the options; NULL: nothing */
VIVA_API size_t
viva_batch_failed(const viva_batch *batch); /* samples that did not reach the end, or have no values there */
VIVA_API size_t viva_batch_value_count(const viva_batch *batch); /* final values of a sample, as of viva_run_value */
VIVA_API const char *viva_batch_value_name(const viva_batch *batch,
                                           size_t index); /* borrowed until the batch is freed */
VIVA_API double viva_batch_value(const viva_batch *batch, size_t sample, size_t index); /* as far as the sample came */
VIVA_API double viva_batch_time(const viva_batch *batch, size_t sample);                /* how far it came */
VIVA_API double viva_batch_measure(const viva_batch *batch, size_t sample,
                                   size_t index); /* as viva_run_measure; NAN: the sample failed */
/* VIVA_OK, VIVA_EFAIL, VIVA_EINPUT (a value is not finite) or VIVA_EINTERRUPTED */
VIVA_API viva_status viva_batch_status(const viva_batch *batch, size_t sample);

/* ---- sweeps ---- */

typedef enum viva_sampling {
  VIVA_SAMPLING_RANDOM, /* independent draws */
  VIVA_SAMPLING_LATIN,  /* one draw in each of the equal parts of every quantity */
  VIVA_SAMPLING_SOBOL   /* Sobol's sequence, shifted by the seed; at most 21 quantities */
} viva_sampling;

/* Processes that `mpirun -n 8` started together. */
typedef struct viva_ranks viva_ranks;
/* Joins them, before anything else, once a process. *ranks: NULL where this one was started alone. VIVA_EINPUT: the
 * library was built without MPI, or it does not start; see the message. Owned by the caller. */
VIVA_API viva_status viva_ranks_join(viva_ranks **ranks);
VIVA_API const char *viva_ranks_message(const viva_ranks *ranks); /* NULL: all is well */
VIVA_API int viva_ranks_own(const viva_ranks *ranks);             /* this one; 0: the one that leads, and with NULL */
VIVA_API int viva_ranks_count(const viva_ranks *ranks);           /* 1 with NULL */
VIVA_API void viva_ranks_leave(viva_ranks *ranks);                /* all of them must; NULL is fine */

typedef struct viva_sweep_options {
  viva_run_options run; /* energy, all, save, resume, check_step, figure and progress are not used; without measures the
                         * final values are taken */
  const char *const *vary; /* "k=0:0.1:1", "m=log:0.1:10:30", "c=[1, 2, 5]"; with samples also intervals: "k=0:1" */
  size_t vary_count;
  const char *const *random; /* "g=normal(9.81, 0.01)"; also uniform lognormal triangular, the first cut off by two more
                              * numbers */
  size_t random_count;
  const char *correlation;  /* of the random quantities, in their order: "[1, 0.5; 0.5, 1]"; NULL: independent */
  const char *const *where; /* conditions on measures: how many samples fulfil all of them, and which first */
  size_t where_count;
  uint64_t samples; /* draws at each point of the grids; 0: none */
  viva_sampling sampling;
  uint64_t seed;
  bool indices;     /* Sobol's indices of the random quantities: samples times (2 + quantities) runs */
  const char *path; /* of the table of results, a row a sample; "-" is standard output; NULL: none */
  bool resume;      /* go on with the table that is there */
  viva_sink rows;   /* all trajectories: index, t, columns; not with `resume` */
  bool pictures;    /* keep what viva_sweep_draw needs, in at most 150 MB */
  bool fan;         /* and the trajectories for it; not with `resume` */
  unsigned panels;  /* that will be drawn, VIVA_SWEEP_...: what has nothing to show is refused first; 0: any */
  unsigned threads; /* 0: one for each processor */
  /* Share the samples; each of them makes the same call, and only the one that leads has the table, rows and a summary.
   * NULL: this process alone */
  viva_ranks *ranks;
  void (*progress)(void *self, uint64_t done, uint64_t count); /* told now and then, with run.self; may be NULL */
} viva_sweep_options;
VIVA_API viva_sweep_options viva_sweep_defaults(void);

typedef struct viva_sweep viva_sweep;

/* Runs a model for the product of all grids and, at each point of it, for the draws of the random quantities. The table
 * grows while it goes: a row has index, values, measures, status, message, and the first lines say which model,
 * settings and version it is of. What a row holds depends on its index alone, not on threads nor on when it was
 * computed: after an end of any kind `resume` goes on, and the file is the same. While it grows it is locked. A sample
 * that fails has a row with its message. *sweep is owned by the caller and given also when something fails (NULL only
 * with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). VIVA_EINPUT: see the message; VIVA_EIO: the table
 * cannot be written. */
VIVA_API viva_status viva_sweep_model(const viva_model *model, const viva_sweep_options *options, viva_sweep **sweep);
/* A table that a sweep wrote, also an unfinished one, or its trajectories (index, t, columns): summary and pictures
 * without running again. *sweep as above, with VIVA_EINPUT and VIVA_EIO for its message. */
VIVA_API viva_status viva_sweep_open(const char *path, viva_sweep **sweep);
VIVA_API void viva_sweep_free(viva_sweep *sweep); /* NULL is fine; before the model */

/* All borrowed until it is freed. */
VIVA_API const char *viva_sweep_summary(const viva_sweep *sweep, viva_format format); /* text, JSON */
VIVA_API const char *viva_sweep_message(const viva_sweep *sweep);                     /* NULL: nothing is wrong */
VIVA_API uint64_t viva_sweep_count(const viva_sweep *sweep);  /* of samples, with those of a table that was resumed */
VIVA_API uint64_t viva_sweep_done(const viva_sweep *sweep);   /* rows that are there */
VIVA_API uint64_t viva_sweep_failed(const viva_sweep *sweep); /* of these */
VIVA_API uint64_t viva_sweep_passed(const viva_sweep *sweep); /* fulfil all of `where` */
VIVA_API size_t viva_sweep_measure_count(const viva_sweep *sweep); /* conditions of `where` are the last ones */
VIVA_API const char *viva_sweep_measure_name(const viva_sweep *sweep, size_t index);
typedef struct viva_statistics {
  uint64_t count;                               /* samples that have a value */
  double mean, sd, min, low, median, high, max; /* low, high: 5 and 95 %; NAN: there is none, or too many samples */
} viva_statistics;
VIVA_API viva_statistics viva_sweep_statistics(const viva_sweep *sweep, size_t index); /* NAN: no such */

/* Removes the compiled code that runs have kept in $XDG_CACHE_HOME/viva or ~/.cache/viva. Both counts may be NULL. */
VIVA_API viva_status viva_cache_clear(uint64_t *files, uint64_t *bytes);

/* A sink that writes a table, which appears whole or not at all: until then it has a name of its own,
 * NAME.RANDOM.part, in the same folder. An existing file keeps its mode. Pipes and devices are written directly; the
 * path "-" is standard output.
 * The ending says the form: .csv, .json, .mat (MATLAB, level 5: a variable a column, and `columns`, their names as
 * written), .npz (NumPy: an array a column). Anything else is CSV. Rows of .mat and .npz are kept in memory until the
 * end, and are lost where the program is killed. */
typedef struct viva_csv viva_csv;
VIVA_API int viva_csv_knows(const char *path); /* is the ending one of these, or is there none? */
VIVA_API viva_status viva_csv_open(const char *path, viva_csv **csv, int *system_error); /* errno; may be NULL */
VIVA_API viva_sink viva_csv_sink(viva_csv *csv);                        /* of NULL one that takes everything */
VIVA_API viva_status viva_csv_close(viva_csv *csv, int *system_error);  /* the file appears; frees */
VIVA_API viva_status viva_csv_finish(viva_csv *csv, int *system_error); /* the same, but viva_csv_discard frees */
VIVA_API void viva_csv_discard(viva_csv *csv); /* frees, and leaves nothing of what was not finished; NULL is fine */
/* For a handler of signals, wherever the program was: the whole rows so far become the file. The program must end after
 * it. */
VIVA_API void viva_csv_rescue(viva_csv *csv);

/* Columns of a table as they are wanted: `columns` "t, th, x" chooses and orders them (NULL: all), `units` "th=deg,
 * x=mm" is what their numbers are in (NULL: SI); the header then has "th [deg]". *out is owned by the caller, and is
 * given also with VIVA_EINPUT, for its message: a unit that is none, or does not fit. */
typedef struct viva_columns viva_columns;
VIVA_API viva_status viva_columns_new(const viva_model *model, const char *columns, const char *units,
                                      viva_columns **out);
VIVA_API void viva_columns_free(viva_columns *columns); /* NULL is fine */
/* Takes rows as the run gives them and hands them on; stops at the header where a column is not there, see the message.
 */
VIVA_API viva_sink viva_columns_sink(viva_columns *columns, viva_sink to); /* of NULL: `to` itself */
VIVA_API const char *viva_columns_message(const viva_columns *columns);    /* NULL: nothing is wrong */

/* ---- pictures ---- */

typedef enum viva_figure_kind {
  VIVA_FIGURE_PLOTS,     /* the `plot` lines of the model, or without any every output */
  VIVA_FIGURE_ANIMATION, /* its `draw` lines, moving */
  VIVA_FIGURE_GHOSTS     /* its `draw` lines: poses at equal times in one picture */
} viva_figure_kind;

typedef enum viva_picture {
  VIVA_PICTURE_SVG,
  VIVA_PICTURE_PNG,
  VIVA_PICTURE_PDF,
  VIVA_PICTURE_HTML,    /* of an animation: a page with a slider */
  VIVA_PICTURE_TERMINAL /* of plots: characters */
} viva_picture;

typedef struct viva_figure_options {
  viva_figure_kind kind;
  bool energy;      /* of plots: the energy account as well (the run needs `energy` too) */
  bool power;       /* of plots: the powers that are stored, dissipated and supplied, and those of ports, as well */
  bool phase;       /* of plots: phase portraits as well */
  bool apart;       /* of plots of a family: a panel for each member, in the place of one for all */
  bool dark;        /* light lines on a dark ground */
  bool colour;      /* in a terminal: with its escape sequences */
  double width;     /* pixels; 0: by default */
  unsigned columns; /* of a terminal; 0: 80 */
  unsigned ghosts;  /* how many poses; 0: 8 */
  double speed;     /* of an animation; 0: as fast as the clock */
  double fps;       /* its pictures a second; 0: 30 */
  double camera[3]; /* from where a drawing in space is seen; all 0: as the model says */
} viva_figure_options;
VIVA_API viva_figure_options viva_figure_defaults(void);

/* Can a drawing in space of this model be seen from there? VIVA_EINPUT: the direction has no length, or lies along what
 * points up (`camera ... up ...` of the model, else z). */
VIVA_API viva_status viva_camera_check(const viva_model *model, const double camera[3]);

/* A figure of a model: make it, give it to a run, draw it. *figure is owned by the caller, must go before the model,
 * and is given also with VIVA_EINPUT, for its message (the model has no `draw` line), but not where the model has
 * errors. options may be NULL. */
VIVA_API viva_status viva_figure_new(const viva_model *model, const viva_figure_options *options, viva_figure **figure);
VIVA_API void viva_figure_free(viva_figure *figure); /* NULL is fine */
/* *data is owned by the caller; free it with viva_text_free. Text ends in NUL, which *length does not count.
 * VIVA_EINPUT: there is nothing to draw; VIVA_EFAIL: a library is missing; see the message. */
VIVA_API viva_status viva_figure_draw(viva_figure *figure, viva_picture picture, char **data, size_t *length);
/* Takes the rows of another member of a family into a figure. Of plots: every curve becomes a panel with a line for
 * each member, named by the values that vary or, where they are many, coloured by the first of them. Of a motion or of
 * poses: the member's shapes in a colour of their own, with a key, of at most VIVA_MEMBERS_MOVING members. The member's
 * figure may go afterwards. VIVA_EUSAGE: its model is no member of a family, the figures are of different kinds, or it
 * is one too many. */
#define VIVA_MEMBERS_MOVING 40
VIVA_API viva_status viva_figure_overlay(viva_figure *figure, viva_figure *member);
/* One picture of an animation, for videos: SVG, PNG or PDF, at a time of the run. */
VIVA_API viva_status viva_figure_frame(viva_figure *figure, double time, viva_picture picture, char **data,
                                       size_t *length);
VIVA_API double viva_figure_end(const viva_figure *figure);          /* the time of the last row; NAN: none */
VIVA_API const char *viva_figure_message(const viva_figure *figure); /* what is wrong, with its place, also warnings of
                                                                        a picture that was drawn; NULL: nothing */

/* The block diagram of a model, as it is written: SVG, PNG or PDF. *data is owned by the caller, see viva_figure_draw;
 * so is *message, which says in words what went wrong (NULL: nothing, and it may be NULL itself). VIVA_EFAIL: there are
 * too many blocks to be looked at, or a library is missing. VIVA_EINPUT: there is no block in the model. */
VIVA_API viva_status viva_diagram(const viva_model *model, bool dark, viva_picture picture, char **data, size_t *length,
                                  char **message);
/* The same as text for Graphviz. */
VIVA_API viva_status viva_diagram_dot(const viva_model *model, char **text, char **message);

typedef struct viva_comparison viva_comparison;

/* One motion by several methods: energy error, distance from a reference (auto with a relative tolerance of 1e-13),
 * evaluations, time. Of the options rtol and atol are for methods with their own steps, step for the others; save,
 * resume, check_step and figure are not used. *comparison is owned by the caller and given also with VIVA_EINPUT, for
 * its message (NULL only with VIVA_ENOMEM and VIVA_EUSAGE). */
VIVA_API viva_status viva_compare_methods(const viva_model *model, const viva_run_options *options,
                                          const char *const *methods, size_t count, viva_comparison **comparison);
VIVA_API void viva_comparison_free(viva_comparison *comparison); /* NULL is fine */
/* Borrowed until the comparison is freed. */
VIVA_API const char *viva_comparison_summary(const viva_comparison *comparison, viva_format format); /* text, JSON */
VIVA_API const char *viva_comparison_message(const viva_comparison *comparison);                     /* NULL: nothing */
/* The errors along time; of options `dark`, `width`, `columns` and `colour` count. *data as of viva_figure_draw. */
VIVA_API viva_status viva_comparison_draw(const viva_comparison *comparison, const viva_figure_options *options,
                                          viva_picture picture, char **data, size_t *length);

/* A panel for each output, a curve for each unknown: p dy/dp over time, in the unit of y; dy/dp where p is 0. SVG, PNG,
 * PDF or for a terminal; *data as of viva_figure_draw. VIVA_EINPUT: there are no slopes. */
VIVA_API viva_status viva_sensitivity_draw(const viva_sensitivity *sensitivity, const viva_figure_options *options,
                                           viva_picture picture, char **data, size_t *length);

/* Panels of the picture of a fit. */
enum {
  VIVA_FIT_CURVES = 1,      /* data under the fitted curve, with the band of 95 % of measurements */
  VIVA_FIT_RESIDUALS = 2,   /* data - curve */
  VIVA_FIT_PROFILES = 4,    /* of each unknown */
  VIVA_FIT_CORRELATION = 8, /* between the unknowns */
  VIVA_FIT_EVOLUTION = 16,  /* best, mean and spread of R^2 by generation */
  VIVA_FIT_SEQUENCE = 32    /* the curves of the best individuals, one after the other */
};
/* parts: their sum, 0: all. Panels that have nothing to show are left out. SVG, PNG, PDF or a terminal; *data is freed
 * by viva_text_free. VIVA_EINPUT: the fit did not keep pictures, or there is nothing to draw. */
VIVA_API viva_status viva_fit_draw(const viva_fit *fit, const viva_figure_options *options, unsigned parts,
                                   viva_picture picture, char **data, size_t *length);

/* Panels of the picture of a sweep. */
enum {
  VIVA_SWEEP_CURVES = 1,     /* each measure over the first grid; what else varies is a band */
  VIVA_SWEEP_HEAT = 2,       /* each measure as colours over the first two grids */
  VIVA_SWEEP_HISTOGRAMS = 4, /* of each measure */
  VIVA_SWEEP_SCATTER = 8,    /* a matrix: every column against every other one, histograms, correlations */
  VIVA_SWEEP_PARALLEL = 16,  /* parallel coordinates: a line a sample across an axis for each column */
  VIVA_SWEEP_FAN = 32,       /* quantiles of trajectories over time */
  VIVA_SWEEP_INDICES = 64    /* Sobol's indices with their intervals */
};
/* parts: their sum; 0: what suits what was varied. Panels that have nothing to show are left out. SVG, PNG, PDF or a
 * terminal; *data is freed by viva_text_free. VIVA_EINPUT: the sweep did not keep pictures, or there is nothing to
 * draw. */
VIVA_API viva_status viva_sweep_draw(const viva_sweep *sweep, const viva_figure_options *options, unsigned parts,
                                     viva_picture picture, char **data, size_t *length);

/* ---- linear analysis: one path or loop of the linear model about a point ---- */

typedef struct viva_analysis viva_analysis;

typedef struct viva_analyze_options {
  viva_point point;
  const char *const *at; /* as of viva_linearize */
  size_t at_count;
  const char *path; /* "u:y", from an input (or a `let` among the taps of the load) to any expression; NULL: the only
                       input and output, or with `open` the loop itself */
  const char *open; /* cuts the loop at this input, tapped `let` or output, coordinate, velocity or state; NULL: it
                       stays closed */
  const char *over; /* "K=0:100": the poles of the model as it stands, along a parameter; NULL: none */
  uint32_t pade;    /* dead times as rational functions of this order, where a locus or a realization needs it; 0: it
                       is refused */
  bool matrices;    /* the text begins with the linear model, as viva_linearization_text has it; JSON always has it */
  double slope;     /* of the curves of the circle criterion and Popov's: the lower slope of their sector */
  bool (*interrupted)(void *self); /* asked between pieces of work; may be NULL */
  void *self;
} viva_analyze_options;
VIVA_API viva_analyze_options viva_analyze_defaults(void); /* at an equilibrium */

/* *analysis is owned by the caller and given also with VIVA_EINPUT, VIVA_EFAIL and VIVA_EINTERRUPTED, for its message.
 * options may be NULL. */
VIVA_API viva_status viva_analyze(const viva_model *model, const viva_analyze_options *options,
                                  viva_analysis **analysis);
VIVA_API void viva_analysis_free(viva_analysis *analysis); /* NULL is fine */
/* Borrowed until the analysis is freed: text or JSON; "" where there is none, NULL: memory is out. */
VIVA_API const char *viva_analysis_text(const viva_analysis *analysis, viva_format format);
VIVA_API const char *
viva_analysis_message(const viva_analysis *analysis); /* what is wrong, or warnings; NULL: nothing */

typedef enum viva_curve {
  VIVA_CURVE_BODE,
  VIVA_CURVE_NYQUIST,
  VIVA_CURVE_NICHOLS,
  VIVA_CURVE_STEP, /* responses: of the path, of a loop that of the closed one */
  VIVA_CURVE_IMPULSE,
  VIVA_CURVE_RAMP,
  VIVA_CURVE_POLES,  /* and zeros, in the plane */
  VIVA_CURVE_LOCUS,  /* the poles along the parameter of `over` */
  VIVA_CURVE_CIRCLE, /* G(iw) and the border of the sector above `slope` that is proved stable */
  VIVA_CURVE_POPOV   /* Re G, w Im G and Popov's line */
} viva_curve;
/* A curve as a picture; of options `dark`, `width`, and in a terminal `columns` and `colour` count. *data as of
 * viva_figure_draw. VIVA_EINPUT: there is no such curve (a locus without `over`, a sector of what is not stable with
 * the lower slope, is sampled or has dead times). */
VIVA_API viva_status viva_analysis_draw(const viva_analysis *analysis, viva_curve curve,
                                        const viva_figure_options *options, viva_picture picture, char **data,
                                        size_t *length);
/* The same as a table in CSV: a row of names, then numbers that read back. */
VIVA_API viva_status viva_analysis_table(const viva_analysis *analysis, viva_curve curve, char **text, size_t *length);

typedef enum viva_linear_figure {
  VIVA_LINEAR_POLES, /* the eigenvalues in the plane */
  VIVA_LINEAR_MODES  /* the modes: bars, and what the model draws, deflected */
} viva_linear_figure;
/* A picture of a linear model; of options `dark`, `width` and, for poles in a terminal, `columns` and `colour` count.
 * *data as of viva_figure_draw. VIVA_EINPUT: there are no eigenvalues (symbols only); VIVA_EFAIL: a library is missing.
 */
VIVA_API viva_status viva_linearization_draw(const viva_linearization *linearization, viva_linear_figure figure,
                                             const viva_figure_options *options, viva_picture picture, char **data,
                                             size_t *length);

/* A structure of bars at rest, its forces in colour, every iteration faintly behind; of other models the shapes of
 * their `draw` lines where they rest, of several equilibria one pose each. Of options `dark`, `width` and `camera`
 * count. *data as of viva_figure_draw. VIVA_EINPUT: there are no shapes, or nothing was found. */
VIVA_API viva_status viva_equilibrium_draw(const viva_equilibrium *equilibrium, const viva_figure_options *options,
                                           viva_picture picture, char **data, size_t *length);
/* The same of positions: some of them, with the paths that nodes take. VIVA_EINPUT: there is nothing to draw. */
VIVA_API viva_status viva_positions_draw(const viva_positions *positions, const viva_figure_options *options,
                                         viva_picture picture, char **data, size_t *length);

/* The kind of picture that the end of a path says: .svg .png .pdf .html. */
VIVA_API bool viva_picture_find(const char *path, viva_picture *picture);
/* NULL: this library can make it; else what to install. Static. */
VIVA_API const char *viva_picture_missing(viva_picture picture);

/* ---- design: further questions of an analysis ---- */

typedef struct viva_design_options {
  const char *lqr;    /* "Q=diag(1, 2), R=0.1": u = -K x with the least integral of x' Q x + u' R u, of all inputs; a
                         number is that many times the identity. NULL: not asked */
  const char *kalman; /* the same for an observer: covariances of what disturbs the states (Q) and the outputs (R) */
  bool norms;         /* H2 and Hinf of the path */
  bool sector;        /* circle and Popov criteria of the path as the linear part of a loop */
  double lower;       /* of the sector: a slope below which the function does not fall */
} viva_design_options;
VIVA_API viva_design_options viva_design_defaults(void); /* nothing is asked */
/* Answers as text, or as JSON together with the analysis itself. *text is owned by the caller (viva_text_free): the
 * answers, or with VIVA_EINPUT and VIVA_EFAIL what is wrong. The model is that of the analysis. */
VIVA_API viva_status viva_analysis_design(const viva_model *model, const viva_analysis *analysis,
                                          const viva_design_options *options, viva_format format, char **text);

/* The path as a model file of its own that runs. form: "controllable", "observable", "cascade" or "parallel"; sampling:
 * NULL, or "zoh:T", "tustin:T" or "matched:T" with the period T: then it is sampled. *text as above. */
VIVA_API viva_status viva_analysis_realize(const viva_analysis *analysis, const char *form, const char *sampling,
                                           char **text);

/* The describing function of a `let` that is a static function of one other signal, which must be among the taps of the
 * load, and the limit cycles of its loop, each checked by a run of the model from there. options: the point; path and
 * open are not asked. */
VIVA_API viva_status viva_describe(const viva_model *model, const char *signal, const viva_analyze_options *options,
                                   viva_format format, char **text);

/* G(iw) of its loop and -1/N(A), with the swings where both meet, as a picture; *data as of viva_figure_draw, or with
 * VIVA_EINPUT what is wrong. table: as CSV, and options and picture do not count. */
VIVA_API viva_status viva_describe_draw(const viva_model *model, const char *signal,
                                        const viva_analyze_options *options, bool table,
                                        const viva_figure_options *figure, viva_picture picture, char **data,
                                        size_t *length);

/* ---- one page ---- */

typedef struct viva_report_options {
  viva_run_options run;           /* energy, all, check_step and figure are not used */
  bool steps;                     /* with the derivation */
  bool apart;                     /* of a family: a panel for each member, in the place of one for all */
  double speed;                   /* of the animation; 0: as fast as the clock */
  double camera[3];               /* from where a drawing in space is seen; all 0: as the model says */
  const char *path, *open, *over; /* its linear analysis, as of viva_analyze; all NULL: of the only input and output, if
                                     there are just these */
  const viva_sweep *sweep; /* many runs of this model, with `pictures`, or a table of them: a section; NULL: none */
} viva_report_options;
VIVA_API viva_report_options viva_report_defaults(void);

typedef struct viva_report viva_report;

/* Runs the model and makes one HTML file that needs nothing else: the text of the model, equations, parameters, plots,
 * animation, energy account, results. *report is owned by the caller and given also when the run fails half way, with a
 * page of what there is, or with VIVA_EINPUT, for its message (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where
 * the model has errors). */
VIVA_API viva_status viva_report_model(const viva_model *model, const viva_report_options *options,
                                       viva_report **report);
VIVA_API void viva_report_free(viva_report *report); /* NULL is fine */
/* Borrowed until the report is freed; NULL after VIVA_EINPUT. It ends in NUL, which *length (may be NULL) does not
 * count. */
VIVA_API const char *viva_report_page(const viva_report *report, size_t *length);
VIVA_API const char *
viva_report_message(const viva_report *report); /* what went wrong, with its place; NULL: nothing */
/* Can the page be zoomed and moved? No: Node.js was not there when the library was built, and its pictures stand still.
 */
VIVA_API bool viva_report_interactive(void);

/* A file that appears whole or not at all, as a table does; the path "-" is standard output. */
typedef struct viva_file viva_file;
VIVA_API viva_status viva_file_open(const char *path, viva_file **file, int *system_error); /* errno; may be NULL */
VIVA_API viva_status viva_file_save(viva_file *file, const char *data, size_t length, int *system_error); /* frees */
VIVA_API viva_status viva_file_finish(viva_file *file, const char *data, size_t length,
                                      int *system_error); /* viva_file_discard frees */
VIVA_API void viva_file_discard(viva_file *file); /* frees, and leaves nothing of what was not finished; NULL is fine */
/* For a handler of signals: nothing is left of it. The program must end after it. */
VIVA_API void viva_file_abandon(viva_file *file);

#ifdef __cplusplus
}
#endif
#endif
