// Pictures of `viva sweep`. See sweep_outputs.h.
#include "cli/sweep_outputs.h"

#include "cli/message.h"
#include "cli/outputs.h"
#include "cli/verb.h"

#include <string.h>

static const PanelWord panels[] = {{"curve", VIVA_SWEEP_CURVES},         {"heat", VIVA_SWEEP_HEAT},
                                   {"histogram", VIVA_SWEEP_HISTOGRAMS}, {"scatter", VIVA_SWEEP_SCATTER},
                                   {"parallel", VIVA_SWEEP_PARALLEL},    {"fan", VIVA_SWEEP_FAN},
                                   {"indices", VIVA_SWEEP_INDICES}};
enum { panel_count = sizeof panels / sizeof *panels };

bool sweep_outputs_pictures(const SweepOutputs *o) { return o->plot || o->terminal; }

int sweep_outputs_read(SweepOutputs *o) {
  o->look = viva_figure_defaults();
  int status = read_panels(o->panels, o->plot || o->terminal, panels, panel_count, &o->parts);
  return status < 0 ? read_theme(o->theme, &o->look) : status;
}

int sweep_outputs_open(SweepOutputs *o) {
  return open_picture(o->plot, "--plot", (const char *const[]){"svg", "png", "pdf", NULL}, &o->picture);
}

static int nothing_to_show(const SweepOutputs *o) {
  if (o->panels) complain("none of the panels that `--panels %s` names has anything to show", o->panels);
  else complain("there is nothing to draw: no sample has a value");
  hint("curve needs a grid, heat two, indices `--indices`");
  return exit_input;
}

int sweep_outputs_write(SweepOutputs *o, const viva_sweep *sweep, FILE *to) {
  char *data = NULL;
  size_t length = 0;
  viva_status done = VIVA_OK;
  int status = -1;
  if (o->terminal) {
    viva_figure_options cells = o->look;
    use_terminal(&cells, o->json);
    done = viva_sweep_draw(sweep, &cells, o->parts, VIVA_PICTURE_TERMINAL, &data, &length);
    if (done == VIVA_OK) fprintf(o->json ? stderr : to, "\n%s", data);
    viva_text_free(data);
    data = NULL;
  }
  if (done == VIVA_OK && o->plot) {
    done = viva_sweep_draw(sweep, &o->look, o->parts, o->picture.kind, &data, &length);
    if (done == VIVA_OK) status = save_output(&o->picture.file, o->plot, data, length);
    viva_text_free(data);
    if (done == VIVA_OK && status < 0 && !o->json) fprintf(to, "  plot         %s\n", o->plot);
  }
  if (done == VIVA_OK) return status;
  if (done == VIVA_EINPUT) return nothing_to_show(o);
  complain("the picture cannot be made: %s", viva_status_text(done));
  return exit_failed;
}

void sweep_outputs_close(SweepOutputs *o) { discard_picture(&o->picture); }
