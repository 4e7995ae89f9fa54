import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { isoTime } from '#libs/domain';
import { Periodic } from '../periodic.ts';
import { HourlyRemoval } from '../security-events/retention.ts';
import { LOGGER } from '../tokens.ts';
import type { RefusedUpload } from './refused-upload.ts';
import type { RefusedUploadDto, RefusedUploadsDto } from './refused-uploads.dto.ts';
import { RefusedUploadsRepository, type RefusedUploadsRow } from './refused-uploads.repository.ts';

const WRITE_INTERVAL_MS = 5_000;
const DAY_MS = 86_400_000;
const DATE_CHARACTERS = 10;
/** Rows that wait while the database is unavailable: those of ten days and more. */
const WAITING_MAX = 1_000;

/** Counts uploads that are refused as a whole, and writes the counts at intervals: no request waits for it. */
@Injectable()
export class RefusedUploads implements OnModuleInit, OnModuleDestroy {
  private waiting = new Map<string, RefusedUploadsRow>();
  private readonly removal: HourlyRemoval;
  private readonly writing: Periodic;

  constructor(
    private readonly refused: RefusedUploadsRepository,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.removal = new HourlyRemoval((at) => refused.removeOld(at).then(() => false), now);
    this.writing = new Periodic(
      WRITE_INTERVAL_MS,
      () => this.write(),
      'storing refused uploads failed',
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

  note(upload: RefusedUpload): void {
    const at = this.now();
    this.take({ ...upload, day: dayOf(at), count: 1, lastAt: at });
  }

  /** @param days today in UTC is the last one; 1: today */
  async read(days: number): Promise<RefusedUploadsDto> {
    const from = dayOf(this.now() - (days - 1) * DAY_MS);
    const rows = await this.refused.since(from);
    const items = rows.map(({ lastAt, ...row }): RefusedUploadDto => ({ ...row, lastAt: isoTime(lastAt) }));
    return { from, items };
  }

  private take(row: RefusedUploadsRow): void {
    const key = JSON.stringify([row.day, row.kind, row.status, row.reason]);
    const alike = this.waiting.get(key);
    if (alike) {
      alike.count += row.count;
      alike.lastAt = Math.max(alike.lastAt, row.lastAt);
    } else if (this.waiting.size < WAITING_MAX) this.waiting.set(key, row);
  }

  private async write(): Promise<void> {
    const rows = this.waiting;
    this.waiting = new Map();
    try {
      if (rows.size > 0) await this.refused.add([...rows.values()]);
    } catch (error) {
      const later = this.waiting;
      this.waiting = rows;
      for (const row of later.values()) this.take(row);
      throw error;
    }
    await this.removal.ifDue();
  }
}

/** The day in UTC. @param at epoch ms */
const dayOf = (at: number): string => isoTime(at).slice(0, DATE_CHARACTERS);
