import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import type { ScopedCaller } from '../auth/caller.ts';
import { decodeKeys, type Page, pageFrom } from '../paging/page.ts';
import { assertPerson } from './assert-person.ts';
import {
  type NotificationDto,
  type NotificationsQuery,
  type ReadNotificationDto,
  type ReadNotificationsDto,
  UNREAD_MAX,
  type UnreadCountDto,
} from './notification.dto.ts';
import type { NotificationRow, NotifiedFinding, NotifiedSubject } from './notification.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { type NotificationReader, NotifiedSubjectsRepository } from './subjects.repository.ts';

/** Notifications as their person reads them: with the rights and the findings of now. All throw ForbiddenException. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly subjects: NotifiedSubjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** Newest first. */
  async list(
    { limit, cursor, unread }: NotificationsQuery,
    caller: ScopedCaller,
  ): Promise<Page<NotificationDto>> {
    const reader = readerOf(caller);
    const after = decodeKeys(cursor, 'time', 'uuid');
    const isUnread = unread !== undefined;
    const rows = await this.notifications.list(reader, { isUnread, after, limit: limit + 1 });
    const known = await this.knownOf(rows, reader);
    return pageFrom(
      rows,
      limit,
      ({ at, id }) => [at, id],
      (row) => notificationView(row, known),
    );
  }

  async countUnread(caller: ScopedCaller): Promise<UnreadCountDto> {
    return { unread: await this.notifications.countUnread(readerOf(caller), UNREAD_MAX) };
  }

  async readAll({ until }: ReadNotificationsDto, caller: ScopedCaller): Promise<UnreadCountDto> {
    const { personId } = readerOf(caller);
    await this.notifications.setRead(personId, this.now(), { until });
    return this.countUnread(caller);
  }

  /** @throws NotFoundException */
  async read(id: string, { read }: ReadNotificationDto, caller: ScopedCaller): Promise<NotificationDto> {
    const reader = readerOf(caller);
    if (!(await this.notifications.find(reader, id))) throw unknown(id);
    await this.notifications.setRead(reader.personId, read ? this.now() : null, { id });
    const row = await this.notifications.find(reader, id);
    if (!row) throw unknown(id);
    return notificationView(row, await this.knownOf([row], reader));
  }

  private async knownOf(
    rows: readonly NotificationRow[],
    { rows: limits }: NotificationReader,
  ): Promise<Known> {
    const ids = rows.flatMap(({ findingIds }) => findingIds);
    const [findings, subjects] = await Promise.all([
      this.notifications.findingsOf([...new Set(ids)], limits),
      this.subjects.of(rows, limits),
    ]);
    return { findings, subjects };
  }
}

/** What notifications are about, by id; subjects by the id of the notification. */
interface Known {
  findings: ReadonlyMap<string, NotifiedFinding>;
  subjects: ReadonlyMap<string, NotifiedSubject>;
}

const unknown = (id: string) => new NotFoundException(`no notification has the id ${id}`);

function readerOf(caller: ScopedCaller): NotificationReader {
  assertPerson(caller);
  return {
    personId: caller.credentialId,
    scopes: caller.scopes,
    rows: caller.rows,
  };
}

const notificationView = (
  { id, kind, at, by, findings, findingIds, readAt }: NotificationRow,
  known: Known,
): NotificationDto => ({
  ...{ id, kind, at: isoTime(at), by, findingCount: findings },
  findings: findingIds.flatMap((finding) => known.findings.get(finding) ?? []),
  subject: known.subjects.get(id) ?? null,
  readAt: isoTimeOrNull(readAt),
});
