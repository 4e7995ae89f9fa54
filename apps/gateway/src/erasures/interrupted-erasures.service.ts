import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { subjectsToErase } from '#libs/subject-keys';
import { Periodic } from '../periodic.ts';
import { LOGGER } from '../tokens.ts';
import { KeyDestroyer } from './key-destroyer.ts';

const INTERVAL_MS = 5_000;

/**
 * Destroys the keys of subjects whose erasure is folded: of requests that were interrupted or not folded in time, and
 * after a restore.
 */
@Injectable()
export class InterruptedErasures implements OnModuleInit, OnModuleDestroy {
  private readonly resuming: Periodic;
  /** The erasures from before this start, whose list may be lost or new. */
  private isListed = false;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    private readonly destroyer: KeyDestroyer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const failure = 'keys of erased subjects cannot be listed or destroyed';
    this.resuming = new Periodic(INTERVAL_MS, () => this.resume(), failure, logger);
  }

  onModuleInit(): Promise<void> {
    return this.resuming.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.resuming.stop();
  }

  private async resume(): Promise<void> {
    if (!this.isListed) await this.destroyer.list();
    this.isListed = true;
    const subjects = await subjectsToErase(this.db);
    if (subjects.length === 0) return;
    await this.destroyer.destroy(subjects);
    this.logger.info({ subjects }, 'keys of erased subjects destroyed');
  }
}
