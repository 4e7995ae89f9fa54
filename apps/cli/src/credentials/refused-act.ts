import { RefusedError } from '../api-client.ts';
import { failure } from '../cli-error.ts';

/** What a user is told of a refusal: exit 1, with what the service says to do. Anything else stays as it is. */
export function refusedAct(error: unknown): unknown {
  if (!(error instanceof RefusedError)) return error;
  return failure(`the service refused: ${error.message} (${error.status})`);
}
