export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** As due dates of users are stored: the last millisecond of the day in UTC. */
export const endOfDay = (at: number): number => at - (at % DAY_MS) + DAY_MS - 1;
