// What stands behind the handles of the public API, and what all of them do alike.
// parts: api.c batch.c check.c columns.c compare.c derive.c diagram.c equilibrium.c export.c family.c figure.c
// parts: files.c fit.c import.c inverse.c model.c run.c sensitivity.c
#ifndef VIVA_API_HANDLES_H
#define VIVA_API_HANDLES_H

#include "api/pipeline.h"
#include "show/figure.h"
#include "show/overlay.h"
#include "viva/viva.h"

#include <stdatomic.h>

// What a model of a family was read from: once more where another member is another system.
typedef struct ModelOrigin {
  const char *name, *text;
  size_t length;
  ModelOptions options;
} ModelOrigin;

// Every handle that keeps memory begins with its arena.
struct viva_model {
  Arena *arena;
  Model model;
  System system;
  const char **texts; // of the diagnostics
  // of a family
  const double *numbers; // what varies
  ModelOrigin origin;
  FamilyProgram *family;  // what the runs of its members share
  struct viva_model *of;  // the one that was read, whose lists it shares; NULL: itself
  atomic_size_t borrowed; // by members and runs that stand on it
};

enum { figure_members_most = VIVA_MEMBERS_MOVING };
struct viva_figure {
  Arena *arena;
  const viva_model *model;
  viva_figure_options options;
  Figure figure;
  Sink sink;
  Scene scene;     // made when the first picture is drawn
  Overlay overlay; // members of a family; none: the figure's own rows are drawn
  const char *message;
};

// Of a member of a family: the unit of something that varies (NULL: not known); "k = 4 N/m, c = 0.1".
const char *figure_varied_unit(Arena *arena, const Model *model, const ModelVaried *varied);
const char *figure_member_label(Arena *arena, const viva_model *member);
void figure_join(Scene *all, const Scene *scene, const viva_model *member, bool dark); // its animation, beside others

struct viva_run {
  Arena *arena;
  RunResult result;
  const char *summary[2]; // text, JSON
  const char *message;
  viva_model *of; // of a family: the model whose program it ran on; NULL: its own
};

// A handle of `size` bytes, zero but for its arena, which is its first member. NULL: out of memory.
void *handle_new(size_t size);
void handle_free(void *handle); // NULL is fine

// What a call with a model comes to before it begins: VIVA_EUSAGE without a model, or without its equations;
// VIVA_EINPUT where it has errors. read: equations may be missing.
viva_status model_status(const viva_model *model);
viva_status model_read_status(const viva_model *model);

// Ends the making of a model that was read: diagnostics, and what a family needs. Frees it when it is out of memory.
viva_status model_finish(viva_model *model, bool ok, viva_model **out);
// Of a model that was read: the numbers of its family, and what a further member is read from. False: out of memory.
bool family_begin(viva_model *model);
// Whoever stands on the model of a family holds it: it lives until the last one lets it go.
viva_model *family_hold(const viva_model *model);
void family_release(viva_model *model); // NULL is fine

// A copy that the caller frees with viva_text_free, and its length (may be NULL). VIVA_OK or VIVA_ENOMEM, also where
// the arena of the text has failed.
viva_status hand_over_text(const Text *text, char **out, size_t *length);
viva_status hand_over_string(const char *text, char **out);

// Diagnostics as one text for a person, in the arena, and one more behind them; NULL: there are none. last may be NULL.
const char *messages_text(Arena *arena, const Sources *sources, const Diags *diags, const Diag *last);

// Is there something to draw in every panel, now that there are rows? The figure keeps the message.
bool figure_can_draw(viva_figure *figure);
// Kinds of pictures that are text or pixels of a drawing.
bool picture_is_still(viva_picture picture); // SVG, PNG, PDF
// SVG text as the picture that was asked for, in memory of the caller. *problem: why it cannot be made.
viva_status picture_bytes(viva_picture picture, const Text *svg, const char **problem, char **data, size_t *length);
// The same of a plot, also in cells of a terminal; d: its arena, title and description. options NULL: the defaults.
// VIVA_EINPUT: there is no panel.
viva_status picture_of_plot(const Plot *plot, Drawing *d, const viva_figure_options *options, viva_picture picture,
                            char **data, size_t *length);

// The status of a call, where memory is the reason that stages give for lack of a better one: if nothing failed to be
// allocated and a reason was left in the arena (arena_refuse), that one is the message, and the status is VIVA_EFAIL.
viva_status settle_status(Arena *arena, viva_status status, const char **message);
// A list of texts without holes; and the kind of a point. False: not used as it should be.
bool has_all(const char *const *list, size_t count);
bool point_of(viva_point point, LinearizeAt *at);
// Terms without a derivative at the point, as warnings.
void kinks_text(const Sources *sources, const KinkList *kinks, Text *out);

// The settings of a run, without its figure and the state that it goes on from.
RunSettings run_settings(const viva_run_options *options);
viva_status run_status(RunStatus status);

#endif
