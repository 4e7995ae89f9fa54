import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { LOGGER } from '../tokens.ts';
import { WaitingRows } from '../waiting-rows.ts';

const WRITE_INTERVAL_MS = 10_000;
const WAITING_MAX = 10_000;

interface LastUse {
  tokenId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** When API tokens were last used: one statement every ten seconds writes those used since the previous one. */
@Injectable()
export class LastUses implements OnModuleInit, OnApplicationShutdown {
  private readonly rows: WaitingRows<LastUse>;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.rows = new WaitingRows({
      what: 'the last uses of API tokens',
      intervalMs: WRITE_INTERVAL_MS,
      max: WAITING_MAX,
      keyOf: ({ tokenId }) => tokenId,
      add: (waiting, { at }) => {
        waiting.at = at;
      },
      write: (rows) => this.write(rows),
      logger,
    });
  }

  onModuleInit(): Promise<void> {
    return this.rows.start();
  }

  /** After the last request has ended: it can leave rows. */
  onApplicationShutdown(): Promise<void> {
    return this.rows.stop();
  }

  note(tokenId: string): void {
    this.rows.take({ tokenId, at: this.now() });
  }

  private async write(uses: LastUse[]): Promise<void> {
    const ids = uses.map(({ tokenId }) => tokenId);
    const times = uses.map(({ at }) => new Date(at));
    await sql`
      update api_tokens t set last_used_at = u.at
        from unnest(${ids}::uuid[], ${times}::timestamptz[]) as u (id, at)
       where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)`.execute(this.db);
  }
}
