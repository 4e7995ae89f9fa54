import type { ChangeVector } from '#libs/changes';
import { changesBehind, type Delivery } from '#libs/webhooks';
import type { DeliveryDto, WebhookDto } from './webhook.dto.ts';
import type { WebhookRow } from './webhooks.repository.ts';

/** Of deliveries, as receivers see it. */
export const messageIdOf = (deliveryId: string): string => `msg_${deliveryId}`;

const timeTold = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const webhookView = (
  { paused, previousUntil, createdAt, updatedAt, ...webhook }: WebhookRow,
  heads: ChangeVector,
  now: number,
): WebhookDto => ({
  ...webhook,
  paused: paused && { ...paused, at: new Date(paused.at).toISOString() },
  behind: changesBehind(webhook.position, heads),
  previousSecretUntil: previousUntil !== null && previousUntil > now ? timeTold(previousUntil) : null,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
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
  createdAt: new Date(createdAt).toISOString(),
  lastAttemptAt: timeTold(lastAttemptAt),
  nextAttemptAt: timeTold(nextAttemptAt),
  finishedAt: timeTold(finishedAt),
});
