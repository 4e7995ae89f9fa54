import type { Readable } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RetryLaterException } from '../http/http-errors.ts';

/** Exports under way at a time: of one credential, and of all in this process. */
const OF_A_CREDENTIAL_MAX = 1;
const OF_ALL_MAX = 4;
const RETRY_SECONDS = 10;
/** A client that takes nothing must not hold a place for ever. */
const EXPORT_MS_MAX = 60 * 60 * 1000;

/** What an export holds from before its first query until its stream is closed. */
export interface ExportSlot {
  /** The stream frees the slot when it closes; it is destroyed after an hour, and when the program stops. */
  serve(stream: Readable): Readable;
  free(): void;
}

/** Bounds how many exports read the database at a time. */
@Injectable()
export class ExportSlots implements OnModuleDestroy {
  private readonly taken = new Map<ExportSlot, string>();
  private readonly streams = new Set<Readable>();
  private isStopping = false;

  /** @throws RetryLaterException (429) where this credential, or the process, has as many as it may */
  take(credentialId: string): ExportSlot {
    const own = [...this.taken.values()].filter((id) => id === credentialId).length;
    if (this.isStopping || own >= OF_A_CREDENTIAL_MAX || this.taken.size >= OF_ALL_MAX) {
      throw new RetryLaterException(RETRY_SECONDS, 'exports');
    }
    const slot: ExportSlot = {
      serve: (stream) => this.serve(slot, stream),
      free: () => void this.taken.delete(slot),
    };
    this.taken.set(slot, credentialId);
    return slot;
  }

  /**
   * An export in a slot of its own, which its stream frees.
   * @param open called once there is a slot
   * @throws as `take` and `open`
   */
  async start(credentialId: string, open: () => Promise<Readable>): Promise<Readable> {
    const slot = this.take(credentialId);
    try {
      return slot.serve(await open());
    } catch (error) {
      slot.free();
      throw error;
    }
  }

  /** A cut connection tells the client that its file is not whole. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const stream of this.streams) stream.destroy(new Error('the service stops'));
  }

  private serve(slot: ExportSlot, stream: Readable): Readable {
    const timer = setTimeout(() => stream.destroy(new Error('the export took too long')), EXPORT_MS_MAX);
    this.streams.add(stream);
    stream.once('close', () => {
      clearTimeout(timer);
      this.streams.delete(stream);
      slot.free();
    });
    return stream;
  }
}
