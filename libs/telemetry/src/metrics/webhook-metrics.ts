import { counter, gauge } from './registry.ts';

export const webhookAttempts = counter({
  name: 'posture_webhook_attempts_total',
  help: 'Attempts to deliver to webhooks, including retries, by outcome',
  labels: ['outcome'],
});
for (const outcome of ['taken', 'failed', 'waiting', 'gone'] as const) webhookAttempts.inc({ outcome }, 0);

export const webhookLagChanges = gauge({
  name: 'posture_webhook_lag_changes',
  help: 'Changes after the position of the active webhook that lags most',
});

export const pausedWebhooks = gauge({
  name: 'posture_webhooks_paused',
  help: 'Paused webhooks by reason',
  labels: ['reason'],
});
