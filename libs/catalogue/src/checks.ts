const CVE_ID = /^CVE-\d{4}-\d{4,19}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A CVE id as publishers write it. */
export const isCveId = (value: unknown): value is string => typeof value === 'string' && CVE_ID.test(value);

/** A day of the calendar, `2026-05-31`. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  DAY.test(value) &&
  new Date(`${value}T00:00:00Z`).toISOString().startsWith(value);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
