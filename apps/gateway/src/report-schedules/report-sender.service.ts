import { randomUUID } from 'node:crypto';
import {
  HttpException,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Kysely } from 'kysely';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import { CLOCK, type Clock, type Config, type Logger } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { type Egress, EgressError } from '#libs/egress';
import { seesAllRows } from '#libs/tables';
import { atScrape, reportAttempts, stoppedReportSchedules } from '#libs/telemetry';
import { type HolderRights, Holders } from '../auth/holder-rights.ts';
import { RetryLaterException } from '../http/http-errors.ts';
import { Periodic } from '../periodic.ts';
import { type Attempt, nextAttemptAt } from '../sending/attempt.ts';
import { CONFIG, EGRESS, LOGGER } from '../tokens.ts';
import { ReportMakers } from './made-report.ts';
import { NextReportLook } from './next-report-look.ts';
import { lastDue, nextAfter } from './occurrences.ts';
import { ReportDeliveriesRepository } from './report-deliveries.repository.ts';
import { type ReportDelivery, type ScheduleRow, STOP_REASONS } from './report-schedule.ts';
import { ReportSchedulesRepository } from './report-schedules.repository.ts';
import { SCOPES_OF, SETTLED_MS } from './report-schedules.service.ts';
import { ContentError, ScheduleContents } from './schedule-contents.ts';
import { type Outgoing, sendByEmail, sendToWebhook } from './send-report.ts';

const LOOK_INTERVAL_MS = 1_000;
/** Later than this, the time was missed: no gateway ran, or the database was unavailable. */
const MISSED_AFTER_MS = 10 * 60_000;
/** Longer than the slowest report and its message. */
const LEASE_MS = 15 * 60_000;
const PLANNED_AT_ONCE = 10;
const PRUNE_INTERVAL_MS = 10 * 60_000;
const DELIVERIES_KEPT_MS = 400 * 24 * 60 * 60_000;

/** The owner of a schedule may not read the report, or not send it. */
class AccessLost extends Error {}

/**
 * Sends reports at the times of their schedules. Every gateway looks when something is due, one at a time plans a schedule or takes a delivery: the
 * rows say what is taken. A gateway sends one report at a time, so that people always get one of the two that it computes
 * at a time.
 */
