import type { QueryConfig } from 'pg';

/** A statement that fails without an answer within these milliseconds, instead of the limit of its connection. */
export const answeredWithin = (ms: number, text: string): QueryConfig =>
  // pg knows the limit of a single statement too; its types do not.
  ({ text, query_timeout: ms }) as QueryConfig;
