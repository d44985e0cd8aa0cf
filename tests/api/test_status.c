// One status for one kind of misuse, in every public call.
//
// The table below has a row for every function of the headers, and a test compares it with them: a new call cannot be
// forgotten. What a row promises follows from the declaration:
//   every call               with NULL for every pointer does not crash; a status is VIVA_EUSAGE unless the row says
//                            that NULL is fine
//   asks a model and         is VIVA_EINPUT for a model with errors, and gives nothing
//   returns a status
//   takes an enum            refuses numbers that the enum does not have
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { none = -1 }; // the call has no status

static viva_model *good, *bad, *driven;
static viva_linearization *linear;
static viva_run *run;
static viva_check *verdict;
static viva_figure *plots;
static viva_analysis *path;

static void *const junk = &good; // what a call must overwrite with NULL

// ---- with NULL for every pointer

#define ANSWER(name, call, wanted)                                                                                     \
  static int null_##name(void) {                                                                                       \
    assert_true((call) == (wanted));                                                                                   \
    return none;                                                                                                       \
  }
#define EMPTY(name, call)                                                                                              \
  static int null_##name(void) {                                                                                       \
    assert_string_equal(call, "");                                                                                     \
    return none;                                                                                                       \
  }
#define QUIET(name, call)                                                                                              \
  static int null_##name(void) {                                                                                       \
    call;                                                                                                              \
    return none;                                                                                                       \
  }
#define NOT_A_NUMBER(name, call)                                                                                       \
  static int null_##name(void) {                                                                                       \
    assert_true(isnan(call));                                                                                          \
    return none;                                                                                                       \
  }
#define STATUS(name, call)                                                                                             \
  static int null_##name(void) { return (int)(call); }