@Injectable()
export class ReportSender implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly looking: Periodic;
  private readonly publicUrl: string | null;
  private prunedAt = Number.NEGATIVE_INFINITY;
  private started: Promise<void> = Promise.resolve();
  private unregister = () => {};

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(TRUSTED_CLOCK) private readonly clock: TrustedClock,
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) { publicUrl }: Config,
    private readonly schedules: ReportSchedulesRepository,
    private readonly deliveries: ReportDeliveriesRepository,
    private readonly contents: ScheduleContents,
    private readonly holders: Holders,
    private readonly makers: ReportMakers,
    private readonly nextLook: NextReportLook,
  ) {
    this.publicUrl = publicUrl ?? null;
    const failure = 'sending scheduled reports failed, will retry';
    this.looking = new Periodic(LOOK_INTERVAL_MS, () => this.look(), failure, logger);
  }

  onApplicationBootstrap(): void {
    this.unregister = atScrape('report schedules', () => this.report());
    this.started = this.looking.start();
  }

  /** Resolves when the message in progress is aborted: it is sent again. */
  async onModuleDestroy(): Promise<void> {
    this.unregister();
    this.stopping.abort();
    await this.looking.stop();
    await this.started;
  }

  private async look(): Promise<void> {
    if (this.clock.distrust) return;
    await this.nextLook.ifDue(this.now(), () => this.workIfDue());
    if (performance.now() - this.prunedAt < PRUNE_INTERVAL_MS) return;
    const removed = await this.deliveries.prune(this.now() - DELIVERIES_KEPT_MS);
    if (removed === 0) this.prunedAt = performance.now();
  }

  /** Returns when something is due next, in epoch ms. */
  private async workIfDue(): Promise<number | null> {
    const next = await this.deliveries.nextWorkAt(SETTLED_MS);
    if (next === null || next > this.now()) return next;
    await this.work();
    return this.deliveries.nextWorkAt(SETTLED_MS);
  }

  private async work(): Promise<void> {
    await this.plan();
    await this.endInterrupted();
    while (!this.stopping.signal.aborted) {
      const now = this.now();
      const taken = await this.deliveries.take(now, now + LEASE_MS);
      if (!taken) break;
      await this.attempt(taken);
    }
  }

  /** A gateway that ended during the last attempt has not counted the failure. */
  private async endInterrupted(): Promise<void> {
    const interrupted = await this.deliveries.endInterrupted(this.now());
    if (interrupted === 0) return;
    reportAttempts.inc({ outcome: 'failed' }, interrupted);
    this.logger.warn(`scheduled reports: ${interrupted} failed, their last attempt was interrupted`);
  }

  /** Adds the deliveries of what is due: in one transaction with the next time, so that each time is sent once. */
  private plan(): Promise<void> {
    return this.db.transaction().execute(async (trx) => {
      const [schedules, deliveries] = [
        new ReportSchedulesRepository(trx),
        new ReportDeliveriesRepository(trx),
      ];
      const now = this.now();
      for (const schedule of await schedules.lockDue(now - SETTLED_MS, PLANNED_AT_ONCE)) {
        const { id, channels, nextAt } = schedule;
        const at = lastDue(schedule, nextAt!, now - SETTLED_MS);
        const cause = now - at > MISSED_AFTER_MS ? 'catchUp' : 'schedule';
        await deliveries.add(
          channels.map((channel) => ({
            ...{ id: randomUUID(), scheduleId: id, channel, at, cause, createdAt: now },
          })),
        );
        await schedules.setNext(id, nextAfter(schedule, at));
      }
    });
  }

  private async attempt(delivery: ReportDelivery): Promise<void> {
    const schedule = await this.schedules.findAny(delivery.scheduleId);
    if (!schedule) return;
    const begun = performance.now();
    try {
      await this.settle(delivery, await this.sent(delivery, schedule));
    } catch (error) {
      const isAborted = error instanceof EgressError && error.failure === 'aborted';
      if (isAborted || this.stopping.signal.aborted) {
        await this.deliveries.release(delivery, this.now());
      } else if (error instanceof RetryLaterException) {
        await this.deliveries.release(delivery, this.now() + error.seconds * 1_000);
      } else {
        const ms = Math.round(performance.now() - begun);
        const failure = await this.failureOf(error as Error, schedule, ms);
        if (failure) await this.settle(delivery, failure);
        else await this.deliveries.release(delivery, this.now());
      }
    }
  }

  /** @throws AccessLost, ContentError, and what the report throws */
  private async sent(delivery: ReportDelivery, schedule: ScheduleRow): Promise<Attempt> {
    const owner = await this.holders.rightsOf(schedule.ownerId);
    assertMaySend(schedule, owner);
    const { query, email, webhook } = this.contents.open(schedule);
    const { signal } = this.stopping;
    const made = await this.makers.make(schedule.report, query, delivery.at, owner.rows, signal);
    const outgoing: Outgoing = { schedule, delivery, made };
    const outlet = {
      ...{ egress: this.egress, clock: this.now, publicUrl: this.publicUrl },
      signal,
    };
    if (delivery.channel === 'email' && email) return sendByEmail(outgoing, email, outlet);
    if (delivery.channel === 'webhook' && webhook) return sendToWebhook(outgoing, webhook, outlet);
    return refused(`the schedule no longer sends by ${delivery.channel}`, 0);
  }

  /** Null: the schedule has changed since then, and what failed is not what it says now. */
  private async failureOf(error: Error, schedule: ScheduleRow, ms: number): Promise<Attempt | null> {
    if (error instanceof AccessLost) {
      const why = { reason: 'access', message: error.message, at: this.now() } as const;
      if (!(await this.schedules.stop(schedule, why))) return null;
      this.logger.warn({ schedule: schedule.id }, `a report schedule was stopped: ${error.message}`);
      await this.deliveries.endPending(schedule.id, error.message, this.now());
      return refused(error.message, ms);
    }
    // The report rejects the request: too many findings, or a history that was removed.
    if (error instanceof HttpException && error.getStatus() < 500) return refused(error.message, ms);
    this.logger.warn({ err: error, schedule: schedule.id }, 'a scheduled report cannot be made');
    // The text of any other error can name tables, hosts and paths.
    const isShown = error instanceof HttpException || error instanceof ContentError;
    const why = isShown ? error.message : 'see the log of the gateway';
    const answer = { status: null, message: `the report cannot be made: ${why}`, ms };
    return { outcome: 'failed', answer, retryAfterMs: null };
  }

  private async settle(delivery: ReportDelivery, attempt: Attempt): Promise<void> {
    const now = this.now();
    const retryAt = nextAttemptAt(attempt, delivery.attempts, now);
    const outcome = await this.deliveries.settle(delivery, attempt, now, retryAt);
    if (outcome) reportAttempts.inc({ outcome });
  }

  private async report(): Promise<void> {
    stoppedReportSchedules.reset();
    const stopped = await this.schedules.countStopped();
    for (const reason of STOP_REASONS) stoppedReportSchedules.set({ reason }, stopped.get(reason) ?? 0);
  }
}

const refused = (message: string, ms: number): Attempt => ({
  ...{ outcome: 'refused', retryAfterMs: null },
  answer: { status: null, message, ms },
});

/** As the route of the report decides it. */
function assertMaySend({ report }: ScheduleRow, owner: HolderRights | null): asserts owner is HolderRights {
  if (!owner)
    throw new AccessLost('its owner was removed or disabled: change the schedule to become its owner');
  const lacking = SCOPES_OF[report].find((scope) => !owner.scopes.has(scope));
  if (lacking !== undefined) throw new AccessLost(`its owner no longer has the scope ${lacking}`);
  if (report === 'board' && !seesAllRows(owner.rows)) {
    throw new AccessLost(
      'its owner is now limited to departments or locations: the board report concerns all assets',
    );
  }
}
