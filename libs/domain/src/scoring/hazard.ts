/**
 * Probabilities are added up as hazards, −ln(1 − p), in whole units of 10⁻¹⁰: 1 − Π(1 − p) becomes a sum of integers,
 * which is exact and the same in any order, and from which one summand can be taken out again. Beyond 2⁵³ units, some
 * 97,000 findings at the greatest probability, the sum may lose its last digits; the likelihood has been 1 since long.
 */
export const HAZARD_UNITS = 1e10;

/** The hazard of a probability, 0 to `PROBABILITY_MAX`, in whole units. */
export const hazardOf = (probability: number): number => Math.round(-Math.log1p(-probability) * HAZARD_UNITS);

/** The probability that at least one of independent events with this sum of hazards happens, 0 to 1. */
export const likelihoodOf = (hazard: number): number => -Math.expm1(-hazard / HAZARD_UNITS);
