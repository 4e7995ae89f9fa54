import type { ChangeVector } from '#libs/changes';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import { changesBehind, type Delivery } from '#libs/webhooks';
import type { DeliveryDto, WebhookDto } from './webhook.dto.ts';
import type { WebhookRow } from './webhooks.repository.ts';

/** Of deliveries, as receivers see it. */
export const messageIdOf = (deliveryId: string): string => `msg_${deliveryId}`;

export const webhookView = (
  { paused, previousUntil, createdAt, updatedAt, ...webhook }: WebhookRow,
  heads: ChangeVector,
  now: number,
): WebhookDto => ({
  ...webhook,
  paused: paused && { ...paused, at: isoTime(paused.at) },
  behind: changesBehind(webhook.position, heads),
  previousSecretUntil: previousUntil !== null && previousUntil > now ? isoTimeOrNull(previousUntil) : null,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

export const deliveryView = ({
  webhookId: _,
  firstAttemptAt: __,
  createdAt,
  lastAttemptAt,
  nextAttemptAt,
  finishedAt,
  ...delivery
}: Delivery): DeliveryDto => ({
  ...delivery,
  messageId: messageIdOf(delivery.id),
  createdAt: isoTime(createdAt),
  lastAttemptAt: isoTimeOrNull(lastAttemptAt),
  nextAttemptAt: isoTimeOrNull(nextAttemptAt),
  finishedAt: isoTimeOrNull(finishedAt),
});
