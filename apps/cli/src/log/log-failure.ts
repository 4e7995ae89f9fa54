import { siteFailure } from '../site-failure.ts';

/** As `siteFailure`, of a log or a file of one: the subject is what a `LogContentError` goes on about. */
export const logFailure = (subject: string, error: unknown): unknown => siteFailure(error as Error, subject);
