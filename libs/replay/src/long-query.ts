/** Whole tables take their time; the pool's own bound, a minute, is that of a statement. */
export const LONG_MS_MAX = 24 * 60 * 60 * 1000;

/**
 * A query over whole tables, for a connection on which `statement_timeout` is 0: without it the client would give the
 * query up after a minute, and take the database for lost.
 */
export const longQuery = (text: string, values: unknown[] = []) => ({
  text,
  values,
  query_timeout: LONG_MS_MAX,
});
