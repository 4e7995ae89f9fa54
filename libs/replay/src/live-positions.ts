import type { Database } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import type { CheckpointFile } from '#libs/log-archive';
import { CheckpointError } from './checkpoint-error.ts';

/** The folded position of each partition in the live tables; 0 for one that was never folded. */
export async function livePositions({ pool }: Database, log: EventLog): Promise<number[]> {
  const { rows } = await pool.query('select partition, next_offset from projection_positions');
  const positions = new Map<number, number>(
    rows.map(({ partition, next_offset }) => [partition, next_offset]),
  );
  return (await log.ends(INTAKE_TOPIC)).map((_, partition) => positions.get(partition) ?? 0);
}

/** @throws CheckpointError if the live tables have not reached a checkpoint */
export function assertLiveReaches(live: number[], { path, positions }: CheckpointFile): void {
  const behind = positions.findIndex(({ next }, partition) => next > live[partition]!);
  if (behind < 0) return;
  throw new CheckpointError(
    `${path} reaches partition ${behind}, offset ${positions[behind]!.next}, but the live tables are folded only up to ${live[behind]}: wait for the projector`,
  );
}
