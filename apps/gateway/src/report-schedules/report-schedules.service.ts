import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { Kysely } from 'kysely';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { isoTime } from '#libs/domain';
import { areWithin, seesAllRows } from '#libs/tables';
import { ActsService } from '../acts/acts.service.ts';
import { webhookChanged } from '../acts/webhook-changed.ts';
import { assertScope, RowsMissingException } from '../auth/access.ts';
import type { LimitedCaller, ScopedCaller } from '../auth/caller.ts';
import { Holders } from '../auth/holder-rights.ts';
import type { Scope } from '../auth/scopes.ts';
import { assertSeenVersion } from '../http/seen-version.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import { shownUrl } from '../webhooks/receiver-url.ts';
import { channelsWith } from './given-channels.ts';
import { NextReportLook } from './next-report-look.ts';
import { type Calendar, calendarProblem, nextAfter, nextTimes } from './occurrences.ts';
import { ReportDeliveriesRepository } from './report-deliveries.repository.ts';
import { checkedReportQuery } from './report-query.ts';
import {
  type AddReportScheduleDto,
  type CalendarPreviewDto,
  type ChangeReportScheduleDto,
  NEXT_TIMES,
  type ReportDeliveryDto,
  type ReportScheduleDto,
  type ReportScheduleWithSecretDto,
} from './report-schedule.dto.ts';
import {
  channelsOf,
  type ReportDelivery,
  type ReportKind,
  type ScheduleContent,
  type ScheduleRow,
} from './report-schedule.ts';
import { ReportSchedulesRepository } from './report-schedules.repository.ts';
import { ContentError, ScheduleContents } from './schedule-contents.ts';
import { deliveryView, scheduleView } from './schedule-view.ts';

export const SCHEDULES_MAX = 50;
/** Until then, everything that a gateway dates before an instant is in the log. */
export const SETTLED_MS = 1_000;

/** Who may read a report, and send it. */
export const SCOPES_OF: Record<ReportKind, readonly Scope[]> = {
  board: ['scores:read', 'findings:read', 'webhooks:write'],
  technical: ['findings:read', 'assets:read', 'webhooks:write'],
};

/**
 * Report schedules as users configure them. As with webhooks, the act is on the log before the database commits it, and the
 * rows are outside the log (ADR-0135).
 */
