import { counter, gauge } from './registry.ts';

export const reportAttempts = counter({
  name: 'posture_report_attempts_total',
  help: 'Attempts to send scheduled reports, including retries, by outcome',
  labels: ['outcome'],
});
for (const outcome of ['sent', 'retried', 'failed'] as const) reportAttempts.inc({ outcome }, 0);

export const stoppedReportSchedules = gauge({
  name: 'posture_report_schedules_stopped',
  help: 'Report schedules that the service has stopped, by reason',
  labels: ['reason'],
});