QUIET(version, assert_string_equal(viva_version(), VIVA_VERSION))
QUIET(status_text, assert_string_equal(viva_status_text((viva_status)77), "unknown"))
QUIET(load_defaults, viva_load_defaults())
QUIET(import_defaults, viva_import_defaults())
STATUS(model_load, viva_model_load(NULL, NULL, NULL))
STATUS(model_parse, viva_model_parse(NULL, NULL, 0, NULL, NULL))
QUIET(model_free, viva_model_free(NULL))
ANSWER(model_file_count, viva_model_file_count(NULL), 0)
ANSWER(model_file, viva_model_file(NULL, 0), NULL)
ANSWER(model_title, viva_model_title(NULL), NULL)
STATUS(import, viva_import(NULL, NULL, 0, NULL, NULL, NULL))
STATUS(import_file, viva_import_file(NULL, NULL, NULL, NULL))
STATUS(model_member, viva_model_member(NULL, 0, NULL))
ANSWER(model_member_count, viva_model_member_count(NULL), 0)
ANSWER(model_varied_count, viva_model_varied_count(NULL), 0)
ANSWER(model_varied_name, viva_model_varied_name(NULL, 0), NULL)
ANSWER(model_varied_setting, viva_model_varied_setting(NULL, 0), NULL)
NOT_A_NUMBER(model_varied_value, viva_model_varied_value(NULL, 0))
ANSWER(model_diagnostic_count, viva_model_diagnostic_count(NULL), 0)
ANSWER(model_diagnostic, viva_model_diagnostic(NULL, 0).message, NULL)
ANSWER(model_diagnostics_dropped, viva_model_diagnostics_dropped(NULL), 0)
QUIET(derive_defaults, viva_derive_defaults())
STATUS(derive, viva_derive(NULL, NULL, NULL))
STATUS(export_latex, viva_export_latex(NULL, false, NULL))
QUIET(text_free, viva_text_free(NULL))
ANSWER(text_shown, viva_text_shown(NULL), NULL)
STATUS(check_file, viva_check_file(NULL, NULL, NULL))
STATUS(check_equations, viva_check_equations(NULL, NULL, NULL, 0, NULL))
STATUS(check_model, viva_check_model(NULL, NULL))
STATUS(check_passivity, viva_check_passivity(NULL, NULL))
STATUS(check_same, viva_check_same(NULL, NULL, NULL, NULL, NULL))
QUIET(check_free, viva_check_free(NULL))
ANSWER(check_verdict, viva_check_verdict(NULL), VIVA_UNDECIDED)
ANSWER(check_count, viva_check_count(NULL), 0)
ANSWER(check_verdict_of, viva_check_verdict_of(NULL, 0), VIVA_UNDECIDED)
EMPTY(check_text, viva_check_text(NULL, VIVA_FORMAT_TEXT))
ANSWER(check_message, viva_check_message(NULL), NULL)
QUIET(linearize_defaults, viva_linearize_defaults())
STATUS(linearize, viva_linearize(NULL, NULL, NULL))
QUIET(linearization_free, viva_linearization_free(NULL))
EMPTY(linearization_text, viva_linearization_text(NULL, VIVA_FORMAT_TEXT))
ANSWER(comparison_message, viva_comparison_message(NULL), NULL)
ANSWER(inverse_message, viva_inverse_message(NULL), NULL)
ANSWER(linearization_message, viva_linearization_message(NULL), NULL)
ANSWER(linearization_equilibrium, viva_linearization_equilibrium(NULL), false)
ANSWER(linearization_states, viva_linearization_states(NULL), 0)
ANSWER(linearization_inputs, viva_linearization_inputs(NULL), 0)
ANSWER(linearization_outputs, viva_linearization_outputs(NULL), 0)
ANSWER(linearization_state_name, viva_linearization_state_name(NULL, 0), NULL)
ANSWER(linearization_input_name, viva_linearization_input_name(NULL, 0), NULL)
ANSWER(linearization_output_name, viva_linearization_output_name(NULL, 0), NULL)
NOT_A_NUMBER(linearization_state, viva_linearization_state(NULL, 0))
NOT_A_NUMBER(linearization_input, viva_linearization_input(NULL, 0))
NOT_A_NUMBER(linearization_entry, viva_linearization_entry(NULL, 'A', 0, 0))
ANSWER(linearization_symbolic, viva_linearization_symbolic(NULL, 'A', 0, 0), NULL)
NOT_A_NUMBER(linearization_eigenvalue, viva_linearization_eigenvalue(NULL, 0, NULL))
QUIET(export_defaults, viva_export_defaults())
STATUS(export_c, viva_export_c(NULL, NULL, NULL, NULL, NULL))
QUIET(run_defaults, viva_run_defaults())
STATUS(run_model, viva_run_model(NULL, NULL, NULL, NULL))
STATUS(run_members, viva_run_members(NULL, 0, NULL, NULL, NULL, NULL))
QUIET(comparison_free, viva_comparison_free(NULL))
QUIET(inverse_free, viva_inverse_free(NULL))
QUIET(run_free, viva_run_free(NULL))
QUIET(fit_defaults, viva_fit_defaults())
QUIET(fit_free, viva_fit_free(NULL))
STATUS(fit_model, viva_fit_model(NULL, NULL, NULL))
STATUS(sensitivity_draw, viva_sensitivity_draw(NULL, NULL, VIVA_PICTURE_SVG, NULL, NULL))
QUIET(experiments_defaults, viva_experiments_defaults())
STATUS(experiments_choose, viva_experiments_choose(NULL, NULL, NULL))
QUIET(experiments_free, viva_experiments_free(NULL))
EMPTY(experiments_summary, viva_experiments_summary(NULL, VIVA_FORMAT_TEXT))
ANSWER(experiments_message, viva_experiments_message(NULL), NULL)
ANSWER(experiments_count, viva_experiments_count(NULL), 0)
NOT_A_NUMBER(experiments_get, viva_experiments_get(NULL, 0).efficiency)
EMPTY(fit_summary, viva_fit_summary(NULL, VIVA_FORMAT_TEXT))
ANSWER(fit_message, viva_fit_message(NULL), NULL)
ANSWER(fit_text, viva_fit_text(NULL, NULL), NULL)
ANSWER(fit_unknown_count, viva_fit_unknown_count(NULL), 0)
ANSWER(fit_unknown_name, viva_fit_unknown_name(NULL, 0), NULL)
NOT_A_NUMBER(fit_estimate, viva_fit_estimate(NULL, 0).value)
NOT_A_NUMBER(fit_r_squared, viva_fit_r_squared(NULL))
ANSWER(fit_simulations, viva_fit_simulations(NULL), 0)
QUIET(sensitivity_defaults, viva_sensitivity_defaults())
QUIET(sensitivity_free, viva_sensitivity_free(NULL))
STATUS(sensitivity_model, viva_sensitivity_model(NULL, NULL, NULL, NULL))
EMPTY(sensitivity_summary, viva_sensitivity_summary(NULL, VIVA_FORMAT_TEXT))
ANSWER(sensitivity_message, viva_sensitivity_message(NULL), NULL)
ANSWER(sensitivity_exact, viva_sensitivity_exact(NULL), false)
ANSWER(sensitivity_output_count, viva_sensitivity_output_count(NULL), 0)
ANSWER(sensitivity_unknown_count, viva_sensitivity_unknown_count(NULL), 0)
ANSWER(sensitivity_output_name, viva_sensitivity_output_name(NULL, 0), NULL)
ANSWER(sensitivity_unknown_name, viva_sensitivity_unknown_name(NULL, 0), NULL)
NOT_A_NUMBER(sensitivity_final, viva_sensitivity_final(NULL, 0, 0))
EMPTY(comparison_summary, viva_comparison_summary(NULL, VIVA_FORMAT_TEXT))
EMPTY(inverse_summary, viva_inverse_summary(NULL, VIVA_FORMAT_TEXT))
EMPTY(run_summary, viva_run_summary(NULL, VIVA_FORMAT_TEXT))
ANSWER(run_message, viva_run_message(NULL), NULL)
ANSWER(run_value_count, viva_run_value_count(NULL), 0)
ANSWER(run_value_name, viva_run_value_name(NULL, 0), NULL)
NOT_A_NUMBER(run_value, viva_run_value(NULL, 0))
STATUS(run_save, viva_run_save(NULL, NULL, NULL))
ANSWER(run_event_count, viva_run_event_count(NULL), 0)
EMPTY(run_event, viva_run_event(NULL, 0).what)
NOT_A_NUMBER(run_energy_residue, viva_run_energy_residue(NULL))
QUIET(batch_defaults, viva_batch_defaults())
STATUS(batch_model, viva_batch_model(NULL, NULL, NULL))
QUIET(batch_free, viva_batch_free(NULL))
ANSWER(batch_message, viva_batch_message(NULL), NULL)
ANSWER(batch_failed, viva_batch_failed(NULL), 0)
ANSWER(batch_value_count, viva_batch_value_count(NULL), 0)
ANSWER(batch_value_name, viva_batch_value_name(NULL, 0), NULL)
NOT_A_NUMBER(batch_value, viva_batch_value(NULL, 0, 0))
NOT_A_NUMBER(batch_time, viva_batch_time(NULL, 0))
STATUS(batch_status, viva_batch_status(NULL, 0))
STATUS(cache_clear, viva_cache_clear(NULL, NULL))
STATUS(csv_open, viva_csv_open(NULL, NULL, NULL))
ANSWER(csv_sink, viva_csv_sink(NULL).row, NULL)
STATUS(csv_close, viva_csv_close(NULL, NULL))
STATUS(csv_finish, viva_csv_finish(NULL, NULL))
QUIET(csv_discard, viva_csv_discard(NULL))
QUIET(csv_rescue, viva_csv_rescue(NULL))
STATUS(columns_new, viva_columns_new(NULL, NULL, NULL, NULL))
QUIET(columns_free, viva_columns_free(NULL))
ANSWER(columns_sink, viva_columns_sink(NULL, viva_csv_sink(NULL)).row, NULL)
ANSWER(columns_message, viva_columns_message(NULL), NULL)
QUIET(figure_defaults, viva_figure_defaults())
STATUS(camera_check, viva_camera_check(NULL, NULL))
STATUS(figure_new, viva_figure_new(NULL, NULL, NULL))
QUIET(figure_free, viva_figure_free(NULL))
STATUS(figure_draw, viva_figure_draw(NULL, VIVA_PICTURE_SVG, NULL, NULL))
STATUS(figure_overlay, viva_figure_overlay(NULL, NULL))
STATUS(figure_frame, viva_figure_frame(NULL, 0, VIVA_PICTURE_SVG, NULL, NULL))
NOT_A_NUMBER(figure_end, viva_figure_end(NULL))
ANSWER(figure_message, viva_figure_message(NULL), NULL)
STATUS(diagram, viva_diagram(NULL, false, VIVA_PICTURE_SVG, NULL, NULL, NULL))
STATUS(diagram_dot, viva_diagram_dot(NULL, NULL, NULL))
STATUS(inverse_model, viva_inverse_model(NULL, NULL, NULL, NULL, NULL))
ANSWER(inverse_force_count, viva_inverse_force_count(NULL), 0)
ANSWER(inverse_force_name, viva_inverse_force_name(NULL, 0), NULL)
NOT_A_NUMBER(inverse_force_largest, viva_inverse_force_largest(NULL, 0))
NOT_A_NUMBER(inverse_force_error, viva_inverse_force_error(NULL, 0))
STATUS(compare_methods, viva_compare_methods(NULL, NULL, NULL, 0, NULL))
STATUS(comparison_draw, viva_comparison_draw(NULL, NULL, VIVA_PICTURE_SVG, NULL, NULL))
QUIET(equilibrium_defaults, viva_equilibrium_defaults())
STATUS(equilibrium_find, viva_equilibrium_find(NULL, NULL, NULL))
QUIET(equilibrium_free, viva_equilibrium_free(NULL))
EMPTY(equilibrium_text, viva_equilibrium_text(NULL, VIVA_FORMAT_TEXT))
ANSWER(equilibrium_message, viva_equilibrium_message(NULL), NULL)
ANSWER(equilibrium_count, viva_equilibrium_count(NULL), 0)
ANSWER(equilibrium_complete, viva_equilibrium_complete(NULL), false)
QUIET(equilibrium_verdict, viva_equilibrium_verdict(NULL, 0))
NOT_A_NUMBER(equilibrium_potential, viva_equilibrium_potential(NULL, 0))
NOT_A_NUMBER(equilibrium_residue, viva_equilibrium_residue(NULL, 0))
ANSWER(equilibrium_value_count, viva_equilibrium_value_count(NULL), 0)
ANSWER(equilibrium_value_name, viva_equilibrium_value_name(NULL, 0), NULL)
NOT_A_NUMBER(equilibrium_value, viva_equilibrium_value(NULL, 0, 0))
STATUS(equilibrium_draw, viva_equilibrium_draw(NULL, NULL, VIVA_PICTURE_SVG, NULL, NULL))
STATUS(linearization_draw, viva_linearization_draw(NULL, VIVA_LINEAR_POLES, NULL, VIVA_PICTURE_SVG, NULL, NULL))
ANSWER(picture_find, viva_picture_find(NULL, NULL), false)
ANSWER(picture_missing, viva_picture_missing(VIVA_PICTURE_SVG), NULL)
QUIET(report_defaults, viva_report_defaults())
STATUS(report_model, viva_report_model(NULL, NULL, NULL))
QUIET(report_free, viva_report_free(NULL))
ANSWER(report_page, viva_report_page(NULL, NULL), NULL)
ANSWER(report_message, viva_report_message(NULL), NULL)
STATUS(file_open, viva_file_open(NULL, NULL, NULL))
ANSWER(file_same, viva_file_same(NULL, NULL), false)
STATUS(file_save, viva_file_save(NULL, NULL, 0, NULL))
STATUS(file_finish, viva_file_finish(NULL, NULL, 0, NULL))
QUIET(file_discard, viva_file_discard(NULL))
QUIET(file_abandon, viva_file_abandon(NULL))
QUIET(positions_defaults, viva_positions_defaults())
STATUS(positions_find, viva_positions_find(NULL, NULL, NULL, NULL))
QUIET(positions_free, viva_positions_free(NULL))
EMPTY(positions_text, viva_positions_text(NULL, VIVA_FORMAT_TEXT))
ANSWER(positions_message, viva_positions_message(NULL), NULL)
ANSWER(positions_count, viva_positions_count(NULL), 0)
ANSWER(positions_column_count, viva_positions_column_count(NULL), 0)
ANSWER(positions_column_name, viva_positions_column_name(NULL, 0), NULL)
NOT_A_NUMBER(positions_value, viva_positions_value(NULL, 0, 0))
ANSWER(positions_proved, viva_positions_proved(NULL), false)
ANSWER(positions_listed, viva_positions_listed(NULL, NULL), false)
ANSWER(positions_start_count, viva_positions_start_count(NULL, 0), 0)
ANSWER(positions_start, viva_positions_start(NULL, 0, 0), NULL)
ANSWER(positions_start_obstacle, viva_positions_start_obstacle(NULL), NULL)
ANSWER(positions_model, viva_positions_model(NULL), NULL)
STATUS(positions_follow, viva_positions_follow(NULL, NULL))
ANSWER(sweep_path, viva_sweep_path(NULL), NULL)
STATUS(positions_draw, viva_positions_draw(NULL, NULL, VIVA_PICTURE_SVG, NULL, NULL))
ANSWER(run_measure_count, viva_run_measure_count(NULL), 0)
NOT_A_NUMBER(run_measure, viva_run_measure(NULL, 0))
NOT_A_NUMBER(fit_index, viva_fit_index(NULL))
NOT_A_NUMBER(fit_aic, viva_fit_aic(NULL))
NOT_A_NUMBER(fit_bic, viva_fit_bic(NULL))
ANSWER(fit_data, viva_fit_data(NULL, NULL), 0)
STATUS(fit_table, viva_fit_table(NULL, NULL))
STATUS(fit_evolution, viva_fit_evolution(NULL, NULL))
STATUS(fit_draw, viva_fit_draw(NULL, NULL, 0, VIVA_PICTURE_SVG, NULL, NULL))
NOT_A_NUMBER(batch_measure, viva_batch_measure(NULL, 0, 0))
STATUS(ranks_join, viva_ranks_join(NULL))
ANSWER(ranks_message, viva_ranks_message(NULL), NULL)
ANSWER(ranks_own, viva_ranks_own(NULL), 0)
ANSWER(ranks_count, viva_ranks_count(NULL), 1)
QUIET(ranks_leave, viva_ranks_leave(NULL))
QUIET(sweep_defaults, viva_sweep_defaults())
STATUS(sweep_model, viva_sweep_model(NULL, NULL, NULL))
QUIET(sweep_free, viva_sweep_free(NULL))
EMPTY(sweep_summary, viva_sweep_summary(NULL, VIVA_FORMAT_TEXT))
ANSWER(sweep_message, viva_sweep_message(NULL), NULL)
ANSWER(sweep_count, viva_sweep_count(NULL), 0)
ANSWER(sweep_done, viva_sweep_done(NULL), 0)
ANSWER(sweep_failed, viva_sweep_failed(NULL), 0)
ANSWER(sweep_passed, viva_sweep_passed(NULL), 0)
STATUS(sweep_open, viva_sweep_open(NULL, NULL))
STATUS(sweep_draw, viva_sweep_draw(NULL, NULL, 0, VIVA_PICTURE_SVG, NULL, NULL))
ANSWER(sweep_measure_count, viva_sweep_measure_count(NULL), 0)
ANSWER(sweep_measure_name, viva_sweep_measure_name(NULL, 0), NULL)
NOT_A_NUMBER(sweep_statistics, viva_sweep_statistics(NULL, 0).mean)
ANSWER(csv_knows, viva_csv_knows(NULL), 0)
QUIET(analyze_defaults, viva_analyze_defaults())
STATUS(analyze, viva_analyze(NULL, NULL, NULL))
QUIET(analysis_free, viva_analysis_free(NULL))
EMPTY(analysis_text, viva_analysis_text(NULL, VIVA_FORMAT_TEXT))
ANSWER(analysis_message, viva_analysis_message(NULL), NULL)
STATUS(analysis_draw, viva_analysis_draw(NULL, VIVA_CURVE_BODE, NULL, VIVA_PICTURE_SVG, NULL, NULL))
STATUS(analysis_table, viva_analysis_table(NULL, VIVA_CURVE_BODE, NULL, NULL))
QUIET(design_defaults, viva_design_defaults())
STATUS(analysis_design, viva_analysis_design(NULL, NULL, NULL, VIVA_FORMAT_TEXT, NULL))
STATUS(analysis_realize, viva_analysis_realize(NULL, NULL, NULL, NULL))
STATUS(describe, viva_describe(NULL, NULL, NULL, VIVA_FORMAT_TEXT, NULL))
STATUS(describe_draw, viva_describe_draw(NULL, NULL, NULL, false, NULL, VIVA_PICTURE_SVG, NULL, NULL))

