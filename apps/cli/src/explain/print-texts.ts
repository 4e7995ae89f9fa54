import { pipeline } from 'node:stream/promises';

/** Writes texts as fast as they are taken; ends quietly where whoever reads has enough (`posture explain … | head`). */
export async function printTexts(texts: AsyncIterable<string>, stdout: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(texts, stdout, { end: false });
  } catch (error) {
    if (!READER_GONE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const READER_GONE = new Set(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);
