const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** A measurement of two units can be slightly shorter than two. */
const TWO = 1.95;

/** A length of time, for people: seconds below two minutes, whole days from two days on. */
export function lengthInWords(ms: number): string {
  const unit = UNITS.find(([, length]) => ms >= TWO * length);
  return unit ? `${Math.round(ms / unit[1])} ${unit[0]}` : `${Math.round(ms / 1000)} s`;
}

/** An instant in epoch milliseconds, for people: to the second, in UTC. */
export const timeInWords = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
