import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RetryLaterException } from '../http/http-errors.ts';
import { Shares } from '../http/shares.ts';

/** Rows that a read goes through without a place: the first page of most lists, and everything on a small site. */
export const ROWS_WITHOUT_PLACE = 20_000;

/** Findings of a step at most, in reads that choose their steps. */
export const FINDINGS_AT_ONCE = 10_000;

const RETRY_SECONDS = 10;

/** Who waits for a read of the history. */
export interface PastReader {
  /** Whose place it takes; null: other limits bound how many there are of its kind. */
  credentialId: string | null;
  /** Ends the read before its next step. */
  signal: AbortSignal;
}

/** For reads of the present, and for programs, which wait for what they read in any case. */
export const UNHURRIED: PastReader = { credentialId: null, signal: new AbortController().signal };

/** A read of the history in progress. */
export interface PastRead {
  /**
   * To be called before each step, which goes through so many rows at most. Waits for a place if the read needs one.
   * @throws the reason of the reader's signal; RetryLaterException (429) if there is no place, or the service stops
   */
  step(rows: number): Promise<void>;
  /** @throws the reason of the reader's signal, for statements within a step */
  assertAwaited(): void;
}

/** Of few rows, such as the findings of an asset. */
export const SHORT_READ: PastRead = { step: async () => undefined, assertAwaited: () => undefined };

interface Waiting {
  credentialId: string;
  /** @param free frees the place that the read has now */
  start: (free: () => void) => void;
  refuse: (error: unknown) => void;
}

/**
 * Bounds how many reads go through much of the history at a time, which takes a second for 50,000 findings: without a
 * bound, some of them would use all connections for minutes. The console reads list, counts and groups of a view at once,
 * so a credential has a place for each, and further reads wait.
 */
@Injectable()
export class PastReads implements OnModuleDestroy {
  private readonly places = new Shares({
    ...{ max: 6, ofACredential: 3 },
    ...{ retrySeconds: RETRY_SECONDS, reason: 'past_reads' },
  });
  private readonly queue = new Shares({
    ...{ max: 30, ofACredential: 9 },
    ...{ retrySeconds: RETRY_SECONDS, reason: 'past_reads' },
  });
  private readonly waiting = new Set<Waiting>();
  private isStopping = false;
  /** After that a read that waits is refused. */
  protected readonly waitMsMax: number = 10_000;

  /** @throws what `PastRead.step` throws; any error of `work` */
  async run<T>({ credentialId, signal }: PastReader, work: (read: PastRead) => Promise<T>): Promise<T> {
    const held: { rows: number; free?: () => void } = { rows: 0 };
    const assertAwaited = () => {
      signal.throwIfAborted();
      if (this.isStopping) throw refusal();
    };
    const step = async (rows: number) => {
      assertAwaited();
      held.rows += rows;
      if (credentialId === null || held.free || held.rows <= ROWS_WITHOUT_PLACE) return;
      held.free = await this.place(credentialId, signal);
    };
    try {
      return await work({ step, assertAwaited });
    } finally {
      held.free?.();
      this.startWaiting();
    }
  }

  onModuleDestroy(): void {
    this.isStopping = true;
    for (const { refuse } of this.waiting) refuse(refusal());
  }

  private async place(credentialId: string, signal: AbortSignal): Promise<() => void> {
    if (this.places.has(credentialId)) return this.places.take(credentialId);
    const leave = this.queue.take(credentialId);
    const settled = new AbortController();
    try {
      return await new Promise((start, reject) => {
        const waiting: Waiting = {
          ...{ credentialId, start },
          refuse: (error) => {
            this.waiting.delete(waiting);
            reject(error);
          },
        };
        this.waiting.add(waiting);
        const late = setTimeout(() => waiting.refuse(refusal()), this.waitMsMax);
        settled.signal.addEventListener('abort', () => clearTimeout(late));
        const onAbort = () => waiting.refuse(signal.reason);
        signal.addEventListener('abort', onAbort, { signal: settled.signal });
      });
    } finally {
      settled.abort();
      leave();
    }
  }

  /** In the order in which they came, but for those whose credential has all its places. */
  private startWaiting(): void {
    for (const waiting of this.waiting) {
      if (!this.places.has(waiting.credentialId)) continue;
      this.waiting.delete(waiting);
      waiting.start(this.places.take(waiting.credentialId));
    }
  }
}

const refusal = () => new RetryLaterException(RETRY_SECONDS, 'past_reads');
