import { ApiError } from '#client';
import { failure } from './cli-error.ts';

/**
 * The error for a request that the service rejects: exit 1, with the text of the service. Other errors are unchanged.
 */
export function rejection(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  return failure(`the service rejected the request: ${error.message} (${error.status})`);
}

/** @throws `rejection` of the error */
export const reject = (error: unknown): never => {
  throw rejection(error);
};
