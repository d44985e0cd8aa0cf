// Files that grow: what is read and refused stays as it is; a row that was cut off goes.
#define _POSIX_C_SOURCE 200809L
#include "tests/support.h"

#include "base/growing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const text = "first\nsecond\nthi";

static void write_file(const char *path, const char *what) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(what, f);
  fclose(f);
}

static void expect_file(const char *path, const char *what) {
  char now[200] = "";
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  now[fread(now, 1, sizeof now - 1, f)] = 0;
  fclose(f);
  assert_string_equal(now, what);
}

static void a_file_that_was_only_read_stays_as_it_is(void **state) {
  char path[] = "/tmp/viva-growing-XXXXXX";
  size_t length;
  int error;
  (void)state;
  close(mkstemp(path));
  write_file(path, text);
  Growing *g = growing_open(path, &error);
  assert_non_null(g);
  assert_string_equal(growing_line(g, &length), "first");
  assert_int_equal(growing_close(g), 0);
  expect_file(path, text);
  remove(path);
}

static void it_goes_on_behind_the_last_whole_line(void **state) {
  char path[] = "/tmp/viva-growing-XXXXXX";
  size_t length;
  int error;
  (void)state;
  close(mkstemp(path));
  write_file(path, text);
  Growing *g = growing_open(path, &error);
  assert_non_null(g);
  assert_string_equal(growing_line(g, &length), "first");
  assert_string_equal(growing_line(g, &length), "second");
  assert_null(growing_line(g, &length));
  assert_int_equal(growing_append(g), 0);
  assert_true(growing_write(g, "third\n", 6));
  assert_null(growing_open(path, &error)); // another one must not write it meanwhile
  assert_int_equal(growing_close(g), 0);
  expect_file(path, "first\nsecond\nthird\n");
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_that_was_only_read_stays_as_it_is),
      cmocka_unit_test(it_goes_on_behind_the_last_whole_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
