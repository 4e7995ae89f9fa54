import { counter, gauge, histogram } from './registry.ts';

/** How a sync ended, in the words of docs/integrations.md. */
export type SyncResult = 'success' | 'partial' | 'error' | 'cancelled';

export const syncs = counter({
  name: 'posture_syncs_total',
  help: 'Completed syncs of integrations by result',
  labels: ['result'],
});
for (const result of ['success', 'partial', 'error', 'cancelled'] as const) syncs.inc({ result }, 0);

export const syncSeconds = histogram({
  name: 'posture_sync_duration_seconds',
  help: 'Duration of a sync',
  buckets: [1, 5, 15, 60, 300, 900, 3_600, 14_400],
});

export const collecting = gauge({
  name: 'posture_collecting',
  help: '1: this process runs the syncs; 0: it is on standby',
});
