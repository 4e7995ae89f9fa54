import type { ChangeCursor, ChangeVector } from '#libs/changes';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import { type RowLimits, seesAllRows } from '#libs/tables';
import { changesBehind, type Delivery, messageIdOf, type Pause, placeOf } from '#libs/webhooks';
import { rowLimitsView } from '../auth/granted-rows.ts';
import type { DeliveryDto, WebhookDto } from './webhook.dto.ts';
import type { WebhookRow } from './webhooks.repository.ts';

/** How a caller sees positions. */
export interface SeenPositions {
  rows: RowLimits;
  textOf(cursor: ChangeCursor, rows: RowLimits): string;
}

export const webhookView = (
  { paused, previousUntil, createdAt, updatedAt, ...webhook }: WebhookRow,
  heads: ChangeVector,
  now: number,
  seen: SeenPositions,
): WebhookDto => ({
  ...webhook,
  ...rowLimitsView(webhook),
  paused: paused && { ...paused, message: pauseMessageFor(paused, seen.rows), at: isoTime(paused.at) },
  position: positionFor(webhook.position, seen),
  behind: seesAllRows(seen.rows) ? changesBehind(webhook.position, heads) : null,
  previousSecretUntil: previousUntil !== null && previousUntil > now ? isoTimeOrNull(previousUntil) : null,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

const positionFor = (position: string, { rows, textOf }: SeenPositions): string =>
  textOf(placeOf(position), rows);

/** Why a webhook is paused, for a caller with these limits: a gap names sequences of all changes. */
export const pauseMessageFor = (
  { reason, message }: Pick<Pause, 'reason' | 'message'>,
  rows: RowLimits,
): string => (reason === 'gap' && !seesAllRows(rows) ? 'changes after the position are missing' : message);

export const deliveryView = (
  {
    webhookId: _,
    firstAttemptAt: __,
    from,
    to,
    createdAt,
    lastAttemptAt,
    nextAttemptAt,
    finishedAt,
    ...delivery
  }: Delivery,
  seen: SeenPositions,
): DeliveryDto => ({
  ...delivery,
  from: positionFor(from, seen),
  to: positionFor(to, seen),
  messageId: messageIdOf(delivery.id),
  createdAt: isoTime(createdAt),
  lastAttemptAt: isoTimeOrNull(lastAttemptAt),
  nextAttemptAt: isoTimeOrNull(nextAttemptAt),
  finishedAt: isoTimeOrNull(finishedAt),
});
