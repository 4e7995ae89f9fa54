const DAY_MS = 86_400_000;

/**
 * The end of a day in UTC, as due dates without a time are; ISO 8601.
 * @param asOf the displayed time; null: now
 */
export const endOfDay = (inDays: number, asOf: string | null): string =>
  new Date((Math.floor(epochMsOf(asOf) / DAY_MS) + inDays + 1) * DAY_MS).toISOString();

/**
 * The beginning of a day in the local time zone; ISO 8601.
 * @param asOf the displayed time; null: now
 */
export function daysAgo(days: number, asOf: string | null): string {
  const at = new Date(epochMsOf(asOf));
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - days).toISOString();
}

const epochMsOf = (asOf: string | null): number => (asOf === null ? Date.now() : Date.parse(asOf));
