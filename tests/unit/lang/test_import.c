// The table of importers: who reads what.
#include "tests/support.h"

#include "lang/import.h"

static void a_model_in_the_language_has_no_importer(void **state) {
  (void)state;
  const char *text = "coord x = 1\nkinetic 1/2*x'^2\n";
  assert_null(import_find("spring.viva", text, strlen(text)));
  assert_null(import_find("spring.dat", text, strlen(text))); // the name alone proves nothing
  assert_null(import_find("empty.viva", "", 0));
}

static void an_input_that_is_given_needs_no_note(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Imported made = {.text = text_in(arena)};
  vec_push(arena, &made.assumed, (ImportAssumed){"u1", "the file does not hold u1", (Span){0}});
  vec_push(arena, &made.assumed, (ImportAssumed){"u12", "the file does not hold u12", (Span){0}});
  const char *given[] = {" u1 = sin(t)"};
  Diags diags = {.arena = arena};
  import_note_inputs(&diags, &made, given, 1);
  assert_int_equal(diags.list.count, 1);
  assert_true(diags.list.items[0].warning);
  assert_string_equal(diags.list.items[0].message, "the file does not hold u12");
  assert_string_equal(diags.list.items[0].hint, "`viva run FILE --input u12=EXPRESSION` says it");
  arena_free(arena);
}

// The oscillator of van der Pol, as docs/import.md has it: 6 blocks, 8 branches, one input, at block 5.
static const char oscillator[] = "2 1 6 8 0 7.5 .01 .2\n3 1 0 -1 0 0 0 0\n6 1 0 -1 0 0 0 0\n4 5 0 1 0 0 0 0\n"
                                 "2 6 17 1 0 0 0 0\n5 6 17 1.9 0 0 0 0\n1 2 1 1 0 0 0 0\n2 3 1 1 -2 0 0 0\n"
                                 "3 4 9 1 0 0 0 0\n1 5\n0 0 0 0\n1 0 1 0\n1 -2 2 -2\n0 0 0 0\n0 0 0 0\n0 0 0 0\n";

static void an_old_data_file_becomes_a_model(void **state) {
  (void)state;
  const Importer *found = import_find("anything", oscillator, strlen(oscillator));
  assert_non_null(found);
  assert_string_equal(found->name, "SDSC");
  Arena *arena = arena_new();
  Sources sources = {.arena = arena};
  Diags diags = {.arena = arena, .sources = &sources};
  Imported made;
  uint32_t source = source_add(&sources, "vanderpol.dat", oscillator, strlen(oscillator));
  assert_true(import_read(arena, &(ImportFrom){&sources, source, false, false}, &diags, &made));
  assert_int_equal(diags.errors, 0);
  const char *text = text_str(&made.text);
  assert_non_null(strstr(text, "\nparam y3_0 = -2 "));
  assert_non_null(strstr(text, "\nlet y2 = integral(y1, y2_0) "));
  // every line knows where it came from
  uint32_t lines = 0;
  for (const char *c = text; *c; c++) lines += *c == '\n';
  assert_int_equal(made.origin.count, lines);
  assert_int_equal(made.assumed.count, 1);
  assert_string_equal(made.assumed.items[0].input, "u1");
  arena_free(arena);
}

static void what_no_importer_recognises_is_refused(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Sources sources = {.arena = arena};
  Diags diags = {.arena = arena, .sources = &sources};
  Imported made;
  const char *model = "coord x = 1\n";
  uint32_t source = source_add(&sources, "spring.viva", model, strlen(model));
  assert_false(import_read(arena, &(ImportFrom){&sources, source, false, false}, &diags, &made));
  assert_true(diags.errors > 0);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_in_the_language_has_no_importer), cmocka_unit_test(an_input_that_is_given_needs_no_note),
      cmocka_unit_test(an_old_data_file_becomes_a_model), cmocka_unit_test(what_no_importer_recognises_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
