import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { type ChangeVector, readHeads, STREAM_TOPICS } from '#libs/changes';
import type { Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { LOGGER } from '../tokens.ts';

/** How long a change may be unheard of. */
const POLL_INTERVAL_MS = 100;
const RETRY_INTERVAL_MS = 1_000;

/** How far the changes of all partitions reach; `version` grows whenever they reach further. */
export interface Heads {
  vector: ChangeVector;
  version: number;
}

interface Waiter {
  version: number;
  wake: (heads: Heads) => void;
}

/** Reports the end of the changes to all subscribers: one query for all, and no query without subscribers. */
@Injectable()
export class ChangeHeads {
  private readonly waiting = new Set<Waiter>();
  private heads: Heads;
  private polling: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.heads = { vector: this.zeros(), version: 0 };
  }

  /** As of now. */
  async read(): Promise<Heads> {
    const vector = await readHeads(this.db, this.log.partitions);
    if (isFurther(vector, this.heads.vector)) this.heads = { vector, version: this.heads.version + 1 };
    return this.heads;
  }

  /** Waits for heads after a version; null after `timeoutMs` or when `signal` is aborted. */
  async after(version: number, timeoutMs: number, signal: AbortSignal): Promise<Heads | null> {
    if (signal.aborted) return null;
    if (this.heads.version > version) return this.heads;
    const ended = new AbortController();
    const end = () => ended.abort();
    signal.addEventListener('abort', end);
    let waiter: Waiter | undefined;
    const news = new Promise<Heads>((wake) => {
      waiter = { version, wake };
      this.waiting.add(waiter);
      this.polling ??= this.poll();
    });
    const silence = setTimeout(timeoutMs, null, { signal: ended.signal }).catch(() => null);
    try {
      return await Promise.race([news, silence]);
    } finally {
      this.waiting.delete(waiter!);
      signal.removeEventListener('abort', end);
      end();
    }
  }

  private async poll(): Promise<void> {
    while (this.waiting.size > 0) {
      const hasRead = await this.readPatiently();
      for (const waiter of this.waiting) {
        if (this.heads.version > waiter.version) waiter.wake(this.heads);
      }
      await setTimeout(hasRead ? POLL_INTERVAL_MS : RETRY_INTERVAL_MS);
    }
    this.polling = undefined;
  }

  private async readPatiently(): Promise<boolean> {
    try {
      await this.read();
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'reading changes from the database failed: streams are delayed');
      return false;
    }
  }

  private zeros(): ChangeVector {
    const none = () => new Array<number>(this.log.partitions).fill(0);
    return { assets: none(), findings: none(), scores: none() };
  }
}

const isFurther = (one: ChangeVector, other: ChangeVector): boolean =>
  STREAM_TOPICS.some((topic) => one[topic].some((sequence, i) => sequence > other[topic][i]!));
