const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** `12.5 d`, `3 h` or `20 min`; `–` for null. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds >= DAY_S) return `${Number((seconds / DAY_S).toFixed(1)).toLocaleString()} d`;
  if (seconds >= HOUR_S) return `${Math.round(seconds / HOUR_S)} h`;
  return `${Math.round(seconds / 60)} min`;
}