// ---- a model with errors (or none) and everything else as it should be

#define ASK(name, type, call)                                                                                          \
  static int ask_##name(const viva_model *m) {                                                                         \
    type *out = junk;                                                                                                  \
    viva_status status = call;                                                                                         \
    assert_null(out);                                                                                                  \
    return (int)status;                                                                                                \
  }

ASK(derive, char, viva_derive(m, NULL, &out))
ASK(export_latex, char, viva_export_latex(m, true, &out))
ASK(check_equations, viva_check, viva_check_equations(m, "test", "x = 1", 5, &out))
ASK(check_file, viva_check, viva_check_file(m, "/nowhere/equations", &out))
ASK(check_model, viva_check, viva_check_model(m, &out))
ASK(check_passivity, viva_check, viva_check_passivity(m, &out))
ASK(check_same, viva_check, viva_check_same(good, m, "a", "b", &out))
ASK(check_same_first, viva_check, viva_check_same(m, good, "a", "b", &out))
ASK(linearize, viva_linearization, viva_linearize(m, NULL, &out))
ASK(export_c, char, viva_export_c(m, NULL, "/nowhere/at/all", &out, NULL))
ASK(fit_model, viva_fit, viva_fit_model(m, NULL, &out))
ASK(experiments_choose, viva_experiments, viva_experiments_choose(m, NULL, &out))
ASK(sensitivity_model, viva_sensitivity, viva_sensitivity_model(m, NULL, NULL, &out))
ASK(inverse_model, viva_inverse, viva_inverse_model(m, "nowhere.csv", NULL, NULL, &out))
ASK(compare_methods, viva_comparison, viva_compare_methods(m, NULL, (const char *const[]){"rk4"}, 1, &out))
ASK(equilibrium_find, viva_equilibrium, viva_equilibrium_find(m, NULL, &out))
ASK(run_model, viva_run, viva_run_model(m, NULL, NULL, &out))
ASK(run_members, viva_run,
    viva_run_members(&m, 1, (viva_run_options[]){viva_run_defaults()}, NULL, &out, &(viva_status){VIVA_OK}))
