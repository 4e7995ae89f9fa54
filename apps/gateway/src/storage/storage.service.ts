import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, type Config } from '#libs/config';
import { isoTime } from '#libs/domain';
import { diskOf } from '#libs/program';
import { CONFIG } from '../tokens.ts';
import type { StorageDto } from './storage.dto.ts';
import { StorageRepository } from './storage.repository.ts';

const KEPT_MS = 60_000;

/** Measures the space once a minute at most, however many users look. */
@Injectable()
export class Storage {
  private measured: { since: number; storage: Promise<StorageDto> } | null = null;

  constructor(
    private readonly storage: StorageRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  read(): Promise<StorageDto> {
    const now = performance.now();
    if (this.measured !== null && now - this.measured.since < KEPT_MS) return this.measured.storage;
    const storage = this.measure();
    const measured = { since: now, storage };
    this.measured = measured;
    // The next request measures again.
    storage.catch(() => {
      if (this.measured === measured) this.measured = null;
    });
    return storage;
  }

  private async measure(): Promise<StorageDto> {
    const measuredAt = isoTime(this.now());
    const [databaseBytes, dataDir] = await Promise.all([
      this.storage.databaseBytes(),
      diskOf(this.config.dataDir),
    ]);
    return { measuredAt, databaseBytes, dataDir };
  }
}
