import { type Container, unpack } from './container.ts';
import type { FrameFormat } from './frame-format.ts';
import { LogContentError } from './log-content-error.ts';

/**
 * The frames of a file, in the order of the file, some at a time.
 * @param where describes the next frame in words: an error names the damage, and only the reader knows the position
 * @throws LogContentError if it is damaged or cut off; at the end at the latest
 */
export async function* readFrames<Frame>(
  container: Container,
  format: FrameFormat<Frame>,
  where: () => string,
): AsyncGenerator<Frame[]> {
  const pieces = format.framesOf(unpack(container))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value: frames, done } = await located(where, () => pieces.next());
      if (done) return;
      yield frames;
    }
  } finally {
    await pieces.return(undefined);
  }
}

async function located<T>(where: () => string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof LogContentError)) throw error;
    throw new LogContentError(`is damaged ${where()}: ${error.message}`);
  }
}
