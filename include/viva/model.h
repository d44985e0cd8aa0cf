/* Models: read from text, and asked for equations, decisions, linear models, equilibria and positions. See viva.h. */
#ifndef VIVA_MODEL_H
#define VIVA_MODEL_H

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
  VIVA_ENOMEM = 4,      /* out of memory */
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
  double stiffness; /* N/m: bars as springs of this stiffness instead of rigid ones; 0: rigid */
  bool at_rest;     /* for viva_equilibrium_find alone: of nodes, bars and springs no equations are made */
  const char *fit;  /* a `fit` line instead of those of the file, with a path from where the program is; or NULL */
  /* The same in pieces; what they leave open is that of the file's `fit` line. */
  const char *data;        /* a data file, a path from where the program is; or NULL */
  const char *const *free; /* "k=0:10": parameters and starts that are unknown */
  size_t free_count;
  const char *const *by; /* "x sd 0.01", "th' = \"gyro\"": what was measured */
  size_t by_count;
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
 * caller; free them with viva_text_free. *message says what is wrong or assumed, with its span; NULL: nothing. It may
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
 * bytes that are no UTF-8) becomes `?`. Messages of this library are made so. NULL: out of memory. Free it with
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
 * the text in messages. *check is owned by the caller, and is given also with VIVA_EINPUT and VIVA_EFAIL, for its
 * message (NULL only with VIVA_ENOMEM and VIVA_EUSAGE, and where the model has errors). */
VIVA_API viva_status viva_check_equations(const viva_model *model, const char *name, const char *text, size_t length,
                                          viva_check **check);
/* The same for a file of equations, of at most 64 MB. VIVA_EINPUT also where it cannot be read: see the message. */
VIVA_API viva_status viva_check_file(const viva_model *model, const char *path, viva_check **check);
/* A report on a model: the unit of every name, constants of motion, parameters that act only in combinations, what has
 * no effect. The verdict is VIVA_EQUAL. */
VIVA_API viva_status viva_check_model(const viva_model *model, viva_check **check);
/* Do two models have the same equations of motion? `first` and `second` name them in the text. */
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
 * friction holds; samples, delays, and events at the point are VIVA_EINPUT: there is no linear model then. */
VIVA_API viva_status viva_linearize(const viva_model *model, const viva_linearize_options *options,
                                    viva_linearization **linearization);
VIVA_API void viva_linearization_free(viva_linearization *linearization); /* NULL is fine */

/* All borrowed until it is freed. */
/* Text, LaTeX or JSON, made when it is first asked for; "": another format, or a failure; NULL: out of memory. */
VIVA_API const char *viva_linearization_text(const viva_linearization *linearization, viva_format format);
/* What went wrong, or (with VIVA_OK) terms that have no derivative at the point, with their spans; NULL: nothing. */
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
/* The same as an expression of the parameters; NULL: not known, or out of memory. */
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
  void (*progress)(void *self, unsigned long iteration, double residue); /* called now and then; may be NULL */
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
                                                                   NULL: out of memory */
VIVA_API const char *viva_equilibrium_message(const viva_equilibrium *equilibrium); /* NULL: nothing went wrong */
VIVA_API size_t viva_equilibrium_count(const viva_equilibrium *equilibrium);        /* 1, of a search any number */
VIVA_API bool viva_equilibrium_complete(const viva_equilibrium *equilibrium); /* of a search: these are all, proved */
VIVA_API viva_stability viva_equilibrium_verdict(const viva_equilibrium *equilibrium, size_t index);
VIVA_API double viva_equilibrium_potential(const viva_equilibrium *equilibrium, size_t index); /* NAN: there is none */
VIVA_API double viva_equilibrium_residue(const viva_equilibrium *equilibrium, size_t index);
/* Coordinates, states, multipliers of constraints; of a structure positions of nodes and forces of bars. NAN, NULL: no
 * such. */
VIVA_API size_t viva_equilibrium_value_count(const viva_equilibrium *equilibrium);
VIVA_API const char *viva_equilibrium_value_name(const viva_equilibrium *equilibrium, size_t value);
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
  void (*progress)(void *self, double part); /* gets the part of the way, now and then; may be NULL */
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
/* Settings "B.x=1.25", for viva_load_options, by which the model starts there: positions, and driven parameters.
 * Of each assembly mode; row 0 of other problems is the last position. 0, NULL: no such. The time cannot be set: where
 * it is driven, and the position belongs to another time than the start time of a simulation, the obstacle says so. */
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

#ifdef __cplusplus
}
#endif
#endif
