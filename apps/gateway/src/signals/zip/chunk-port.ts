import type { MessagePort } from 'node:worker_threads';
import type { RecordChunk } from './record-chunks.ts';

/** Chunks handed over and not yet appended: one is being appended while the next is encoded. */
const UNDER_WAY_MAX = 2;

/** The receiving side closed the port: it cannot append any more. */
export class ReceiverGoneError extends Error {
  override name = 'ReceiverGoneError';
}

/**
 * The worker's side: hands chunks over in order, never more than two ahead of the log. Resolves when all of them are
 * appended.
 * @throws ReceiverGoneError
 */
export async function sendChunks(port: MessagePort, chunks: Iterable<RecordChunk>): Promise<void> {
  let underWay = 0;
  let isGone = false;
  let wake = () => {};
  port.on('message', () => {
    underWay--;
    wake();
  });
  port.once('close', () => {
    isGone = true;
    wake();
  });
  const fewerThan = async (count: number) => {
    while (underWay >= count) {
      if (isGone) throw new ReceiverGoneError('the receiver closed the port');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  for (const chunk of chunks) {
    await fewerThan(UNDER_WAY_MAX);
    port.postMessage(chunk, [chunk.bytes.buffer as ArrayBuffer]);
    underWay++;
  }
  await fewerThan(1);
}

/**
 * The main thread's side: gives every chunk to `append`, one after the other, and lets the worker continue. The first
 * failure closes the port; `failure` then says which.
 */
export class ChunkReceiver {
  failure: unknown;
  private appended = Promise.resolve();

  constructor(
    private readonly port: MessagePort,
    append: (chunk: RecordChunk) => Promise<void>,
  ) {
    port.on('message', (chunk: RecordChunk) => {
      this.appended = this.appended.then(() => this.receive(() => append(chunk)));
    });
  }

  close(): void {
    this.port.close();
  }

  private async receive(append: () => Promise<void>): Promise<void> {
    if (this.failure !== undefined) return;
    try {
      await append();
      this.port.postMessage('appended');
    } catch (error) {
      this.failure = error;
      this.port.close();
    }
  }
}
