// What a machine computes with, where two machines may differ by a bit: printed, so that a list of hashes can tell
// whether it was made on one like this.
//
// The functions are called here without anything of viva, so no change of the program can pass for another machine.
// out   the sets of instructions that choose code, the bits of functions of libm and SLEEF at some points, the
//       eigenvalues of a small matrix by LAPACK, the version of SUNDIALS
#include <math.h>
#include <sleef.h>
#include <stdio.h>
#include <sundials/sundials_config.h>

void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *wr, double *wi,
            double *vl, const int *ldvl, double *vr, const int *ldvr, double *work, const int *lwork, int *info);

typedef double Function(double x);

static const struct {
  const char *name;
  Function *libm, *sleef;
} functions[] = {
    {"sin", sin, Sleef_cinz_sind1_u10purec},
    {"cos", cos, Sleef_cinz_cosd1_u10purec},
    {"tan", tan, Sleef_cinz_tand1_u10purec},
    {"asin", asin, Sleef_cinz_asind1_u10purec},
    {"acos", acos, Sleef_cinz_acosd1_u10purec},
    {"atan", atan, Sleef_cinz_atand1_u10purec},
    {"sinh", sinh, Sleef_cinz_sinhd1_u10purec},
    {"cosh", cosh, Sleef_cinz_coshd1_u10purec},
    {"tanh", tanh, Sleef_cinz_tanhd1_u10purec},
    {"exp", exp, Sleef_cinz_expd1_u10purec},
    {"log", log, Sleef_cinz_logd1_u10purec},
    {"log10", log10, Sleef_cinz_log10d1_u10purec},
    {"sqrt", sqrt, sqrt},
};
enum { function_count = sizeof functions / sizeof *functions, points = 64, size = 12 };

static void print_instructions(void) {
#if defined(__x86_64__) || defined(__i386__)
  printf("fma %d avx2 %d avx512f %d\n", !!__builtin_cpu_supports("fma"), !!__builtin_cpu_supports("avx2"),
         !!__builtin_cpu_supports("avx512f"));
#else
  puts("no x86");
#endif
}

static void print_functions(void) {
  for (int i = 0; i < function_count; i++) {
    printf("%s", functions[i].name);
    for (int k = 1; k < points; k++) {
      double x = (double)k / points;
      printf(" %a %a", functions[i].libm(x), functions[i].sleef(x));
    }
    putchar('\n');
  }
  printf("pow");
  for (int k = 1; k < points; k++) printf(" %a %a", pow(k, 0.37), Sleef_cinz_powd1_u10purec(k, 0.37));
  putchar('\n');
}

static void print_eigenvalues(void) {
  static double a[size * size], re[size], im[size], none[1], work[64 * size];
  for (int i = 0; i < size * size; i++) a[i] = 1.0 / (1 + i * 7 % 31) - (i % (size + 1) == 0);
  int n = size, one = 1, room = 64 * size, info;
  dgeev_("N", "N", &n, a, &n, re, im, none, &one, none, &one, work, &room, &info);
  for (int i = 0; i < size; i++) printf("%a %a ", re[i], im[i]);
  printf("%d\n", info);
}

int main(void) {
  print_instructions();
  print_functions();
  print_eigenvalues();
  puts(SUNDIALS_VERSION);
  return 0;
}
