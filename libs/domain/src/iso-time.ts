/** An instant in the form of the API: ISO 8601 UTC with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** The same of one that may be missing. */
export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** The day of an instant in UTC, `2026-05-31`. */
export const isoDay = (ms: number): string => isoTime(ms).slice(0, 'YYYY-MM-DD'.length);
