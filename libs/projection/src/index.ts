export { actRow } from './act-row.ts';
export { causeOf, firstDue, idleSince, storedDigest, textIdOf } from './derived-columns.ts';
export { Projection } from './projection.ts';
export { countTotals, type TotalsProgress } from './totals/count-totals.ts';
export { trimHistory } from './trim-history.ts';
