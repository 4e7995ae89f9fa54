/** Something that is to get a part; `id` decides between equals. */
export interface Claim {
  id: string;
  /** Not below 0. */
  weight: number;
}

/**
 * Splits a whole number into whole parts in proportion to weights, by largest remainder: the parts add up exactly, each
 * is less than 1 from its proportion, and neither depends on the order of the claims. Ties go to the smaller id, which
 * must be unique. Without any weight the parts are 0 for any total.
 *
 * @param total not below 0, at most 2⁵³
 */
export function apportion(total: number, claims: readonly Claim[]): Map<string, number> {
  const sum = claims
    .map(({ weight }) => weight)
    .sort((a, b) => a - b)
    .reduce((a, b) => a + b, 0);
  const quotas = claims.map(({ id, weight }) => ({ id, quota: sum > 0 ? (total * weight) / sum : 0 }));
  const parts = new Map(quotas.map(({ id, quota }) => [id, Math.floor(quota)]));
  const left = sum > 0 ? total - [...parts.values()].reduce((a, b) => a + b, 0) : 0;
  const byRemainder = quotas
    .map(({ id, quota }) => ({ id, remainder: quota - Math.floor(quota) }))
    .sort((a, b) => b.remainder - a.remainder || (a.id < b.id ? -1 : 1));
  for (const { id } of byRemainder.slice(0, left)) parts.set(id, parts.get(id)! + 1);
  return parts;
}
