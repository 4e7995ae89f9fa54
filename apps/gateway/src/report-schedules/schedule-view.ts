import { isoTime, isoTimeOrNull } from '#libs/domain';
import { messageIdOf } from '#libs/webhooks';
import { nextTimes } from './occurrences.ts';
import { NEXT_TIMES, type ReportDeliveryDto, type ReportScheduleDto } from './report-schedule.dto.ts';
import { type ReportDelivery, type ScheduleContent, type ScheduleRow } from './report-schedule.ts';

/** What belongs to a schedule besides its row. */
export interface ScheduleParts {
  /** A text: why it does not open. */
  content: ScheduleContent | string;
  /** Null: removed. */
  owner: string | null;
  last: readonly ReportDelivery[];
}

/** Without secrets. */
export function scheduleView(
  { id, version, name, report, cron, timeZone, enabled, stopped, nextAt, createdAt, updatedAt }: ScheduleRow,
  { content, owner, last }: ScheduleParts,
): ReportScheduleDto {
  const { query, email, webhook } =
    typeof content === 'string' ? { query: '', email: null, webhook: null } : content;
  return {
    ...{ id, version, name, report, query, cron, timeZone, enabled, owner },
    email: email && { url: email.url, from: email.from, to: email.to, user: email.user },
    webhook: webhook && { url: webhook.url },
    stopped: stopped && { ...stopped, at: isoTime(stopped.at) },
    problem: typeof content === 'string' ? content : null,
    next:
      nextAt === null ? [] : [nextAt, ...nextTimes({ cron, timeZone }, nextAt, NEXT_TIMES - 1)].map(isoTime),
    last: last.map(deliveryView),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

export const deliveryView = ({
  scheduleId: _,
  at,
  createdAt,
  lastAttemptAt,
  nextAttemptAt,
  finishedAt,
  ...delivery
}: ReportDelivery): ReportDeliveryDto => ({
  ...delivery,
  messageId: messageIdOf(delivery.id),
  at: isoTime(at),
  createdAt: isoTime(createdAt),
  lastAttemptAt: isoTimeOrNull(lastAttemptAt),
  nextAttemptAt: isoTimeOrNull(nextAttemptAt),
  finishedAt: isoTimeOrNull(finishedAt),
});
