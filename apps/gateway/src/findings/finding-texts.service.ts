import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import { readFindingTexts } from './finding-texts.ts';

const INTERVAL_MS = 1_000;
const CHANGES_EACH_ROUND = 20_000;

/** Keeps the texts that searches look into up to date, a second behind the fold; the projection is spared it. */
@Injectable()
export class FindingTexts implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly reading: Periodic;
  private started: Promise<void> = Promise.resolve();

  constructor(@Inject(DATABASE) db: Kysely<Schema>, @Inject(LOGGER) logger: Logger) {
    this.reading = new Periodic(
      INTERVAL_MS,
      () => readFindingTexts(db, CHANGES_EACH_ROUND),
      'updating the full-text index of findings failed',
      logger,
    );
  }

  /** The database may be away: nothing waits for the first round. */
  onApplicationBootstrap(): void {
    this.started = this.reading.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.started;
    await this.reading.stop();
  }
}
