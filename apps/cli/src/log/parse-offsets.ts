import { InvalidArgumentError } from 'commander';

/** Offsets of [from, to). */
export interface OffsetRange {
  from: number;
  to: number;
}

/**
 * `A..B` without B; `A..` and `..B` are open at an end, `A` is only that offset.
 * @throws InvalidArgumentError if it is none of these, or empty
 */
export function parseOffsets(text: string): OffsetRange {
  const [, first, dots, last] = /^(\d+)?(?:(\.\.)(\d+)?)?$/.exec(text) ?? [];
  const from = first === undefined ? 0 : Number(first);
  const to = last !== undefined ? Number(last) : dots ? Number.MAX_SAFE_INTEGER : from + 1;
  const isGiven = dots
    ? first !== undefined || last !== undefined
    : first !== undefined && last === undefined;
  if (isGiven && from < to && Number.isSafeInteger(from) && Number.isSafeInteger(to)) return { from, to };
  throw new InvalidArgumentError('Expected offsets such as 120..130, 120.., ..130 or 120.');
}
