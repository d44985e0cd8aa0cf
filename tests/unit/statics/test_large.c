// Chains and cantilevers against references: chains are exact by two unknowns (80 bits), cantilevers by sparse Newton
// steps of another program. A chain with springs has false equilibria with a folded spring nearby; from multipliers of
// zero its matrix is singular. With an argument: up to so many links.
#include "tests/support.h"

#include "tests/unit/statics/structures.h"

#include <stdlib.h>

static uint32_t largest = 10000;

typedef struct ChainRow {
  uint32_t links, every;
  double first, last, x, y, potential;
} ChainRow;

static const ChainRow chains[] = {
    {10, 0, 0.5845808139380562, 0.6702271408062134, 0.5264869091085446, -0.27860580323576195, -0.17766205978601585},
    {100, 0, 0.5673838718253389, 0.6479298573276949, 0.5262204884430243, -0.2768962198028811, -0.15782469265075533},
    {1000, 0, 0.5658646676996294, 0.6459190907015775, 0.5262178824536586, -0.2768792775116243, -0.15596090220698675},
    {10000, 0, 0.5657145362678699, 0.6457199768221926, 0.5262178563992896, -0.2768791081037399, -0.15577560381992778},
    {100000, 0, 0.5656995408230148, 0.6457000848609977, 0.5262178561387465, -0.27687910640966257, -0.15575708467994012},
    {1000000, 0, 0.5656980414553231, 0.6456980958589469, 0.526217856136141, -0.27687910639272184, -0.1557552328728217},
    {10, 4, 0.5833391549238317, 0.6685456361002239, 0.5264405240686368, -0.2803793866058548, -0.1781694524968517},
    {100, 4, 0.5661257093066693, 0.6463531413909942, 0.5261805367125211, -0.2790464486876609, -0.15847030080301122},
    {1000, 4, 0.5646087629327458, 0.6444145414187591, 0.5262422393512861, -0.2789953331759035, -0.15659061683360168},
    {10000, 4, 0.5644588548620048, 0.6442225316346814, 0.5262443524734166, -0.278992449781025, -0.15640377831596522},
    {100000, 4, 0.5644438817301826, 0.6442033489707115, 0.5262445659322448, -0.2789921770065772, -0.15638510564697544},
    {1000000, 4, 0.5644423845935646, 0.6442014308872733, 0.5262445872995978, -0.27899214988477866,
     -0.15638323849178928},
};

// A V of two straight runs, both exactly as long as their links.
static void lay_vee(uint32_t n, double *x) {
  const double length = 1.25, span = hypot(1, 0.1);
  uint32_t half = n / 2;
  double a = length * half / n, b = length - a, along = (a * a - b * b + span * span) / (2 * span);
  double down = sqrt(a * a - along * along), u[2] = {1 / span, 0.1 / span};
  double tip[2] = {along * u[0] + down * u[1], along * u[1] - down * u[0]};
  for (uint32_t i = 0; i <= n; i++) {
    double t = i <= half ? (double)i / half : (double)(i - half) / (n - half);
    x[2 * i] = i <= half ? t * tip[0] : tip[0] + t * (1 - tip[0]);
    x[2 * i + 1] = i <= half ? t * tip[1] : tip[1] + t * (0.1 - tip[1]);
  }
}

static void check_chain(const ChainRow *row, bool vee) {
  Arena *arena = arena_new();
  Structure s = chain_of(arena, row->links, row->every);
  double *start = arena_array(arena, s.nodes * 2, sizeof *start);
  BalanceOptions o = balance_defaults(balance_auto);
  if (vee) lay_vee(row->links, start);
  BalanceResult r = balance_find(arena, &s, vee ? start : NULL, &o);
  uint32_t middle = row->links / 2, folded = 0;
  for (uint32_t i = 0; i < s.springs.count; i++) folded += r.spring_force[i] < 0;
  assert_int_equal(r.status, balance_found);
  assert_int_equal(r.verdict, balance_stable);
  assert_int_equal(folded, 0);
  assert_true(fabs(r.x[2 * middle] - row->x) < 1e-9);
  assert_true(fabs(r.x[2 * middle + 1] - row->y) < 1e-9);
  assert_true(fabs(r.bar_force[0] - row->first) < 1e-7);
  if (!row->every) assert_true(fabs(r.bar_force[s.bars.count - 1] - row->last) < 1e-7);
  assert_true(fabs(r.potential - row->potential) < 1e-9);
  arena_free(arena);
}

