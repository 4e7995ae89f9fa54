/**
 * Rounds amounts to whole parts that add up to a given whole number: down first, then the rest goes to the greatest
 * remainders, in several rounds if the amounts add up to less. Ties go to the earlier one. Nothing for no amounts.
 */
export function signedParts(total: number, amounts: readonly number[]): number[] {
  const parts = amounts.map(Math.floor);
  if (parts.length === 0) return parts;
  const byRemainder = amounts
    .map((amount, index) => ({ index, remainder: amount - Math.floor(amount) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  const left = total - parts.reduce((sum, part) => sum + part, 0);
  const everyone = Math.floor(left / parts.length);
  const further = left - everyone * parts.length;
  byRemainder.forEach(({ index }, place) => {
    parts[index]! += everyone + (place < further ? 1 : 0);
  });
  return parts;
}
