// Counter-based random numbers, as this program uses them and as exported C has them: this text is compiled here and
// given out there. Lines between /* section */ and the next one stand or fall together. No include guard: this is a
// template.
/* section noise */
/* Normal random numbers as a function of a seed and a counter: splitmix64's finalizer, twice, and Wichura's AS 241. */
static uint64_t viva_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

static uint64_t viva_bits(uint64_t seed, uint64_t counter) {
  const uint64_t step = UINT64_C(0x9E3779B97F4A7C15);
  return viva_mix(viva_mix(seed + step) + (counter + 1) * step);
}

static double viva_uniform(uint64_t bits) { return ((double)(bits >> 11) + 0.5) * 1.1102230246251565e-16; }

static double viva_horner(const double *c, double x) {
  double y = c[7];
  for (int i = 6; i >= 0; i--) y = y * x + c[i];
  return y;
}

static double viva_quantile(double p) {
  static const double a[8] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                              1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                              3.3430575583588128105e4, 2.5090809287301226727e3};
  static const double b[8] = {1.0,
                              4.2313330701600911252e1,
                              6.8718700749205790830e2,
                              5.3941960214247511077e3,
                              2.1213794301586595867e4,
                              3.9307895800092710610e4,
                              2.8729085735721942674e4,
                              5.2264952788528545610e3};
  static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                              3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[8] = {1.0,
                              2.05319162663775882187e0,
                              1.67638483018380384940e0,
                              6.89767334985100004550e-1,
                              1.48103976427480074590e-1,
                              1.51986665636164571966e-2,
                              5.47593808499534494600e-4,
                              1.05075007164441684324e-9};
  static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                              2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[8] = {1.0,
                              5.99832206555887937690e-1,
                              1.36929880922735805310e-1,
                              1.48753612908506148525e-2,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * viva_horner(a, r) / viva_horner(b, r);
  }
  const double r = sqrt(-log(q < 0 ? p : 1 - p));
  const double x =
      r <= 5 ? viva_horner(c, r - 1.6) / viva_horner(d, r - 1.6) : viva_horner(e, r - 5) / viva_horner(f, r - 5);
  return q < 0 ? -x : x;
}

/* section end */
