const MINUTE_MS = 60_000;

/**
 * Options of a query that reads many findings, so that it does not follow each change: it is sent again each minute.
 * @param asOf the displayed time, which does not change; null: the present
 */
export const eachMinute = (asOf: string | null) => ({
  meta: { live: false },
  refetchInterval: asOf === null ? MINUTE_MS : (false as const),
});
