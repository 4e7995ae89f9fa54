import type { ClientBase, Pool } from 'pg';
import { answeredWithin } from '../answered-within.ts';

/** An answer is a matter of milliseconds. All reads wait for that of the primary. */
const ANSWER_MS_MAX = { primary: 10_000, replica: 2_000 };

const WRITTEN = `
  select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as position,
         system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as history
  from pg_control_system()`;

const REPLAYED = `
  select pg_is_in_recovery() as "isReplica",
         coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0) as position,
         system_identifier || '/' || lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0') as history
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`;

/** How far a server is in the write-ahead log. */
export interface WalPosition {
  /** Of the cluster and its timeline: positions of two servers compare only if it is the same. */
  history: string;
  /** In bytes. */
  position: number;
}

/** What the primary has committed and shows is before this position of its log. */
export async function writtenPosition(primary: Pool): Promise<WalPosition> {
  const { rows } = await primary.query<WalPosition>(answeredWithin(ANSWER_MS_MAX.primary, WRITTEN));
  return rows[0]!;
}

/**
 * What a replica shows reaches at least to this position; null if the server is no replica, such as one that was
 * promoted. The timeline is that of its last restart point or its recovery, which after a failover can be the former one for
 * some minutes.
 */
export async function replayedPosition(replica: ClientBase): Promise<WalPosition | null> {
  const { rows } = await replica.query<WalPosition & { isReplica: boolean }>(
    answeredWithin(ANSWER_MS_MAX.replica, REPLAYED),
  );
  const { isReplica, ...position } = rows[0]!;
  return isReplica ? position : null;
}
