import { siteFailure } from '../site-failure.ts';

/** As `siteFailure`, for a log or a log file: the subject of the sentence that a `LogContentError` ends. */
export const logFailure = (subject: string, error: unknown): unknown => siteFailure(error as Error, subject);
