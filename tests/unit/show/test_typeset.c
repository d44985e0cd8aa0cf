// LaTeX and MathML: names, structure, and that every element has the children it must have.
#include "tests/support.h"

#include "show/typeset.h"

#include <glob.h>

static const char *const both[][3] = {
    {"th1", "\\theta_{1}", "<msub><mi>θ</mi><mrow><mn>1</mn></mrow></msub>"},
    {"omega", "\\omega", "<mi>ω</mi>"},
    {"θ", "\\theta", "<mi>θ</mi>"},
    {"m_dot", "\\dot{m}",
     "<mover accent=\"true\"><mi>m</mi><mo stretchy=\"false\" style=\"padding-bottom:.12em\">˙</mo></mover>"},
    {"v_hat", "\\hat{v}",
     "<mover accent=\"true\"><mi>v</mi><mo stretchy=\"false\" style=\"padding-bottom:.12em\">^</mo></mover>"},
    {"omega_max", "\\omega_{\\mathrm{max}}", "<msub><mi>ω</mi><mrow><mi>max</mi></mrow></msub>"},
    {"k_theta", "k_{\\theta}", "<msub><mi>k</mi><mrow><mi>θ</mi></mrow></msub>"},
    {"mB", "m_{\\mathrm{B}}", "<msub><mi>m</mi><mrow><mi mathvariant=\"normal\">B</mi></mrow></msub>"},
    {"tauM", "\\tau_{\\mathrm{M}}", "<msub><mi>τ</mi><mrow><mi mathvariant=\"normal\">M</mi></mrow></msub>"},
    {"length", "\\mathrm{length}", "<mi>length</mi>"},
    {"pin", "\\mathrm{pin}", "<mi>pin</mi>"},
    {"l[2]", "l_{2}", "<msub><mi>l</mi><mrow><mn>2</mn></mrow></msub>"},
    {"a[1,2]", "a_{1,2}", "<msub><mi>a</mi><mrow><mn>1</mn><mo separator=\"true\">,</mo><mn>2</mn></mrow></msub>"},
    {"rod.x", "x_{\\mathrm{rod}}", "<msub><mi>x</mi><mrow><mi>rod</mi></mrow></msub>"},
    {"y.latch.2", "\\mathrm{latch}_{\\mathrm{y},2}",
     "<msub><mi>latch</mi><mrow><mi mathvariant=\"normal\">y</mi><mo "
     "separator=\"true\">,</mo><mn>2</mn></mrow></msub>"},
    {"u.pid.2", "\\mathrm{pid}_{\\mathrm{u},2}",
     "<msub><mi>pid</mi><mrow><mi mathvariant=\"normal\">u</mi><mo separator=\"true\">,</mo><mn>2</mn></mrow></msub>"},
    {"rod.m1", "m_{\\mathrm{rod},1}",
     "<msub><mi>m</mi><mrow><mi>rod</mi><mo separator=\"true\">,</mo><mn>1</mn></mrow></msub>"},
};

static void names_become_symbols(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
    Text latex = text_in(arena), mathml = text_in(arena), plain = text_in(arena);
    name_print(both[i][0], 0, format_latex, &latex);
    name_print(both[i][0], 0, format_mathml, &mathml);
    name_print(both[i][0], 0, format_text, &plain);
    assert_string_equal(text_str(&latex), both[i][1]);
    assert_string_equal(text_str(&mathml), both[i][2]);
    assert_string_equal(text_str(&plain), both[i][0]);
  }
  Text dots = text_in(arena);
  name_print("th1''", 2, format_latex, &dots);
  assert_string_equal(text_str(&dots), "\\ddot{\\theta}_{1}");
  arena_free(arena);
}

static void names_that_would_look_alike_stay_apart(void **state) {
  (void)state;
  static const struct {
    const char *model, *latex;
  } cases[] = {
      {"param m_dot = 1\ncoord x\nkinetic 1/2*m_dot*x'^2\n", "\\dot{m} \\ddot{x} &= 0"},
      {"param m_dot = 1\ncoord m\nkinetic 1/2*m_dot*m'^2\n", "m_{\\mathrm{dot}} \\ddot{m} &= 0"},
      {"param mp = 1, m_p = 2\ncoord x\nkinetic 1/2*mp*m_p*x'^2\n", "\\mathrm{mp} \\, m_{\\mathrm{p}} \\ddot{x} &= 0"},
      {"param th = 1, theta = 2\ncoord x\nkinetic 1/2*th*theta*x'^2\n", "\\vartheta \\theta \\ddot{x} &= 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Loaded *l = load_text(cases[i].model);
    Text out = text_in(l->arena);
    assert_true(pipeline_derive(l->arena, &l->system, form_lagrange, &(DeriveStyle){0}, show_latex, &out,
                                &(const char *){NULL}));
    if (!strstr(text_str(&out), cases[i].latex)) fail_msg("%s is not in %s", cases[i].latex, text_str(&out));
    unload(l);
  }
}

// ---- MathML is a tree

typedef struct Element {
  char name[16];
  int children;
} Element;

// How many children an element must have; -1: any number.
static int children_of(const char *name) {
  static const struct {
    const char *name;
    int count;
  } fixed[] = {{"mfrac", 2}, {"msup", 2}, {"msub", 2}, {"mover", 2}, {"msubsup", 3},
               {"msqrt", 1}, {"mi", 0},   {"mn", 0},   {"mo", 0},    {"mtext", 0}};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    if (strcmp(fixed[i].name, name) == 0) return fixed[i].count;
  }
  return -1;
}