@Injectable()
export class ReportSchedulesService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    private readonly schedules: ReportSchedulesRepository,
    private readonly deliveries: ReportDeliveriesRepository,
    private readonly contents: ScheduleContents,
    private readonly holders: Holders,
    private readonly acts: ActsService,
    private readonly nextLook: NextReportLook,
  ) {}

  async list({ limit, cursor }: PageQuery, caller: LimitedCaller): Promise<Page<ReportScheduleDto>> {
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.schedules.list(caller, after, limit + 1);
    const views = new Map((await this.viewsOf(rows)).map((view) => [view.id, view]));
    return pageFrom(
      rows,
      limit,
      ({ createdAt, id }) => [createdAt, id],
      ({ id }) => views.get(id)!,
    );
  }

  /** @throws NotFoundException */
  async get(id: string, caller: LimitedCaller): Promise<ReportScheduleDto> {
    const [view] = await this.viewsOf([found(await this.schedules.find(id, caller), id)]);
    return view!;
  }

  /**
   * @throws BadRequestException; ScopeMissingException or RowsMissingException if the caller may not read the report;
   * ConflictException if there are 50
   */
  async add(given: AddReportScheduleDto, caller: ScopedCaller): Promise<ReportScheduleWithSecretDto> {
    const { name, report, cron, timeZone = 'UTC', enabled = true } = given;
    assertMayRead(report, caller);
    const [id, now] = [randomUUID(), this.now()];
    const nextAt = this.nextOf({ cron, timeZone }, enabled);
    const query = await queryOf(report, given.query ?? '');
    const content = { query, ...channelsWith({ email: null, webhook: null }, given) };
    const row: ScheduleRow = {
      ...{ id, version: 1, name, report, cron, timeZone, channels: channelsOf(content), enabled },
      ...{ stopped: null, nextAt, createdAt: now, updatedAt: now, ownerId: caller.credentialId },
      content: this.contents.seal(id, content),
    };
    await this.db.transaction().execute(async (trx) => {
      const schedules = new ReportSchedulesRepository(trx);
      await schedules.lockCount();
      if ((await schedules.count()) >= SCHEDULES_MAX) {
        throw new ConflictException(
          `the limit of ${SCHEDULES_MAX} report schedules is reached: remove a schedule first`,
        );
      }
      await schedules.add(row);
      await this.acts.append(
        [webhookChanged('reportScheduleAdded', id, auditDetailsOf(row, content))],
        caller,
      );
    });
    this.nextLook.wake();
    return { ...(await this.get(id, caller)), webhookSecret: generatedSecret(given.webhook, content) };
  }

  /**
   * The caller becomes the owner, so that reports contain only rows that the user who chose the recipients may see.
   * @throws as `add`; NotFoundException; ConflictException if it has changed since `version`
   */
  async change(
    id: string,
    { version, ...given }: ChangeReportScheduleDto,
    caller: ScopedCaller,
  ): Promise<ReportScheduleWithSecretDto> {
    if (Object.values(given).every((value) => value === undefined)) {
      throw new BadRequestException(
        'the body must contain name, query, cron, timeZone, email, webhook or enabled',
      );
    }
    const webhookSecret = await this.db.transaction().execute(async (trx) => {
      const schedules = new ReportSchedulesRepository(trx);
      const row = found(await schedules.lock(id, caller), id);
      assertSeenVersion('schedule', row.version, version);
      assertMayRead(row.report, caller);
      const before = this.openedOf(row);
      const { name = row.name, cron = row.cron, timeZone = row.timeZone, enabled = row.enabled } = given;
      const query = given.query === undefined ? before.query : await queryOf(row.report, given.query);
      const content = { query, ...channelsWith(before, given) };
      if (row.report === 'technical') await this.assertOwnRecipients(row, before, given, caller);
      const isCalendarKept = cron === row.cron && timeZone === row.timeZone && enabled === row.enabled;
      const nextAt = isCalendarKept ? row.nextAt : this.nextOf({ cron, timeZone }, enabled);
      const columns = { name, cron, enabled, channels: channelsOf(content) };
      const now = this.now();
      await schedules.change(
        id,
        {
          ...columns,
          time_zone: timeZone,
          content: this.contents.seal(id, content),
          owner_id: caller.credentialId,
          next_at: nextAt === null ? null : new Date(nextAt),
          ...(enabled && { stopped: null }),
        },
        now,
      );
      const deliveries = new ReportDeliveriesRepository(trx);
      if (row.enabled && !enabled) await deliveries.endPending(id, 'the schedule was disabled', now);
      const removed = row.channels.filter((channel) => !columns.channels.includes(channel));
      if (removed.length > 0) {
        await deliveries.endPending(id, 'the channel was removed from the schedule', now, removed);
      }
      const changed = { ...row, ...columns, timeZone };
      await this.acts.append(
        [webhookChanged('reportScheduleChanged', id, auditDetailsOf(changed, content))],
        caller,
      );
      return before.webhook ? null : generatedSecret(given.webhook, content);
    });
    this.nextLook.wake();
    return { ...(await this.get(id, caller)), webhookSecret };
  }

  /** Returns the removed one. @throws NotFoundException */
  async remove(id: string, caller: LimitedCaller): Promise<ReportScheduleDto> {
    const view = await this.get(id, caller);
    await this.db.transaction().execute(async (trx) => {
      const schedules = new ReportSchedulesRepository(trx);
      const { report } = found(await schedules.lock(id, caller), id);
      await schedules.remove(id);
      await this.acts.append([webhookChanged('reportScheduleRemoved', id, { report })], caller);
    });
    return view;
  }

  /**
   * Sends the report of a second ago, with the rights of the owner; also while the schedule is disabled.
   * @throws NotFoundException; ConflictException while one that a user sends is pending
   */
  async send(id: string, caller: LimitedCaller): Promise<ReportScheduleDto> {
    await this.db.transaction().execute(async (trx) => {
      const { channels, report } = found(await new ReportSchedulesRepository(trx).lock(id, caller), id);
      const deliveries = new ReportDeliveriesRepository(trx);
      if (await deliveries.isUserWaiting(id)) {
        throw new ConflictException('the last report that a user sent is still pending: see its deliveries');
      }
      const now = this.now();
      const at = now - SETTLED_MS;
      await deliveries.add(
        channels.map((channel) => ({
          ...{ id: randomUUID(), scheduleId: id, channel, at, cause: 'user', createdAt: now },
        })),
      );
      await this.acts.append([webhookChanged('reportScheduleSent', id, { report, at: isoTime(at) })], caller);
    });
    this.nextLook.wake();
    return this.get(id, caller);
  }

  /** Newest first. @throws NotFoundException */
  async listDeliveries(
    id: string,
    { limit, cursor }: PageQuery,
    caller: LimitedCaller,
  ): Promise<Page<ReportDeliveryDto>> {
    found(await this.schedules.find(id, caller), id);
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.deliveries.list(id, after, limit + 1);
    return pageFrom(rows, limit, (row) => [row.createdAt, row.id], deliveryView);
  }

  /** The next times of a calendar. @throws BadRequestException if it is not valid */
  preview(calendar: Calendar): CalendarPreviewDto {
    const now = this.now();
    assertCalendar(calendar, now);
    return { times: nextTimes(calendar, now, NEXT_TIMES).map(isoTime) };
  }

  /**
   * The rows of a technical report are those of the owner: who sees more does not send them to whom another one chose.
   * The limits of an owner that is gone are not known.
   * @throws BadRequestException
   */
  private async assertOwnRecipients(
    { ownerId }: ScheduleRow,
    before: ScheduleContent,
    given: Pick<ChangeReportScheduleDto, 'email' | 'webhook'>,
    { rows }: ScopedCaller,
  ): Promise<void> {
    const kept = (['email', 'webhook'] as const).filter(
      (channel) => before[channel] !== null && given[channel] === undefined,
    );
    if (kept.length === 0) return;
    const owner = await this.holders.rightsOf(ownerId);
    if (owner !== null && areWithin(owner.rows, rows)) return;
    throw new BadRequestException(
      `${kept.join(' and ')} must be given again, or removed with null: the owner of the schedule, who chose them, ` +
        (owner === null
          ? 'was removed or disabled, or can no longer sign in, and may have been limited to departments or locations'
          : 'sees fewer departments or locations than you'),
    );
  }

  private nextOf(calendar: Calendar, enabled: boolean): number | null {
    const now = this.now();
    assertCalendar(calendar, now);
    return enabled ? nextAfter(calendar, now) : null;
  }

  private openedOf(row: ScheduleRow): ScheduleContent {
    const content = this.read(row);
    if (typeof content === 'string') throw new BadRequestException(content);
    return content;
  }

  /** A text: why it does not open. */
  private read(row: ScheduleRow): ScheduleContent | string {
    try {
      return this.contents.open(row);
    } catch (error) {
      if (error instanceof ContentError) return error.message;
      throw error;
    }
  }

  private async viewsOf(rows: readonly ScheduleRow[]): Promise<ReportScheduleDto[]> {
    const owners = await this.holders.namesOf([...new Set(rows.map(({ ownerId }) => ownerId))]);
    const last = new Map<string, ReportDelivery[]>();
    for (const delivery of await this.deliveries.last(rows.map(({ id }) => id))) {
      last.set(delivery.scheduleId, [...(last.get(delivery.scheduleId) ?? []), delivery]);
    }
    return rows.map((row) =>
      scheduleView(row, {
        content: this.read(row),
        owner: owners.get(row.ownerId) ?? null,
        last: last.get(row.id) ?? [],
      }),
    );
  }
}

