/** Integer arithmetic of docs/scoring.md: the same result on every machine, in any order, in any language. */

/** A quotient of non-negative integers, rounded to the nearest integer, halves up. */
export const divRounded = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/**
 * (a × b) ÷ divisor, rounded to the nearest integer, halves up, for a quotient below 10¹². Exact: doubles decide unless
 * the quotient is near a half.
 */
export function productDivided(a: number, b: number, divisor: number): number {
  const quotient = (a * b) / divisor;
  const fraction = quotient - Math.floor(quotient);
  // Three roundings of 2⁻⁵³ each are below 4 × 10⁻⁴ of a unit at 10¹².
  if (Math.abs(fraction - 0.5) > 1e-3) return Math.round(quotient);
  return Number(divRounded(BigInt(a) * BigInt(b), BigInt(divisor)));
}

/** The square root of an integer below 10³⁰⁰, rounded to the nearest integer. */
export function squareRoot(square: bigint): bigint {
  // The root of the nearest double is at most a few units of 2⁻⁵³ away.
  let root = BigInt(Math.round(Math.sqrt(Number(square))));
  while (root * (root - 1n) >= square && root > 0n) root--;
  while (root * (root + 1n) < square) root++;
  return root;
}
