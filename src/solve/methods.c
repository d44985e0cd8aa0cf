// The table of the integration methods and their properties, one row each. A part of ode.h.
#include "solve/ode.h"

#include <string.h>

typedef enum OdeDriver {
  driver_explicit, // fixed.c, by a tableau
  driver_stepper,  // fixed.c, by a stepper
  driver_momenta,  // the same, in momenta where there are some
  driver_balance,  // and with the balance of energy
  driver_adaptive,
  driver_bdf
} OdeDriver;

static const struct {
  const char *name;
  OdeDriver driver;
  int order, work; // work: evaluations of a step, roughly
} methods[ode_method_count] = {
    [ode_euler] = {"euler", driver_explicit, 1, 1},       [ode_heun] = {"heun", driver_explicit, 2, 2},
    [ode_bs3] = {"bs3", driver_explicit, 3, 3},           [ode_rk4] = {"rk4", driver_explicit, 4, 4},
    [ode_dopri5] = {"dopri5", driver_adaptive, 5, 6},     [ode_dop853] = {"dop853", driver_adaptive, 8, 12},
    [ode_rodas] = {"rodas", driver_adaptive, 5, 8},       [ode_bdf] = {"bdf", driver_bdf, 5, 2},
    [ode_verlet] = {"verlet", driver_stepper, 2, 1},      [ode_gauss4] = {"gauss4", driver_momenta, 4, 16},
    [ode_gauss6] = {"gauss6", driver_momenta, 6, 21},     [ode_gauss8] = {"gauss8", driver_momenta, 8, 28},
    [ode_gauss12] = {"gauss12", driver_momenta, 12, 42},  [ode_conserve2] = {"conserve2", driver_balance, 2, 50},
    [ode_conserve] = {"conserve", driver_balance, 4, 60}, [ode_conserve6] = {"conserve6", driver_balance, 6, 70},
};

const char *ode_method_name(OdeMethod method) { return methods[method].name; }
bool ode_is_fixed(OdeMethod method) { return methods[method].driver <= driver_balance; }
bool ode_is_explicit(OdeMethod method) { return methods[method].driver == driver_explicit; }
bool ode_keeps_balance(OdeMethod method) { return methods[method].driver == driver_balance; }
bool ode_wants_momenta(OdeMethod method) {
  return methods[method].driver == driver_momenta || ode_keeps_balance(method);
}
bool ode_is_structured(OdeMethod method) {
  return methods[method].driver == driver_stepper || ode_wants_momenta(method);
}
int ode_order(OdeMethod method) { return methods[method].order; }
int ode_work(OdeMethod method) { return methods[method].work; }

bool ode_method_find(const char *name, OdeMethod *method) {
  for (int i = 0; i < ode_method_count; i++) {
    if (strcmp(methods[i].name, name) != 0) continue;
    *method = (OdeMethod)i;
    return true;
  }
  return false;
}
