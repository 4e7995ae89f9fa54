import { counter, gauge } from './registry.ts';

export const webhookAttempts = counter({
  name: 'posture_webhook_attempts_total',
  help: 'Deliveries to webhooks that were sent, again ones included, by what came of it',
  labels: ['outcome'],
});
for (const outcome of ['taken', 'failed', 'gone'] as const) webhookAttempts.inc({ outcome }, 0);

export const webhookLagChanges = gauge({
  name: 'posture_webhook_lag_changes',
  help: 'Changes behind the position of the webhook that is furthest behind, of those that are not paused',
});

export const pausedWebhooks = gauge({
  name: 'posture_webhooks_paused',
  help: 'Webhooks that are paused, by why',
  labels: ['reason'],
});
