import { ApiError, type PostureClient, type Schemas } from '#client';
import { failure, usageError } from '../cli-error.ts';
import { printable } from '../printable.ts';
import { rejection } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';

/**
 * If the answer is lost, erasing again helps.
 * @throws CliError exit 2 if there is no such subject, or it cannot be one; exit 1 if the service refuses (it has a
 *   credential), has not processed the erasure yet, or is unreachable
 */
export async function eraseSubject(
  client: PostureClient,
  given: Schemas['EraseDto'],
  json: boolean,
  { stdout, stderr }: Terminal,
): Promise<void> {
  const erased = await client.post('/api/v3/erasures', { body: given }).catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
      throw usageError(error.message);
    }
    throw rejection(error);
  });
  if (!('id' in erased)) {
    throw failure('the erasure is stored in the log, and takes effect after processing', [
      'posture erase --list shows when the key was destroyed',
    ]);
  }
  if (json) {
    stdout.write(`${JSON.stringify({ ok: true, erasure: erased })}\n`);
    return;
  }
  stdout.write(
    `Erased subject ${erased.id}: ${erased.erasedValues} values; its key was destroyed at ${erased.keyDestroyedAt}\n`,
  );
  for (const name of erased.sameName)
    stderr.write(`Not erased: ${printable(name)}, which is a subject of its own\n`);
}
