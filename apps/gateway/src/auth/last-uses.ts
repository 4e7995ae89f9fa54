import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';

const WRITE_INTERVAL_MS = 10_000;

/**
 * When API tokens were used last: one statement every ten seconds writes those that were used since the last one. There
 * are as many as known tokens at most.
 */
@Injectable()
export class LastUses implements OnModuleInit, OnModuleDestroy {
  /** By token, in epoch milliseconds. */
  private waiting = new Map<string, number>();
  private readonly writing: Periodic;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const write = () => this.write();
    this.writing = new Periodic(
      WRITE_INTERVAL_MS,
      write,
      'storing the last uses of API tokens failed',
      logger,
    );
  }

  onModuleInit(): Promise<void> {
    return this.writing.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.writing.stop();
    await this.writing.round();
  }

  note(tokenId: string): void {
    this.waiting.set(tokenId, this.now());
  }

  private async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    const written = this.waiting;
    this.waiting = new Map();
    try {
      await sql`
        update api_tokens t set last_used_at = u.at
          from unnest(${[...written.keys()]}::uuid[], ${[...written.values()].map((at) => new Date(at))}::timestamptz[])
                 as u (id, at)
         where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)`.execute(this.db);
    } catch (error) {
      this.waiting = new Map([...written, ...this.waiting]);
      throw error;
    }
  }
}
