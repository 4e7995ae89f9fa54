/**
 * Exit codes (R-CLI-1): done; the service rejected the request or is unreachable, or a comparison differs; the call
 * or a local file is wrong.
 */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure whose message is shown to the user; anything else is a bug. */
export class CliError extends Error {
  override name = 'CliError';

  /** @param details one line each, shown below the message; never secrets */
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly details: string[] = [],
  ) {
    super(message);
  }
}

/** A failure with details; other errors are unchanged. */
export const withDetail = (error: unknown, detail: string): unknown =>
  error instanceof CliError ? new CliError(error.exitCode, error.message, [...error.details, detail]) : error;

export const usageError = (message: string, details: string[] = []) =>
  new CliError(EXIT.usage, message, details);

export const failure = (message: string, details: string[] = []) =>
  new CliError(EXIT.failed, message, details);
