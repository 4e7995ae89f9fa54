import { pipeline } from 'node:stream/promises';
import { isReaderGone } from '../is-reader-gone.ts';

/** Writes texts as fast as they are taken; ends quietly if the reader closes the pipe (`posture explain … | head`). */
export async function printTexts(texts: AsyncIterable<string>, stdout: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(texts, stdout, { end: false });
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  }
}
