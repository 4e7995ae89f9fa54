const CVE_ID = /^CVE-\d{4}-\d{4,19}$/;
const TECHNIQUE_ID = /^T\d{4}(\.\d{3})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A CVE id as publishers write it. */
export const isCveId = (value: unknown): value is string => typeof value === 'string' && CVE_ID.test(value);

/** An id of an ATT&CK technique or sub-technique, `T1059.001`. */
export const isTechniqueId = (value: unknown): value is string =>
  typeof value === 'string' && TECHNIQUE_ID.test(value);

/** A day of the calendar, `2026-05-31`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !DAY.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
