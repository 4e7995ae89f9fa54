import { ConflictException, Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { DAY_MS, FINDING_TYPES, isoTime, isoTimeOrNull } from '#libs/domain';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { historyLimits } from './history-limits.ts';
import type {
  HistoryRetentionDto,
  HistorySummaryItemDto,
  HistorySummaryQuery,
  RetentionPreviewDto,
  RetentionPreviewQuery,
} from './history-retention.dto.ts';
import { HistoryRetentionRepository } from './history-retention.repository.ts';
import { HistoryTrimming } from './history-trimming.service.ts';

@Injectable()
export class HistoryRetention {
  constructor(
    private readonly histories: HistoryRetentionRepository,
    private readonly trimming: HistoryTrimming,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async status(): Promise<HistoryRetentionDto> {
    const trimmed = new Map((await this.histories.trimmed()).map((one) => [one.type, one]));
    const days = this.trimming.retained();
    return {
      types: FINDING_TYPES.map((type) => ({
        type,
        days: days.get(type) ?? null,
        keptFrom: isoTimeOrNull(trimmed.get(type)?.keptFrom ?? null),
        removed: trimmed.get(type)?.removed ?? 0,
      })),
    };
  }

  /** @throws ConflictException if the type is kept for ever and no days are given */
  async preview({ type, days: given }: RetentionPreviewQuery): Promise<RetentionPreviewDto> {
    const retained = this.trimming.retained();
    const days = given ?? retained.get(type);
    if (days === undefined) {
      throw new ConflictException(
        `the history of ${type} findings is kept for ever: set historyRetentionDays.${type}, or send \`days\``,
      );
    }
    const now = this.clock();
    const before = now - days * DAY_MS;
    const { through, waitingFor } = await historyLimits(this.db, this.log.partitions, before);
    const subjects = await this.histories.countExpiredSubjects(retained.set(type, days), now);
    const { oldest, ...removable } = await this.histories.removable(type, through);
    return {
      type,
      days,
      before: isoTime(before),
      ...removable,
      oldest: isoTimeOrNull(oldest),
      subjects,
      waitingFor,
    };
  }

  async summary({ type, cursor, limit }: HistorySummaryQuery): Promise<Page<HistorySummaryItemDto>> {
    const after = decodeKeys(cursor, 'text', 'text', 'text', 'text');
    const rows = await this.histories.summary(type, after, limit + 1);
    const keysOf = ({ month, change, state, severity }: HistorySummaryItemDto) => [
      month,
      change,
      state,
      severity,
    ];
    return pageFrom(rows, limit, keysOf, (row) => row);
  }
}
