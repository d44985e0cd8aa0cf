// Parts that meet at their ports make a system of the same form: J antisymmetric, R positive semidefinite, and no
// energy is made or lost at a junction, with broken twins.
//
//   A part has n states with H = 1/2 sum h_k x_k^2, J of numbers, R = L L', and two ports; one of them puts out what is
//   common (a force comes in), the other takes it in, some with resistors. They are joined in a ring or at junctions.
#define _XOPEN_SOURCE 700
#include "tests/laws/chance.h"
#include "tests/laws/page.h"

#include "viva/viva.h"

enum { systems = 60, most = 3, parts_most = 4, states_most = most * parts_most };

static int small(void) { return (int)choose(7) - 3; }

// A file of one part. fed: a resistor sits at the port that takes in a velocity.
static void write_part(const char *path, int n, bool fed) {
  Page p = {.length = 0};
  int L[most][most] = {{0}}, J[most][most] = {{0}};
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      L[i][k] = k <= i ? small() : 0;
      if (k < i) J[k][i] = -(J[i][k] = small());
    }
  }
  put(&p, "state ");
  for (int i = 0; i < n; i++) put(&p, "%sx%d = %d", i ? ", " : "", i + 1, small());
  put(&p, "\ninput F = 0 [N], v = 0 [m/s]\nhamiltonian ");
  for (int i = 0; i < n; i++) put(&p, "%s%d/4*x%d^2", i ? " + " : "", 1 + (int)choose(8), i + 1);
  for (int which = 0; which < 2; which++) {
    put(&p, which ? "\ndamping [" : "\ninterconnection [");
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) {
        int r = 0;
        for (int l = 0; l < n; l++) r += L[i][l] * L[k][l];
        put(&p, "%s%d%s", k ? ", " : i ? "; " : "", which ? r : J[i][k], which ? "/8" : "");
      }
    }
    put(&p, "]");
  }
  for (int port = 0; port < 2; port++) {
    put(&p, "\nport %s by [", port ? "v" : "F");
    for (int i = 0; i < n; i++) put(&p, "%s%d", i ? ", " : "", i == port % n ? 1 + (int)choose(3) : small());
    put(&p, "]");
    if (port && fed) put(&p, " feed [0, %d/4]", 1 + (int)choose(6));
    if (!port && fed) put(&p, " feed [0, 0]");
  }
  put(&p, "\n");
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fwrite(p.text, 1, p.length, f);
  fclose(f);
}

static void write_system(Page *p, const char *folder) {
  int parts = 2 + (int)choose(parts_most - 1);
  for (int i = 0; i < parts; i++) {
    char path[1200];
    snprintf(path, sizeof path, "%s/part%d.viva", folder, i);
    write_part(path, 1 + (int)choose(most), choose(2));
    put(p, "use \"%s\" as P%d\n", path, i);
  }
  if (choose(3) == 0) { // one junction of all
    put(p, "connect P0.F");
    for (int i = 1; i < parts; i++) put(p, ", P%d.v", i);
    put(p, "\n");
  } else { // a chain, or a ring
    for (int i = 0; i + 1 < parts; i++) put(p, "connect P%d.F to P%d.v\n", i, i + 1);
    if (choose(2)) put(p, "connect P%d.F to P0.v\n", parts - 1);
  }
  put(p, "simulate to 1 step 0.01 by gauss8\n");
}

// Numbers of a matrix of the JSON text, "1/2" and the like.
static int matrix(const char *json, const char *name, double *out) {
  char key[16];
  snprintf(key, sizeof key, "\"%s\": [[", name);
  const char *at = strstr(json, key);
  int count = 0;
  assert_non_null(at);
  for (at += strlen(key) - 1; !(at[0] == ']' && at[1] == ']'); at++) {
    if (*at != '"') continue;
    char *end;
    double value = strtod(at + 1, &end);
    if (*end == '/') value /= strtod(end + 1, &end);
    assert_true(*end == '"' && count < states_most * states_most);
    out[count++] = value;
    at = end;
  }
  return count;
}

// Is (m + m')/2 positive semidefinite, but for rounding? By elimination with the largest pivot.
static bool is_semidefinite(const double *m, int n) {
  double a[states_most][states_most], size = 0;
  bool done[states_most] = {false};
  for (int i = 0; i < n * n; i++) a[i / n][i % n] = 0.5 * (m[i] + m[i % n * n + i / n]);
  for (int i = 0; i < n; i++) size = fmax(size, fabs(a[i][i]));
  for (int round = 0; round < n; round++) {
    int pivot = -1;
    for (int i = 0; i < n; i++) {
      if (!done[i] && (pivot < 0 || a[i][i] > a[pivot][pivot])) pivot = i;
    }
    if (a[pivot][pivot] <= 1e-9 * size) {
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < n && !done[i]; k++) {
          if (!done[k] && fabs(a[i][k]) > 1e-7 * size) return false;
        }
      }
      return true;
    }
    done[pivot] = true;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n && !done[i]; k++) {
        if (!done[k]) a[i][k] -= a[i][pivot] * a[pivot][k] / a[pivot][pivot];
      }
    }
  }
  return true;
}

static void connected_systems_have_the_form(void **state) {
  (void)state;
  const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
  char own[1024];
  snprintf(own, sizeof own, "%s/law_portsXXXXXX", folder);
  assert_non_null(mkdtemp(own));
  int broken = 0;
  for (int i = 0; i < systems; i++) {
    Page p = {.length = 0};
    viva_model *model;
    viva_run *run;
    char *json;
    static double J[states_most * states_most], R[states_most * states_most];
    write_system(&p, own);
    viva_status read = viva_model_parse("m.viva", p.text, p.length, NULL, &model);
    if (read != VIVA_OK) print_error("%s\n%s\n", p.text, viva_model_diagnostic(model, 0).text);
    assert_int_equal(read, VIVA_OK);
    viva_derive_options o = viva_derive_defaults();
    o.form = VIVA_FORM_HAMILTON;
    o.format = VIVA_FORMAT_JSON;
    assert_int_equal(viva_derive(model, &o, &json), VIVA_OK);
    int count = matrix(json, "J", J), n = 0;
    while (n * n < count) n++;
    assert_int_equal(matrix(json, "R", R), count);
    for (int k = 0; k < count; k++) {
      assert_true(J[k] == -J[k % n * n + k / n]);
      assert_true(fabs(R[k] - R[k % n * n + k / n]) <= 1e-12 * fabs(R[k]));
    }
    assert_true(is_semidefinite(R, n));
    // nothing is made or lost on the way: the account closes
    viva_run_options r = viva_run_defaults();
    assert_int_equal(viva_run_model(model, &r, NULL, &run), VIVA_OK);
    assert_true(fabs(viva_run_energy_residue(run)) < 1e-7);
    // broken twin: a thousand less on the diagonal
    for (int k = 0; k < n; k++) R[k * n + k] -= 1000;
    broken += !is_semidefinite(R, n);
    viva_run_free(run);
    viva_text_free(json);
    viva_model_free(model);
  }
  assert_int_equal(broken, systems);
  for (int i = 0; i < parts_most; i++) {
    char path[1200];
    snprintf(path, sizeof path, "%s/part%d.viva", own, i);
    remove(path);
  }
  rmdir(own);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(connected_systems_have_the_form)};
  return cmocka_run_group_tests(tests, start, NULL);
}