function found(row: ScheduleRow | undefined, id: string): ScheduleRow {
  if (!row) throw new NotFoundException(`no report schedule has the id ${id}`);
  return row;
}

function assertMayRead(report: ReportKind, { scopes, rows }: ScopedCaller): void {
  for (const scope of SCOPES_OF[report]) assertScope(scopes, scope, `sending the ${report} report requires`);
  if (report === 'technical' || seesAllRows(rows)) return;
  throw new RowsMissingException(
    'a caller that is limited to departments or locations cannot send the board report: it concerns all assets',
  );
}

function assertCalendar(calendar: Calendar, now: number): void {
  const problem = calendarProblem(calendar, now);
  if (problem !== null) throw new BadRequestException(problem);
}

async function queryOf(report: ReportKind, query: string): Promise<string> {
  if (report === 'technical') return checkedReportQuery(query);
  if (query === '') return query;
  throw new BadRequestException('query is not a field of the board report, which has no filter');
}

/** A caller knows the secret that it sent. */
const generatedSecret = (
  given: ChangeReportScheduleDto['webhook'],
  { webhook }: ScheduleContent,
): string | null => (given && given.secret === undefined && webhook ? webhook.secret : null);

/** Without names, recipients, filter and secrets: the log keeps it for ever. */
const auditDetailsOf = (
  { report, cron, timeZone, enabled }: Pick<ScheduleRow, 'report' | 'cron' | 'timeZone' | 'enabled'>,
  { email, webhook }: ScheduleContent,
): object => ({
  ...{ report, cron, timeZone, enabled },
  ...(email && { email: { url: shownUrl(email.url), recipients: email.to.length } }),
  ...(webhook && { webhook: { url: shownUrl(webhook.url) } }),
});
