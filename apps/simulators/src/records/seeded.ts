/** What all records come from. */
export interface Seeded {
  seed: number;
  /** The instant that the seeded records lead up to, in milliseconds since 1970: nothing in them is later. */
  epochMs: number;
}

export const DAY_MS = 86_400_000;

/** To the second, as hosts have it. */
export const toSecond = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** With nine fractional digits, as in alerts; `below` are the digits after the milliseconds. */
export const toNanosecond = (ms: number, below: number): string =>
  `${new Date(ms).toISOString().slice(0, -1)}${String(below).padStart(6, '0')}Z`;
