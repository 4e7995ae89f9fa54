import { counter } from './registry.ts';

export const notificationAttempts = counter({
  name: 'posture_notification_attempts_total',
  help: 'Attempts to send messages of notifications, including retries, by outcome',
  labels: ['outcome'],
});
for (const outcome of ['sent', 'retried', 'failed'] as const) notificationAttempts.inc({ outcome }, 0);
