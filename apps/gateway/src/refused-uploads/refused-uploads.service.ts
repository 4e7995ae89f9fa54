import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CLOCK, type Clock, type Logger } from '#libs/config';
import { DAY_MS, isoTime } from '#libs/domain';
import { HourlyRemoval } from '../hourly-removal.ts';
import { LOGGER } from '../tokens.ts';
import { WaitingRows } from '../waiting-rows.ts';
import type { RefusedUpload } from './refused-upload.ts';
import type { RefusedUploadDto, RefusedUploadsDto } from './refused-uploads.dto.ts';
import { RefusedUploadsRepository, type RefusedUploadsRow } from './refused-uploads.repository.ts';

const WRITE_INTERVAL_MS = 5_000;
const DATE_CHARACTERS = 10;
/** Rows that wait while the database is unavailable: those of ten days and more. */
const WAITING_MAX = 1_000;

/** Counts uploads that are refused as a whole, and writes the counts at intervals: no request waits for it. */
@Injectable()
export class RefusedUploads implements OnModuleInit, OnApplicationShutdown {
  private readonly rows: WaitingRows<RefusedUploadsRow>;

  constructor(
    private readonly refused: RefusedUploadsRepository,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const removal = new HourlyRemoval((at) => refused.removeOld(at).then(() => false), now);
    this.rows = new WaitingRows({
      what: 'refused uploads',
      intervalMs: WRITE_INTERVAL_MS,
      max: WAITING_MAX,
      keyOf: ({ day, kind, status, reason }) => JSON.stringify([day, kind, status, reason]),
      add: (waiting, { count, lastAt }) => {
        waiting.count += count;
        waiting.lastAt = Math.max(waiting.lastAt, lastAt);
      },
      write: (rows) => refused.add(rows),
      afterwards: () => removal.ifDue(),
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

  note(upload: RefusedUpload): void {
    const at = this.now();
    this.rows.take({ ...upload, day: dayOf(at), count: 1, lastAt: at });
  }

  /** @param days today in UTC is the last one; 1: today */
  async read(days: number): Promise<RefusedUploadsDto> {
    const from = dayOf(this.now() - (days - 1) * DAY_MS);
    const rows = await this.refused.since(from);
    const items = rows.map(({ lastAt, ...row }): RefusedUploadDto => ({ ...row, lastAt: isoTime(lastAt) }));
    return { from, items };
  }
}

/** The day in UTC. @param at epoch ms */
const dayOf = (at: number): string => isoTime(at).slice(0, DATE_CHARACTERS);
