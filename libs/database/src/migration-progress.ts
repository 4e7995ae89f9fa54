import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

const MINUTE_MS = 60_000;

/** What the session of a migration does, and which sessions it waits for. */
const ACTIVITY = `
  select index_relid::regclass::text as index, phase, floor(100.0 * blocks_done / nullif(blocks_total, 0)) as percent,
         (select string_agg(format('session %s (%s)', a.pid, a.application_name), ', ' order by a.pid)
            from pg_stat_activity a where a.pid = any (pg_blocking_pids(migrating.pid))) as blockers
    from (select $1::integer as pid) as migrating left join pg_stat_progress_create_index using (pid)`;

export interface ProgressOptions {
  /** Receives a sentence each minute while a migration runs, or waits for another process that migrates. */
  onProgress?: (sentence: string) => void;
  /** Default: a minute. */
  progressIntervalMs?: number;
}

/** Reports a sentence at intervals until the work has ended. */
export async function whileReporting<T>(
  { onProgress = () => {}, progressIntervalMs = MINUTE_MS }: ProgressOptions,
  sentence: (minutes: number) => string | Promise<string>,
  work: Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const ended = new AbortController();
  const { signal } = ended;
  const report = async () => {
    for (;;) {
      await setTimeout(progressIntervalMs, undefined, { signal });
      onProgress(await sentence(Math.round((performance.now() - begun) / MINUTE_MS)));
    }
  };
  const reporting = report().catch(() => undefined);
  try {
    return await work;
  } finally {
    ended.abort();
    await reporting;
  }
}

/** What a session does, to be appended to a sentence; empty if no further connection can look. */
export async function describeActivity(pool: pg.Pool, pid: number): Promise<string> {
  const { rows } = await pool.query(ACTIVITY, [pid]).catch(() => ({ rows: [] }));
  const [activity] = rows;
  if (!activity) return '';
  const { index, phase, percent, blockers } = activity;
  const build = phase && `index ${index}: ${phase}${percent === null ? '' : `, ${percent} %`}`;
  return [build, blockers && `waits for ${blockers}`].map((part) => (part ? `; ${part}` : '')).join('');
}
