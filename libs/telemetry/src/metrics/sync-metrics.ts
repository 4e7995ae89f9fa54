import { counter, gauge, histogram } from './registry.ts';

/** How a sync ended, in the words of docs/integrations.md. */
export type SyncResult = 'success' | 'partial' | 'error' | 'cancelled';

export const syncs = counter({
  name: 'posture_syncs_total',
  help: 'Syncs of integrations that have ended, by how they did',
  labels: ['result'],
});
for (const result of ['success', 'partial', 'error', 'cancelled'] as const) syncs.inc({ result }, 0);

export const syncSeconds = histogram({
  name: 'posture_sync_duration_seconds',
  help: 'A sync from its start to its end',
  buckets: [1, 5, 15, 60, 300, 900, 3_600, 14_400],
});

export const collecting = gauge({
  name: 'posture_collecting',
  help: '1 where this process is the one that runs the syncs, 0 where it waits for its turn',
});
