/** The lowest accepted share of the recorded ratio. */
const KEPT_MIN = 2 / 3;

/**
 * A sentence for each ratio that has fallen by a third or more, that is not recorded, or that is recorded but was not
 * measured. Otherwise a check without a comparison would always pass.
 */
export function regressions(ratios: Record<string, number>, recorded: Record<string, number>): string[] {
  const gone = Object.keys(recorded).filter((name) => !(name in ratios));
  return [
    ...gone.map((name) => `${name}: its ratio is recorded, but it was not measured`),
    ...Object.entries(ratios).flatMap(([name, ratio]) => regressionOf(name, ratio, recorded[name])),
  ];
}

function regressionOf(name: string, ratio: number, before: number | undefined): string[] {
  if (before === undefined) {
    return [
      `${name}: no ratio is recorded to compare ${ratio.toFixed(2)} with; npm run bench -- smoke --record`,
    ];
  }
  const bound = before * KEPT_MIN;
  if (ratio > bound) return [];
  return [
    `${name}: its ratio to the baseline is ${ratio.toFixed(2)}; ${before.toFixed(2)} is recorded, ` +
      `and it must be above ${bound.toFixed(2)}, two thirds of that`,
  ];
}
