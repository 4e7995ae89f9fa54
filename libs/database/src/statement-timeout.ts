const QUERY_CANCELED = '57014';

/** Whether a statement was ended because it took longer than it may (`statement_timeout`), or by an administrator. */
export const isStatementTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === QUERY_CANCELED;
