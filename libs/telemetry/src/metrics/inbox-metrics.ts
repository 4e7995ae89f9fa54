import { counter, gauge } from './registry.ts';

export const inboxRecords = counter({
  name: 'posture_inbox_records_total',
  help: 'Records of the inbox by outcome: accepted, refused, or lost to the retention of the topic before they were read',
  labels: ['outcome'],
});
for (const outcome of ['accepted', 'refused', 'lost'] as const) inboxRecords.inc({ outcome }, 0);

export const inboxPauses = counter({
  name: 'posture_inbox_pauses_total',
  help: 'Batches of the inbox that were read later because of a limit, by reason',
  labels: ['reason'],
});
for (const reason of ['fold_lag', 'json_minute'] as const) inboxPauses.inc({ reason }, 0);

export const inboxLagRecords = gauge({
  name: 'posture_inbox_lag_records',
  help: 'Records of the partitions of the inbox that this process owns, and has not read yet',
  labels: ['partition'],
});