// What is wrong with it; NULL: nothing.
static const char *wrong_mathml(const char *s) {
  static const char *const known[] = {"math", "mrow", "mtable", "mtr", "mtd", "mspace", "p", "h3"};
  Element stack[512] = {{.name = ""}};
  size_t depth = 0;
  for (; *s; s++) {
    if (*s == '&' && strncmp(s, "&lt;", 4) != 0 && strncmp(s, "&amp;", 5) != 0) return "a bare ampersand";
    if (*s != '<') continue;
    size_t n = strcspn(s + 1, " >/");
    const char *end = strchr(s, '>');
    if (!end) return "a tag without end";
    if (s[1] == '/') {
      n = strcspn(s + 2, ">");
      if (depth == 0 || strlen(stack[depth].name) != n || memcmp(stack[depth].name, s + 2, n) != 0)
        return "tags that cross";
      int want = children_of(stack[depth].name);
      if (want >= 0 && stack[depth].children != want) return "a wrong number of children";
      depth--;
    } else {
      if (n == 0 || n > 15 || depth + 1 >= 512) return "no tag";
      stack[depth].children++;
      Element *e = &stack[depth + 1];
      *e = (Element){.children = 0};
      memcpy(e->name, s + 1, n);
      bool ours = children_of(e->name) >= 0;
      for (size_t i = 0; i < sizeof known / sizeof *known; i++) ours = ours || strcmp(known[i], e->name) == 0;
      if (!ours) return "an element that MathML Core does not have";
      if (end[-1] != '/') depth++;
    }
    s = end;
  }
  return depth ? "a tag that stays open" : NULL;
}

static char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = calloc(1, 65536);
  size_t n = fread(text, 1, 65535, f);
  fclose(f);
  text[n] = '\0';
  return text;
}

static void mathml_of_all_examples_is_a_tree(void **state) {
  (void)state;
  glob_t files;
  assert_int_equal(glob(VIVA_ROOT "/examples/*.viva", 0, NULL, &files), 0);
  assert_true(files.gl_pathc > 10);
  for (size_t k = 0; k < files.gl_pathc; k++) {
    char *text = read_text(files.gl_pathv[k]);
    Arena *arena = arena_new();
    Model model = {0};
    System system = {0};
    ModelOptions options = {0};
    assert_true(pipeline_load(arena, &model, &system, files.gl_pathv[k], text, strlen(text), &options));
    for (int form = form_lagrange; form <= form_state && system.coord_count < 10; form++) {
      Text out = text_in(arena);
      assert_true(pipeline_derive(arena, &system, (DeriveForm)form, &(DeriveStyle){0}, show_mathml, &out,
                                  &(const char *){NULL}));
      const char *wrong = wrong_mathml(text_str(&out));
      if (wrong) fail_msg("%s, form %d: %s: %s", files.gl_pathv[k], form, wrong, text_str(&out));
    }
    arena_free(arena);
    free(text);
  }
  globfree(&files);
}

static void functions_and_cases_are_trees(void **state) {
  (void)state;
  Loaded *l = load_text("param a = 1, length = 2\ncoord x, th1\n"
                        "fun g(s) = s + tanh(s)\nlet f = sqrt(1 + (th1/length)^2)^3 + exp(-th1^2/2) + atan(th1*a) + "
                        "1e-7*th1 + max(x, th1) + abs(x)^a\n"
                        "kinetic 1/2*a*x'^2 + 1/2*a*length*th1'^2/3\npotential f + if(x < 1 and not (th1 > 2), x, 0)\n"
                        "force x = -inverse(g)(x)*sign(x)\n");
  Text out = text_in(l->arena);
  assert_true(pipeline_derive(l->arena, &l->system, form_lagrange, &(DeriveStyle){0}, show_mathml, &out,
                              &(const char *){NULL}));
  const char *wrong = wrong_mathml(text_str(&out));
  if (wrong) fail_msg("%s: %s", wrong, text_str(&out));
  unload(l);
}

static void blocks_and_events_are_trees(void **state) {
  (void)state;
  Loaded *l = load_text(
      "param a = 0.2, T = 0.5\ncoord x = 1\nstate n = 0, u = 0\nlet h = hysteresis(x, -a, a, 0, 1)\nlet q = latch(x > "
      "a, x < -a)\nlet p = pulse(x > a, T)\n"
      "let y = backlash(x, a)\nlet d = delay(x - 2*x', T/3, cos(t))\nkinetic 1/2*x'^2\n"
      "force x = friction(x', a, 2*a) + h + q + p + y + d + pid(1 - x, a, a, a, 10, -1, 1) + tf(x, [1], [T, 1, 2])\n"
      "when x < 0 and x' < 0 do x' := -x', n := n + 1\nwhen n > 3 do stop\nevery T do u := x\n");
  for (int form = form_lagrange; form <= form_solved; form++) {
    for (int steps = 0; steps < 2; steps++) {
      Text out = text_in(l->arena);
      assert_true(pipeline_derive(l->arena, &l->system, (DeriveForm)form, &(DeriveStyle){.steps = steps}, show_mathml,
                                  &out, &(const char *){NULL}));
      const char *wrong = wrong_mathml(text_str(&out));
      if (wrong) fail_msg("form %d: %s: %s", form, wrong, text_str(&out));
    }
  }
  unload(l);
}

