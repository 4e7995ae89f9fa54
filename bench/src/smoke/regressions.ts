/** Of the recorded ratio: what is left after it has fallen by a third. */
const KEPT_MIN = 2 / 3;

/**
 * A sentence for each ratio that has fallen by a third or more against the recorded one, or has none: a check that
 * checks nothing would be green for ever.
 */
export function regressions(ratios: Record<string, number>, recorded: Record<string, number>): string[] {
  return Object.entries(ratios).flatMap(([name, ratio]): string[] => {
    const before = recorded[name];
    if (before === undefined) {
      return [
        `${name}: no ratio is recorded to hold ${ratio.toFixed(2)} against; npm run bench -- smoke --record`,
      ];
    }
    const bound = before * KEPT_MIN;
    if (ratio > bound) return [];
    return [
      `${name}: its ratio to the baseline is ${ratio.toFixed(2)}; ${before.toFixed(2)} is recorded, ` +
        `and it must be above ${bound.toFixed(2)}, two thirds of that`,
    ];
  });
}