static void chains_hang_as_they_must(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    if (chains[i].links <= largest) check_chain(&chains[i], false);
  }
}

static void chains_that_were_laid_as_a_vee_too(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    if (chains[i].links <= largest / 10) check_chain(&chains[i], true);
  }
}

// Of many links a chain is a catenary: y = a cosh((x - x0)/a) + b through both ends with the length 1.25; the lowest
// tension is w a.
static void a_chain_becomes_a_catenary(void **state) {
  (void)state;
  Arena *arena = arena_new();
  Structure s = chain_of(arena, 4000, 0);
  BalanceOptions o = balance_defaults(balance_auto);
  BalanceResult r = balance_find(arena, &s, NULL, &o);
  double low = 0.01, high = 10, length = 1.25;
  for (int i = 0; i < 200; i++) { // sqrt(L^2 - v^2) = 2 a sinh(h / 2a)
    double a = (low + high) / 2;
    if (2 * a * sinh(1 / (2 * a)) > sqrt(length * length - 0.01)) low = a;
    else high = a;
  }
  double x0 = 0.5 - low * atanh(0.1 / length);
  for (uint32_t i = 0; i <= 4000; i += 100) {
    double y = low * (cosh((r.x[2 * i] - x0) / low) - cosh(x0 / low));
    assert_true(fabs(r.x[2 * i + 1] - y) < 2e-7); // (1 / links)^2
  }
  double least = INFINITY;
  for (uint32_t i = 0; i < 4000; i++) least = fmin(least, r.bar_force[i]);
  assert_true(fabs(least - low / length) < 1e-3); // weight 1 over the length 1.25, on 3999 nodes
  arena_free(arena);
}

typedef struct LadderRow {
  uint32_t bays;
  double x, y, potential, most, least, within; // within: where rounding ends, by the reference's last step
} LadderRow;

static const LadderRow ladders[] = {
    {9, 9.833477729777949, 0.13051325296144906, 206.05491660433586, 5515.013649388106, -5068.481146466825, 1e-9},
    {90, 90.32177179485392, -7.497902964735939, -1389.9095169661146, 54217.31304237205, -53737.026059781674, 1e-9},
    {900, 895.2375250571613, -84.35848742311477, -17247.21524319904, 540363.2798630922, -539879.6242128467, 1e-9},
    {9000, 8944.382875430962, -853.110380904876, -175864.33575007122, 5421244.269138711, -5420759.37597645, 1e-6},
    {30000, 29812.53753532619, -2846.183883874368, -587096.9248284118, 18077707.235551607, -18077222.168166686, 1e-5},
};

static void long_cantilevers_bend_as_they_must(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ladders / sizeof *ladders; i++) {
    const LadderRow *row = &ladders[i];
    if (3 * row->bays > largest) continue;
    Arena *arena = arena_new();
    Structure s = ladder_of(arena, row->bays);
    BalanceOptions o = balance_defaults(balance_auto);
    BalanceResult r = balance_find(arena, &s, NULL, &o);
    double most = -INFINITY, least = INFINITY;
    for (uint32_t k = 0; k < s.bars.count; k++) {
      most = fmax(most, r.bar_force[k]);
      least = fmin(least, r.bar_force[k]);
    }
    assert_int_equal(r.status, balance_found);
    assert_int_equal(r.verdict, balance_stable);
    assert_true(fabs(r.x[2 * s.nodes - 2] - row->x) < row->within);
    assert_true(fabs(r.x[2 * s.nodes - 1] - row->y) < row->within);
    assert_true(fabs(most - row->most) < 1e-7 * row->most);
    assert_true(fabs(least - row->least) < 1e-7 * row->most);
    assert_true(fabs(r.potential - row->potential) < 1e-9 * fabs(row->potential));
    arena_free(arena);
  }
}

int main(int count, char **args) {
  if (count > 1) largest = (uint32_t)atoi(args[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_hang_as_they_must),
      cmocka_unit_test(chains_that_were_laid_as_a_vee_too),
      cmocka_unit_test(a_chain_becomes_a_catenary),
      cmocka_unit_test(long_cantilevers_bend_as_they_must),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
