import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { DAY_MS, type FindingType, type IntakePayload, partitionKey, settingsInForce } from '#libs/domain';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { actEvent, INTAKE_TOPIC, recordOf } from '#libs/intake';
import { EventSealer, subjectOfKey } from '#libs/sealing';
import { HourlyRemoval } from '../hourly-removal.ts';
import type { SettingsSource } from '../organization/settings-source.ts';
import { Periodic } from '../periodic.ts';
import { LOGGER, SETTINGS } from '../tokens.ts';
import { historyLimits } from './history-limits.ts';
import { HistoryRetentionRepository, longestRetention } from './history-retention.repository.ts';

const INTERVAL_MS = 1_000;
/** Windows of a type that a round appends to a partition; the next round continues when they are folded. */
const WINDOWS_MAX = 5;
/** Key of the advisory lock of PostgreSQL whose holder appends. */
const TRIM_LOCK = 7_305_011;
const REASON = 'retention';

interface Decided {
  entityKey: string;
  payload: IntakePayload;
}

/** The result of a round. */
interface Round {
  /** Whether nothing is left. */
  isComplete: boolean;
  /** Records that the fold has to process before a round appends again; 0 if this round, or one in progress, appends. */
  pendingRecords: number;
}

/**
 * Appends what the retention of the history decides: trims, and erasures of subjects that have nothing else left. Once
 * an hour, and as long as there is more. A crash, or a second gateway, appends an event twice at worst, without effect.
 */
@Injectable()
export class HistoryTrimming implements OnModuleInit, OnModuleDestroy {
  private readonly hourly: HourlyRemoval;
  private readonly trimming: Periodic;
  /** Partition → the offset that the fold is to reach before the next round. */
  private readonly awaited = new Map<number, number>();
  /** Beginning of the run in progress, epoch ms: changes that grow old later are for the next run, so that each one ends. */
  private begunAt = Number.POSITIVE_INFINITY;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(SETTINGS) private readonly settings: SettingsSource,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    private readonly histories: HistoryRetentionRepository,
    private readonly sealer: EventSealer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.hourly = new HourlyRemoval(
      async () => !(await this.round()).isComplete,
      () => this.clock.now(),
    );
    const failure = 'trimming the history of findings failed';
    this.trimming = new Periodic(INTERVAL_MS, () => this.hourly.ifDue(), failure, logger);
  }

  onModuleInit(): Promise<void> {
    return this.trimming.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.trimming.stop();
  }

  /** Days by type, of types whose history is not kept for ever. */
  retained(): Map<FindingType, number> {
    const { historyRetentionDays } = settingsInForce(this.settings());
    return new Map(
      Object.entries(historyRetentionDays).flatMap(([type, days]) =>
        typeof days === 'number' ? [[type as FindingType, days] as const] : [],
      ),
    );
  }

  /** @throws ClockError while the clocks are not trusted */
  async round(): Promise<Round> {
    const days = this.retained();
    if (days.size === 0) {
      this.begunAt = Number.POSITIVE_INFINITY;
      return { isComplete: true, pendingRecords: 0 };
    }
    const now = this.clock.now();
    return this.db.transaction().execute(async (lock) => {
      // It waits for the other statements of the round.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
      const { rows } = await sql<{ is_ours: boolean }>`
        select pg_try_advisory_xact_lock(${TRIM_LOCK}) as is_ours`.execute(lock);
      // Another round is at it, which may have begun before the last change of the settings.
      if (!rows[0]!.is_ours) return { isComplete: false, pendingRecords: 0 };
      const pendingRecords = await this.pendingRecords();
      if (pendingRecords > 0) return { isComplete: false, pendingRecords };
      // The earlier one: a clock that was ahead may have been corrected since.
      this.begunAt = Math.min(this.begunAt, now);
      const decided = [
        ...(await this.trims(days, this.begunAt)),
        ...(await this.erasures(days, this.begunAt)),
      ];
      await this.append(decided);
      if (decided.length === 0) this.begunAt = Number.POSITIVE_INFINITY;
      return { isComplete: decided.length === 0, pendingRecords: 0 };
    });
  }

  private async pendingRecords(): Promise<number> {
    let pending = 0;
    for (const [partition, offset] of this.awaited) {
      const left = offset - (await this.histories.foldedTo(partition));
      if (left > 0) pending += left;
      else this.awaited.delete(partition);
    }
    return pending;
  }

  private async trims(days: ReadonlyMap<FindingType, number>, now: number): Promise<Decided[]> {
    const decided: Decided[] = [];
    for (const [findingType, kept] of days) {
      const before = now - kept * DAY_MS;
      const { through } = await historyLimits(this.db, this.log.partitions, before);
      for (const [partition, limit] of through.entries()) {
        const ends = await this.histories.windows(partition, findingType, limit, WINDOWS_MAX);
        decided.push(
          ...ends.map((throughSequence) => ({
            entityKey: partitionKey(partition),
            payload: { type: 'HistoryTrimmed' as const, findingType, before, throughSequence },
          })),
        );
      }
    }
    return decided;
  }

  private async erasures(days: ReadonlyMap<FindingType, number>, now: number): Promise<Decided[]> {
    if (!this.sealer.isOn) return [];
    const keys = await this.histories.expiredSubjects(days, now);
    const deletedBefore = longestRetention(days, now);
    return keys.map((entityKey) => {
      const subject = subjectOfKey(entityKey)!;
      return { entityKey, payload: { type: 'SubjectErased', subject, reason: REASON, deletedBefore } };
    });
  }

  private async append(decided: Decided[]): Promise<void> {
    if (decided.length === 0) return;
    const origin = { ...this.clock.read(), settingsVersion: this.settings().version, by: null };
    const events = decided.map(({ entityKey, payload }) => actEvent({ ...origin, entityKey }, payload));
    const records = (await this.sealer.seal(events)).map((event) => {
      const [, partition] = /^log:(\d+)$/.exec(event.envelope.entityKey) ?? [];
      return { ...recordOf(event), ...(partition !== undefined && { partition: Number(partition) }) };
    });
    for (const { partition, offset } of await this.log.append(INTAKE_TOPIC, records)) {
      this.awaited.set(partition, Math.max(offset + 1, this.awaited.get(partition) ?? 0));
    }
    this.logger.info({ events: decided.length }, 'old history of findings: trims and erasures appended');
  }
}