ASK(batch_model, viva_batch, viva_batch_model(m, &(viva_batch_options){.run = viva_run_defaults(), .count = 1}, &out))
ASK(figure_new, viva_figure, viva_figure_new(m, NULL, &out))
ASK(report_model, viva_report, viva_report_model(m, NULL, &out))
ASK(diagram_dot, char, viva_diagram_dot(m, &out, NULL))
ASK(sweep_model, viva_sweep, viva_sweep_model(m, &(viva_sweep_options){.run = viva_run_defaults()}, &out))
ASK(analyze, viva_analysis, viva_analyze(m, NULL, &out))
ASK(analysis_design, char, viva_analysis_design(m, path, NULL, VIVA_FORMAT_TEXT, &out))
ASK(describe, char, viva_describe(m, "u", NULL, VIVA_FORMAT_TEXT, &out))
ASK(describe_draw, char, viva_describe_draw(m, "u", NULL, true, NULL, VIVA_PICTURE_SVG, &out, &(size_t){0}))

static int ask_diagram(const viva_model *m) {
  char *out = junk;
  size_t length = 77;
  viva_status status = viva_diagram(m, false, VIVA_PICTURE_SVG, &out, &length, NULL);
  assert_true(!out && length == 0);
  return (int)status;
}

static int ask_positions_find(const viva_model *m) {
  viva_positions *out = junk;
  assert_int_equal(viva_positions_find(good, &(viva_positions_options){.problem = NULL}, NULL, &out), VIVA_EUSAGE);
  assert_null(out);
  out = junk;
  viva_status status = viva_positions_find(m, NULL, NULL, &out);
  assert_null(out);
  return (int)status;
}

static int ask_model_member(const viva_model *m) {
  viva_model *out = (viva_model *)junk;
  viva_status status = viva_model_member(m, 0, &out);
  assert_null(out);
  return (int)status;
}

static int ask_columns_new(const viva_model *m) {
  viva_columns *out = (viva_columns *)junk;
  viva_status status = viva_columns_new(m, NULL, NULL, &out);
  assert_null(out);
  return (int)status;
}

// Those that take a model and answer no status: an answer also for a model with errors.
static int ask_words(const viva_model *m) {
  viva_model_title(m);
  assert_true(viva_model_file_count(m) <= 1);
  viva_model_file(m, 0);
  assert_null(viva_model_varied_name(m, 0));
  assert_null(viva_model_varied_setting(m, 0));
  assert_true(isnan(viva_model_varied_value(m, 0)));
  assert_true(viva_model_varied_count(m) == 0 && viva_model_member_count(m) <= 1);
  assert_true(viva_model_diagnostic_count(m) == (m != NULL));
  assert_true((viva_model_diagnostic(m, 0).message != NULL) == (m != NULL));
  assert_true(viva_model_diagnostics_dropped(m) == 0);
  assert_false(viva_positions_listed(m, NULL));
  return none;
}

// ---- numbers that an enum does not have; `wrong` is one of them

static int enum_derive(int wrong) {
  char *out = junk;
  viva_derive_options o = viva_derive_defaults();
  o.form = (viva_form)wrong;
  assert_int_equal(viva_derive(good, &o, &out), VIVA_EUSAGE);
  o = viva_derive_defaults();
  o.format = (viva_format)wrong;
  viva_status status = viva_derive(good, &o, &out);
  assert_null(out);
  return (int)status;
}

static int enum_linearize(int wrong) {
  viva_linearization *out = junk;
  viva_linearize_options o = viva_linearize_defaults();
  o.point = (viva_point)wrong;
  viva_status status = viva_linearize(good, &o, &out);
  assert_null(out);
  return (int)status;
}