// Every name of up to five signs out of a few, and Greek letters in all their spellings, in one pool.
enum { most_names = 4000 };

static size_t all_names(Arena *arena, const char **names) {
  static const char *const more[] = {
      "th",     "theta",   "θ",      "vartheta", "ϑ",    "phi",       "ϕ",        "varphi",    "φ",       "th1",
      "theta1", "theta_1", "m_dot",  "m",        "mdot", "m_dot_dot", "m_ddot",   "x[1]",      "x[1,2]",  "x[12]",
      "x.a",    "a.x",     "a.x1",   "a.x_1",    "a_x",  "a.latch.2", "a.latch2", "latch_a_2", "Delta_1", "Delta1",
      "Δ1",     "Δ_1",     "omegaM", "omega_M",  "ω_M",  "pump",      "mp",       "m_p",       "xa_dot"};
  static const char signs[] = "xa1_";
  size_t n = 0;
  for (int length = 1; length <= 5; length++) {
    int total = 1;
    for (int i = 0; i < length; i++) total *= 4;
    for (int code = 0; code < total; code++) {
      char name[8] = {0};
      for (int i = 0, c = code; i < length; i++, c /= 4) name[i] = signs[c % 4];
      if (name[0] == '1' || name[0] == '_') continue;
      names[n++] = arena_printf(arena, "%s", name);
    }
  }
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    bool known = false;
    for (size_t k = 0; k < n; k++) known = known || strcmp(names[k], more[i]) == 0;
    if (!known) names[n++] = more[i];
  }
  assert_true(n < most_names);
  return n;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

// How many stand there twice.
static size_t repeated(const char **looks, size_t n) {
  qsort(looks, n, sizeof *looks, by_text);
  size_t count = 0;
  for (size_t i = 1; i < n; i++) count += strcmp(looks[i - 1], looks[i]) == 0;
  return count;
}

static void no_two_names_of_a_pool_look_alike(void **state) {
  (void)state;
  Arena *arena = arena_new();
  ExprPool pool = {0};
  assert_true(pool_init(&pool, arena));
  const char **names = arena_array(arena, most_names, sizeof *names),
             **looks = arena_array(arena, 3 * most_names, sizeof *looks);
  size_t n = all_names(arena, names);
  for (int format = format_latex; format <= format_mathml; format++) {
    size_t alone = 0, k = 0;
    for (size_t i = 0; i < n; i++) {
      Text look = text_in(arena);
      name_print(names[i], 0, (ExprFormat)format, &look);
      looks[alone++] = text_str(&look);
    }
    assert_true(repeated(looks, alone) > 100); // names by themselves do look alike
    for (size_t i = 0; format == format_latex && i < n; i++) {
      pool_symbol(&pool, names[i], sym_coord, (uint32_t)i, 0);
      pool_symbol(&pool, arena_printf(arena, "%s'", names[i]), sym_velocity, (uint32_t)i, 1);
      pool_symbol(&pool, arena_printf(arena, "%s''", names[i]), sym_acceleration, (uint32_t)i, 2);
    }
    for (SymbolId s = 1; s < pool.symbols.count; s++) {
      Text look = text_in(arena);
      symbol_print(&pool, s, (ExprFormat)format, &look);
      looks[k++] = text_str(&look);
    }
    assert_int_equal(k, 3 * n);
    assert_int_equal(repeated(looks, k), 0);
  }
  arena_free(arena);
}

static void a_broken_tree_is_noticed(void **state) {
  (void)state;
  assert_null(wrong_mathml("<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>"));
  assert_non_null(wrong_mathml("<math><mfrac><mi>a</mi></mfrac></math>"));
  assert_non_null(wrong_mathml("<math><mrow><mi>a</mrow></mi></math>"));
  assert_non_null(wrong_mathml("<math><mo>a & b</mo></math>"));
  assert_non_null(wrong_mathml("<math><mi>a</mi>"));
  assert_non_null(wrong_mathml("<math><mfenced><mi>a</mi></mfenced></math>"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_become_symbols),
      cmocka_unit_test(names_that_would_look_alike_stay_apart),
      cmocka_unit_test(mathml_of_all_examples_is_a_tree),
      cmocka_unit_test(functions_and_cases_are_trees),
      cmocka_unit_test(a_broken_tree_is_noticed),
      cmocka_unit_test(blocks_and_events_are_trees),
      cmocka_unit_test(no_two_names_of_a_pool_look_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
