const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/**
 * The remaining time, in the format of a progress bar: `40 s left`, `12 min left`, `3 h 5 min left`, `2 d 4 h left`.
 * @param seconds at least 0; rounded up to the shown unit
 */
export function timeLeft(seconds: number): string {
  if (seconds <= MINUTE_S) return `${Math.ceil(seconds)} s left`;
  if (seconds <= HOUR_S) return `${Math.ceil(seconds / MINUTE_S)} min left`;
  if (seconds <= DAY_S) {
    const minutes = Math.ceil(seconds / MINUTE_S);
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  }
  const hours = Math.ceil(seconds / HOUR_S);
  return `${Math.floor(hours / 24)} d ${hours % 24} h left`;
}
