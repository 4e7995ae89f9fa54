import { FencedError, LogUnavailableError } from '../event-log.ts';

/** kafkajs wraps the broker's error, once for the retries and once more when it stops retrying. */
function protocolTypes(error: unknown): string[] {
  const types: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { type } = at as Error & { type?: unknown };
    if (typeof type === 'string') types.push(type);
  }
  return types;
}

export const isProtocolError = (error: unknown, ...types: string[]): boolean =>
  protocolTypes(error).some((type) => types.includes(type));

/** INVALID_PRODUCER_ID_MAPPING is none: the broker forgets the transactional id of a producer that was idle for seven days. */
const isFencing = (error: unknown): boolean =>
  isProtocolError(error, 'INVALID_PRODUCER_EPOCH', 'PRODUCER_FENCED');

/** Whatever kafkajs failed with, nothing is known to be stored: the caller may try again. */
export const unavailable = (error: unknown): LogUnavailableError =>
  error instanceof LogUnavailableError
    ? error
    : new LogUnavailableError(`the log in Kafka is not available: ${(error as Error).message}`, {
        cause: error,
      });

/**
 * As `unavailable`, except if the broker fences the publisher. It does so for a successor, and for a transaction that it
 * aborted because it took too long: its response is the same.
 */
export const unavailableOrFenced = (error: unknown, publisher: string): Error =>
  isFencing(error)
    ? new FencedError(`another ${publisher} took over, or its transaction took too long`, { cause: error })
    : unavailable(error);

/** Awaits a call of kafkajs and speaks of its failure as the port does. */
export async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error);
  }
}
