import { addAbortSignal, type Readable } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Reader } from '../auth/caller.ts';
import { RetryLaterException } from '../http/http-errors.ts';
import { Shares } from '../http/shares.ts';

const RETRY_SECONDS = 10;

/** Bounds how many exports read the database at a time. */
@Injectable()
export class ExportSlots implements OnModuleDestroy {
  private readonly shares = new Shares({
    max: 4,
    ofACredential: 1,
    retrySeconds: RETRY_SECONDS,
    reason: 'exports',
  });
  private readonly streams = new Set<Readable>();
  private isStopping = false;

  /**
   * An export in a slot, from before its first query until its stream is closed. The stream is destroyed with the
   * reader's signal, and when the program stops: the client detects an incomplete file by the closed connection.
   * @param open called once there is a slot
   * @throws RetryLaterException (429) if this credential, or the process, has as many as it may; any error of `open`
   */
  async start({ credentialId, signal }: Reader, open: () => Promise<Readable>): Promise<Readable> {
    if (this.isStopping) throw new RetryLaterException(RETRY_SECONDS, 'exports');
    const free = this.shares.take(credentialId);
    try {
      const stream = await open();
      signal.throwIfAborted();
      this.streams.add(stream);
      stream.once('close', () => {
        this.streams.delete(stream);
        free();
      });
      return addAbortSignal(signal, stream);
    } catch (error) {
      free();
      throw error;
    }
  }

  onModuleDestroy(): void {
    this.isStopping = true;
    for (const stream of this.streams) stream.destroy(new Error('the service stops'));
  }
}