static int ask_camera_check(const viva_model *m) {
  const double camera[3] = {1, 1, 0.5};
  return viva_camera_check(m, camera);
}

static int enum_figure_new(int wrong) {
  viva_figure *out = junk;
  viva_figure_options o = viva_figure_defaults();
  o.kind = (viva_figure_kind)wrong;
  viva_status status = viva_figure_new(good, &o, &out);
  assert_null(out);
  return (int)status;
}

static int enum_figure_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_status status = viva_figure_draw(plots, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0 && viva_figure_message(plots));
  return (int)status;
}

static int enum_figure_frame(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_status status = viva_figure_frame(plots, 0, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  return (int)status;
}

static int enum_diagram(int wrong) {
  char *out = junk, *message = NULL;
  size_t length = 77;
  viva_status status = viva_diagram(good, false, (viva_picture)wrong, &out, &length, &message);
  assert_true(!out && length == 0 && message);
  viva_text_free(message);
  return (int)status;
}

static int enum_linearization_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_picture svg = VIVA_PICTURE_SVG;
  assert_int_equal(viva_linearization_draw(linear, (viva_linear_figure)wrong, NULL, svg, &out, &length), VIVA_EUSAGE);
  assert_null(out);
  viva_status status = viva_linearization_draw(linear, VIVA_LINEAR_POLES, NULL, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  return (int)status;
}

static viva_equilibrium *new_equilibrium(void) {
  viva_equilibrium *x = NULL;
  assert_int_equal(viva_equilibrium_find(good, NULL, &x), VIVA_OK);
  return x;
}

static int enum_equilibrium_text(int wrong) {
  viva_equilibrium *x = new_equilibrium();
  assert_true(strlen(viva_equilibrium_text(x, VIVA_FORMAT_JSON)) > 0);
  assert_string_equal(viva_equilibrium_text(x, (viva_format)wrong), "");
  assert_string_equal(viva_equilibrium_text(x, VIVA_FORMAT_LATEX), "");
  viva_equilibrium_free(x);
  return none;
}

static int enum_equilibrium_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_equilibrium *x = new_equilibrium();
  viva_status status = viva_equilibrium_draw(x, NULL, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  viva_equilibrium_free(x);
  return (int)status;
}

static viva_comparison *new_comparison(void) {
  const char *methods[] = {"rk4"};
  viva_comparison *c = NULL;
  assert_int_equal(viva_compare_methods(good, NULL, methods, 1, &c), VIVA_OK);
  return c;
}

static int enum_comparison_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_comparison *c = new_comparison();
  viva_status status = viva_comparison_draw(c, NULL, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  viva_comparison_free(c);
  return (int)status;
}

// a model without a `fit` line: the handle is there, and has no summary
static int enum_fit_summary(int wrong) {
  viva_fit *f = NULL;
  assert_int_equal(viva_fit_model(good, NULL, &f), VIVA_EINPUT);
  assert_true(strlen(viva_fit_message(f)) > 0);
  assert_string_equal(viva_fit_summary(f, VIVA_FORMAT_TEXT), "");
  assert_string_equal(viva_fit_summary(f, (viva_format)wrong), "");
  assert_true(viva_fit_unknown_count(f) == 0 && isnan(viva_fit_r_squared(f)) && !viva_fit_text(f, NULL));
  viva_fit_free(f);
  return none;
}

static int enum_sensitivity_summary(int wrong) {
  viva_sensitivity *s = NULL;
  viva_sensitivity_options o = viva_sensitivity_defaults();
  o.names = (const char *const[]){"nobody"};
  o.name_count = 1;
  assert_int_equal(viva_sensitivity_model(good, &o, NULL, &s), VIVA_EINPUT);
  assert_true(strlen(viva_sensitivity_message(s)) > 0);
  assert_string_equal(viva_sensitivity_summary(s, (viva_format)wrong), "");
  assert_true(viva_sensitivity_output_count(s) == 0 && isnan(viva_sensitivity_final(s, 0, 0)));
  viva_sensitivity_free(s);
  return none;
}

// a motion that cannot be read: the handle is there, and has no summary
static int enum_inverse_summary(int wrong) {
  viva_inverse *v = NULL;
  assert_int_equal(viva_inverse_model(good, "/nowhere/at/all.csv", NULL, NULL, &v), VIVA_EINPUT);
  assert_true(strlen(viva_inverse_message(v)) > 0);
  assert_string_equal(viva_inverse_summary(v, VIVA_FORMAT_TEXT), "");
  assert_string_equal(viva_inverse_summary(v, (viva_format)wrong), "");
  assert_true(viva_inverse_force_count(v) == 0 && isnan(viva_inverse_force_largest(v, 0)));
  viva_inverse_free(v);
  return none;
}

static int enum_comparison_summary(int wrong) {
  viva_comparison *c = new_comparison();
  assert_true(strlen(viva_comparison_summary(c, VIVA_FORMAT_JSON)) > 0);
  assert_string_equal(viva_comparison_summary(c, (viva_format)wrong), "");
  assert_string_equal(viva_comparison_summary(c, VIVA_FORMAT_LATEX), "");
  viva_comparison_free(c);
  return none;
}

static int enum_status_text(int wrong) {
  assert_string_equal(viva_status_text((viva_status)wrong), "unknown");
  return none;
}

static int enum_check_text(int wrong) {
  assert_true(strlen(viva_check_text(verdict, VIVA_FORMAT_TEXT)) > 0);
  assert_string_equal(viva_check_text(verdict, (viva_format)wrong), "");
  assert_string_equal(viva_check_text(verdict, VIVA_FORMAT_LATEX), "");
  return none;
}

static int enum_linearization_text(int wrong) {
  assert_true(strlen(viva_linearization_text(linear, VIVA_FORMAT_LATEX)) > 0);
  assert_string_equal(viva_linearization_text(linear, (viva_format)wrong), "");
  assert_string_equal(viva_linearization_text(linear, VIVA_FORMAT_HTML), "");
  return none;
}

static int enum_run_summary(int wrong) {
  assert_true(strlen(viva_run_summary(run, VIVA_FORMAT_JSON)) > 0);
  assert_string_equal(viva_run_summary(run, (viva_format)wrong), "");
  assert_string_equal(viva_run_summary(run, VIVA_FORMAT_LATEX), "");
  return none;
}

static int enum_picture_missing(int wrong) {
  assert_non_null(viva_picture_missing((viva_picture)wrong));
  return none;
}

// a model without `drive` lines: the handle is there, and has no rows
static viva_positions *new_positions(void) {
  viva_positions *v = NULL;
  viva_positions_find(good, NULL, NULL, &v);
  assert_non_null(v);
  return v;
}

static int enum_positions_text(int wrong) {
  viva_positions *v = new_positions();
  assert_non_null(viva_positions_text(v, VIVA_FORMAT_JSON));
  assert_string_equal(viva_positions_text(v, (viva_format)wrong), "");
  assert_string_equal(viva_positions_text(v, VIVA_FORMAT_LATEX), "");
  assert_null(viva_positions_column_name(v, viva_positions_column_count(v)));
  assert_true(isnan(viva_positions_value(v, viva_positions_count(v), 0)));
  viva_positions_free(v);
  return none;
}

static int enum_positions_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_positions *v = new_positions();
  viva_status status = viva_positions_draw(v, NULL, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  viva_positions_free(v);
  return (int)status;
}

static int enum_sensitivity_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_sensitivity *s = NULL;
  assert_int_equal(viva_sensitivity_model(good, NULL, NULL, &s), VIVA_OK);
  viva_status status = viva_sensitivity_draw(s, NULL, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  viva_sensitivity_free(s);
  return (int)status;
}

// nothing is unknown: the handle is there, and has no summary
static int enum_experiments_summary(int wrong) {
  viva_experiments *x = NULL;
  assert_int_equal(viva_experiments_choose(good, NULL, &x), VIVA_EINPUT);
  assert_true(strlen(viva_experiments_message(x)) > 0 && viva_experiments_count(x) == 0);
  assert_string_equal(viva_experiments_summary(x, VIVA_FORMAT_TEXT), "");
  assert_string_equal(viva_experiments_summary(x, (viva_format)wrong), "");
  viva_experiments_free(x);
  return none;
}

// a fit that came to nothing: no numbers, no tables
static int enum_fit_draw(int wrong) {
  char *out = junk;
  size_t length = 77, points = 77;
  viva_sink nowhere = viva_csv_sink(NULL);
  viva_fit *f = NULL;
  assert_int_equal(viva_fit_model(good, NULL, &f), VIVA_EINPUT);
  assert_true(isnan(viva_fit_index(f)) && isnan(viva_fit_aic(f)) && isnan(viva_fit_bic(f)));
  assert_true(viva_fit_data(f, &points) == 0 && points == 0);
  assert_int_equal(viva_fit_table(f, &nowhere), VIVA_EINPUT);
  assert_int_equal(viva_fit_evolution(f, &nowhere), VIVA_EINPUT);
  viva_status status = viva_fit_draw(f, NULL, 0, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  viva_fit_free(f);
  return (int)status;
}

static int enum_sweep_model(int wrong) {
  viva_sweep *out = junk;
  viva_sweep_options o = viva_sweep_defaults();
  o.sampling = (viva_sampling)wrong;
  viva_status status = viva_sweep_model(good, &o, &out);
  assert_null(out);
  return (int)status;
}

// a table that is not there: the handle is there, and has no pictures
static int enum_sweep_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_sweep *x = NULL;
  assert_int_equal(viva_sweep_open("/nowhere/table.csv", &x), VIVA_EINPUT);
  viva_status status = viva_sweep_draw(x, NULL, 0, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  viva_sweep_free(x);
  return (int)status;
}

// a quantity that is not there: the handle is there, and has no summary
static int enum_sweep_summary(int wrong) {
  viva_sweep *x = NULL;
  viva_sweep_options o = viva_sweep_defaults();
  o.vary = (const char *const[]){"nobody=1:2:3"};
  o.vary_count = 1;
  assert_int_equal(viva_sweep_model(good, &o, &x), VIVA_EINPUT);
  assert_true(strlen(viva_sweep_message(x)) > 0 && viva_sweep_done(x) == 0);
  assert_string_equal(viva_sweep_summary(x, VIVA_FORMAT_TEXT), "");
  assert_string_equal(viva_sweep_summary(x, (viva_format)wrong), "");
  viva_sweep_free(x);
  return none;
}

static int enum_analyze(int wrong) {
  viva_analysis *out = junk;
  viva_analyze_options o = viva_analyze_defaults();
  o.point = (viva_point)wrong;
  viva_status status = viva_analyze(good, &o, &out);
  assert_null(out);
  return (int)status;
}

static int enum_analysis_text(int wrong) {
  assert_true(strlen(viva_analysis_text(path, VIVA_FORMAT_JSON)) > 0);
  assert_string_equal(viva_analysis_text(path, (viva_format)wrong), "");
  assert_string_equal(viva_analysis_text(path, VIVA_FORMAT_LATEX), "");
  return none;
}

// 7 is a curve
static viva_curve wrong_curve(int wrong) {
  return (viva_curve)(wrong >= 0 && wrong <= VIVA_CURVE_POPOV ? VIVA_CURVE_POPOV + 1 : wrong);
}

static int enum_analysis_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_picture svg = VIVA_PICTURE_SVG;
  assert_int_equal(viva_analysis_draw(path, wrong_curve(wrong), NULL, svg, &out, &length), VIVA_EUSAGE);
  assert_true(!out && length == 0);
  assert_int_equal(viva_analysis_draw(path, VIVA_CURVE_LOCUS, NULL, svg, &out, &length), VIVA_EINPUT);
  assert_true(!out && length == 0);
  viva_status status = viva_analysis_draw(path, VIVA_CURVE_BODE, NULL, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  return (int)status;
}

static int enum_analysis_table(int wrong) {
  char *out = junk;
  size_t length = 77;
  assert_int_equal(viva_analysis_table(path, VIVA_CURVE_LOCUS, &out, &length), VIVA_EINPUT);
  assert_true(!out && length == 0);
  viva_status status = viva_analysis_table(path, wrong_curve(wrong), &out, &length);
  assert_true(!out && length == 0);
  return (int)status;
}

static int enum_analysis_design(int wrong) {
  char *out = junk;
  viva_status status = viva_analysis_design(driven, path, NULL, (viva_format)wrong, &out);
  assert_null(out);
  return (int)status;
}

static int enum_describe(int wrong) {
  char *out = junk;
  viva_analyze_options o = viva_analyze_defaults();
  viva_status status = viva_describe(good, "u", &o, (viva_format)wrong, &out);
  assert_null(out);
  return (int)status;
}

static int enum_describe_draw(int wrong) {
  char *out = junk;
  size_t length = 77;
  viva_status status = viva_describe_draw(good, "u", NULL, false, NULL, (viva_picture)wrong, &out, &length);
  assert_true(!out && length == 0);
  return (int)status;
}

// ---- the table

typedef struct Call {
  const char *name;
  int (*with_null)(void);
  bool null_is_fine;                     // its pointers are all optional
  int (*with_model)(const viva_model *); // NULL: it takes none
  int (*with_enum)(int wrong);           // NULL: it takes none
} Call;

#define C(name)                                                                                                        \
  { "viva_" #name, null_##name, false, NULL, NULL }
#define M(name)                                                                                                        \
  { "viva_" #name, null_##name, false, ask_##name, NULL }
#define W(name)                                                                                                        \
  { "viva_" #name, null_##name, false, ask_words, NULL }
#define E(name)                                                                                                        \
  { "viva_" #name, null_##name, false, NULL, enum_##name }
#define B(name)                                                                                                        \
  { "viva_" #name, null_##name, false, ask_##name, enum_##name }

// clang-format off
static const Call calls[] = {
    C(version), E(status_text), C(load_defaults), C(model_load), C(model_parse), C(model_free), W(model_file_count),
    W(model_file), W(model_title), C(import_defaults),
    C(import), C(import_file), M(model_member), W(model_member_count),
    W(model_varied_count),
    W(model_varied_name), W(model_varied_setting), W(model_varied_value), W(model_diagnostic_count),
    W(model_diagnostic), W(model_diagnostics_dropped), C(derive_defaults), B(derive), M(export_latex), C(text_free),
    C(text_shown),
    M(check_equations), M(check_model), M(check_passivity), M(check_same), C(check_free), C(check_verdict),
    C(check_count),
    C(check_verdict_of), E(check_text), C(check_message), C(linearize_defaults), B(linearize), C(linearization_free),
    E(linearization_text), C(linearization_message), C(linearization_equilibrium), C(linearization_states),
    C(linearization_inputs), C(linearization_outputs), C(linearization_state_name), C(linearization_input_name),
    C(linearization_output_name), C(linearization_state), C(linearization_input), C(linearization_entry),
    C(linearization_symbolic), C(linearization_eigenvalue), C(export_defaults), M(export_c), C(run_defaults),
    M(run_members),
    M(run_model), C(run_free), E(run_summary), C(run_message), C(run_value_count), C(run_value_name), C(run_value),
    C(run_save), C(run_event_count), C(run_event), C(run_energy_residue), C(batch_defaults), M(batch_model),
    C(batch_free), C(batch_message), C(batch_failed), C(batch_value_count), C(batch_value_name), C(batch_value),
    C(batch_time), C(batch_status), {"viva_cache_clear", null_cache_clear, true, NULL, NULL}, C(csv_open),
    C(csv_sink), C(csv_close), C(csv_finish), C(csv_discard), C(csv_rescue),
    M(columns_new), C(columns_free), C(columns_sink), C(columns_message), C(figure_defaults),
    M(camera_check), B(figure_new),
    C(figure_free), E(figure_draw), C(figure_overlay), E(figure_frame), C(figure_end), C(figure_message), B(diagram),
    C(equilibrium_defaults), M(equilibrium_find), C(equilibrium_free), E(equilibrium_text), C(equilibrium_message),
    C(equilibrium_count), C(equilibrium_complete), C(equilibrium_verdict), C(equilibrium_potential),
    C(equilibrium_residue), C(equilibrium_value_count), C(equilibrium_value_name), C(equilibrium_value),
    C(fit_defaults), M(fit_model), C(fit_free), E(fit_summary), C(fit_message), C(fit_text), C(fit_unknown_count),
    C(fit_unknown_name), C(fit_estimate), C(fit_r_squared), C(fit_simulations), C(sensitivity_defaults),
    M(sensitivity_model), C(sensitivity_free), E(sensitivity_summary), C(sensitivity_message), C(sensitivity_exact),
    C(sensitivity_output_count), C(sensitivity_unknown_count), C(sensitivity_output_name),
    C(sensitivity_unknown_name), C(sensitivity_final),
    E(equilibrium_draw), M(diagram_dot), M(inverse_model), C(inverse_free), E(inverse_summary),
    C(inverse_message), C(inverse_force_count), C(inverse_force_name), C(inverse_force_largest),
    C(inverse_force_error), M(compare_methods),
    C(comparison_free), E(comparison_summary),
    C(comparison_message),
    E(comparison_draw), E(linearization_draw), C(picture_find), E(picture_missing), C(report_defaults), M(report_model),
    C(report_free), C(report_page), C(report_message), C(file_open), C(file_same), C(file_save),
    C(file_finish), C(file_discard), C(file_abandon),
    C(positions_defaults), M(positions_find), C(positions_free), E(positions_text), C(positions_message),
    C(positions_count), C(positions_column_count), C(positions_column_name), C(positions_value), C(positions_proved),
    W(positions_listed), C(positions_start_count), C(positions_start), C(positions_start_obstacle),
    C(positions_model),
    E(positions_draw), C(positions_follow), C(sweep_path), M(check_file),
    C(run_measure_count), C(run_measure), C(fit_index), C(fit_aic), C(fit_bic), C(fit_data),
    E(sensitivity_draw), C(experiments_defaults), M(experiments_choose), C(experiments_free), E(experiments_summary),
    C(experiments_message), C(experiments_count), C(experiments_get),
    C(fit_table), C(fit_evolution), E(fit_draw), C(batch_measure), C(sweep_defaults), B(sweep_model), C(sweep_free),
    C(ranks_join), C(ranks_message), C(ranks_own), C(ranks_count), C(ranks_leave),
    E(sweep_summary), C(sweep_message), C(sweep_count), C(sweep_done), C(sweep_failed), C(sweep_passed),
    C(sweep_open), E(sweep_draw), C(sweep_measure_count), C(sweep_measure_name), C(sweep_statistics), C(csv_knows),
    C(analyze_defaults), B(analyze), C(analysis_free), E(analysis_text), C(analysis_message), E(analysis_draw),
    E(analysis_table), C(design_defaults), B(analysis_design), C(analysis_realize), B(describe), B(describe_draw),
};
// clang-format on
enum { call_count = sizeof calls / sizeof *calls };

static const Call *find_call(const char *name, size_t length) {
  for (size_t i = 0; i < call_count; i++) {
    if (strlen(calls[i].name) == length && memcmp(calls[i].name, name, length) == 0) return &calls[i];
  }
  return NULL;
}

// Options with an enum inside, beside the enums themselves.
static const char *const enum_words[] = {
    "viva_form ",  "viva_format ",         "viva_picture ",         "viva_status status",
    "viva_point ", "viva_linear_figure ",  "viva_derive_options *", "viva_linearize_options *",
    "viva_curve ", "viva_sweep_options *", "viva_analyze_options *"};

// Compares one declaration, `... viva_name(parameters)`, with the table.
static bool compare(const char *text, size_t length) {
  char copy[1024];
  assert_true(length < sizeof copy);
  snprintf(copy, sizeof copy, "%.*s", (int)length, text);
  const char *bracket = strchr(copy, '('), *start = bracket;
  while (start > copy && (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z'))) start--;
  const Call *call = find_call(start, (size_t)(bracket - start));
  if (!call) {
    print_error("%s: no row in the table of test_status.c\n", copy);
    return false;
  }
  bool model = strstr(bracket, "const viva_model *") != NULL, number = false;
  for (size_t i = 0; i < sizeof enum_words / sizeof *enum_words; i++) {
    const char *at = strstr(bracket, enum_words[i]);
    number = number || (at && !strstr(at, "viva_picture *picture"));
  }
  if (model == (call->with_model != NULL) && (!number || call->with_enum)) return true;
  print_error("%s: its row says another thing about models or enums\n", copy);
  return false;
}

// All of them, one behind the other.
static char *read_headers(void) {
  static const char *const names[] = {"model", "motion", "studies", "pictures", "analysis"};
  const size_t room = 1 << 20;
  char *text = calloc(1, room), name[512];
  size_t length = 0;
  assert_non_null(text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(name, sizeof name, VIVA_ROOT "/include/viva/%s.h", names[i]);
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    size_t got = fread(text + length, 1, room - 1 - length, f);
    assert_true(got > 0);
    length += got;
    fclose(f);
  }
  return text;
}

static void every_public_call_is_in_the_table(void **state) {
  (void)state;
  char *text = read_headers();
  size_t found = 0;
  bool same = true;
  for (const char *at = strstr(text, "\nVIVA_API "); at; at = strstr(at + 1, "\nVIVA_API ")) {
    same = compare(at + 1, (size_t)(strchr(at, ';') - at - 1)) && same;
    found++;
  }
  free(text);
  assert_true(same);
  assert_int_equal(found, call_count);
  // it can fail: calls that are not there, and a row that knows nothing of the model or the enum
  const char *wrong[] = {"VIVA_API void viva_made_up(const viva_model *model)",
                         "VIVA_API size_t viva_run_value_count(const viva_model *model)",
                         "VIVA_API viva_status viva_run_save(viva_format format)"};
  for (size_t i = 0; i < 3; i++) assert_false(compare(wrong[i], strlen(wrong[i])));
}

// ---- the tests

static void null_is_answered_everywhere(void **state) {
  (void)state;
  for (size_t i = 0; i < call_count; i++) {
    int status = calls[i].with_null();
    int wanted = calls[i].null_is_fine ? VIVA_OK : VIVA_EUSAGE;
    if (status != none && status != wanted) fail_msg("%s(NULL ...) is %d", calls[i].name, status);
    if (calls[i].with_model) {
      status = calls[i].with_model(NULL);
      if (status != none && status != VIVA_EUSAGE) fail_msg("%s without a model is %d", calls[i].name, status);
    }
  }
}

static void a_model_with_errors_is_wrong_input_everywhere(void **state) {
  (void)state;
  for (size_t i = 0; i < call_count; i++) {
    int status = calls[i].with_model ? calls[i].with_model(bad) : none;
    if (status != none && status != VIVA_EINPUT) fail_msg("%s of a wrong model is %d", calls[i].name, status);
  }
  assert_int_equal(ask_check_same_first(bad), VIVA_EINPUT);
  assert_int_equal(ask_check_same_first(NULL), VIVA_EUSAGE);
}

static void numbers_that_no_enum_has_are_refused_everywhere(void **state) {
  (void)state;
  static const int wrong[] = {-1, 6 + 1, 77, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < call_count; i++) {
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong && calls[i].with_enum; k++) {
      int status = calls[i].with_enum(wrong[k]);
      if (status != none && status != VIVA_EUSAGE) fail_msg("%s of enum %d is %d", calls[i].name, wrong[k], status);
    }
  }
}

// The sink of no table takes rows and does nothing.
static void a_run_goes_without_a_table(void **state) {
  (void)state;
  viva_sink nowhere = viva_csv_sink(NULL);
  viva_run *own = NULL;
  assert_int_equal(viva_run_model(good, NULL, &nowhere, &own), VIVA_OK);
  viva_run_free(own);
}

static int open_all(void **state) {
  (void)state;
  const char *text = "param k = 4\ncoord x = 1\nkinetic 1/2*x'^2\npotential 1/2*k*x^2\noutput u = 2*x\n"
                     "plot x\nsimulate to 1 step 0.1\n";
  const char *wrong = "coord x = 1\nkinetic 1/2*x'^2\npotential nobody\n";
  static char folder[] = "/tmp/viva_status_XXXXXX";
  if (!mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1) != 0) return -1; // viva_cache_clear is called
  if (viva_model_parse("good", text, strlen(text), NULL, &good) == VIVA_ENOMEM) return -1;
  if (viva_model_diagnostic_count(good)) print_error("%s\n", viva_model_diagnostic(good, 0).text);
  assert_int_equal(viva_model_diagnostic_count(good), 0);
  assert_int_equal(viva_model_parse("bad", wrong, strlen(wrong), NULL, &bad), VIVA_EINPUT);
  const char *pushed = "coord x = 0\ninput f = 0\noutput y = x\nkinetic 1/2*x'^2\npotential 2*x^2\nforce x = f - x'\n";
  assert_int_equal(viva_model_parse("driven", pushed, strlen(pushed), NULL, &driven), VIVA_OK);
  viva_status analyzed = viva_analyze(driven, NULL, &path);
  if (analyzed != VIVA_OK) print_error("%s\n", viva_analysis_message(path));
  assert_int_equal(analyzed, VIVA_OK);
  assert_int_equal(viva_linearize(good, NULL, &linear), VIVA_OK);
  assert_int_equal(viva_check_model(good, &verdict), VIVA_OK);
  assert_int_equal(viva_figure_new(good, NULL, &plots), VIVA_OK);
  viva_run_options o = viva_run_defaults();
  o.figure = plots;
  assert_int_equal(viva_run_model(good, &o, NULL, &run), VIVA_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  viva_run_free(run);
  viva_figure_free(plots);
  viva_check_free(verdict);
  viva_linearization_free(linear);
  viva_analysis_free(path);
  viva_model_free(driven);
  viva_model_free(good);
  viva_model_free(bad);
  const char *folder = getenv("XDG_CACHE_HOME");
  char inner[64];
  snprintf(inner, sizeof inner, "%s/viva", folder);
  rmdir(inner);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_public_call_is_in_the_table),
      cmocka_unit_test(null_is_answered_everywhere),
      cmocka_unit_test(a_model_with_errors_is_wrong_input_everywhere),
      cmocka_unit_test(numbers_that_no_enum_has_are_refused_everywhere),
      cmocka_unit_test(a_run_goes_without_a_table),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
