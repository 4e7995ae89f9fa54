import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { failure } from './cli-error.ts';
import { isReaderGone } from './is-reader-gone.ts';

/**
 * Writes to standard output, which stays open.
 * @throws CliError exit 1 if its reader is gone
 */
export async function printTo(
  stdout: NodeJS.WritableStream,
  content: Readable | Iterable<string> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  try {
    await pipeline(content, stdout as Writable, { end: false });
  } catch (error) {
    if (isReaderGone(error)) throw failure('standard output was closed');
    throw error;
  }
}
