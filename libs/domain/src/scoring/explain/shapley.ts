/** A value under each choice of three sides, `[asset][findings][catalogue]`, 0 for before and 1 for after. */
export type Cube = (asset: Side, findings: Side, catalogue: Side) => number;
export type Side = 0 | 1;

export interface ThreeEffects {
  asset: number;
  findings: number;
  catalogue: number;
}

/**
 * Divides `cube(1,1,1) − cube(0,0,0)` between three changes that happened together: each gets its effect averaged over
 * all orders in which the three could have happened (Shapley value). The three add up to the difference; a change
 * without any effect gets 0; none is favoured.
 */
export const shapley = (cube: Cube): ThreeEffects => ({
  asset: averaged((own, x, y) => cube(own, x, y)),
  findings: averaged((own, x, y) => cube(x, own, y)),
  catalogue: averaged((own, x, y) => cube(x, y, own)),
});

/** Of the six orders two have the change first, two last, and one each with either other change before it. */
function averaged(value: (own: Side, x: Side, y: Side) => number): number {
  const effect = (x: Side, y: Side) => value(1, x, y) - value(0, x, y);
  return (2 * effect(0, 0) + effect(1, 0) + effect(0, 1) + 2 * effect(1, 1)) / 6;
}
