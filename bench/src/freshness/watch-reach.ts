import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#libs/database';
import type { Sighting } from './reach.ts';

const LOOK_INTERVAL_MS = 10;

const LOOK = `
  select p.partition, p.finding_sequence::float8 as visible,
         coalesce(s.finding_sequence, 0)::float8 as scored
    from projection_positions p left join scored_partitions s using (partition)`;

/**
 * Reads the positions of the fold and the scores of each partition a hundred times a second, on a separate connection.
 * One query of a dozen short rows covers all signals at once, so that the load does not depend on the number in
 * progress; requesting each signal over HTTP would load the gateway more than the benchmark, and the change stream
 * itself polls only ten times a second. The fold advances its position in the transaction that writes the findings, and
 * the scorer in that of the scores: queries see them from then on. A figure is at most the interval and one query too
 * large, never too small.
 */
export class ReachWatch {
  readonly sightings: Sighting[] = [];
  private isStopping = false;
  private readonly watching: Promise<void>;
  private readonly database;

  constructor(databaseUrl: string) {
    this.database = openDatabase(databaseUrl, { max: 1 });
    this.watching = this.watch();
    // `stop` throws the error.
    this.watching.catch(() => undefined);
  }

  /** Reads once more, to include everything before the call. @throws the error of a failed read */
  async stop(): Promise<readonly Sighting[]> {
    this.isStopping = true;
    await this.watching.finally(() => this.database.close());
    return this.sightings;
  }

  private async watch(): Promise<void> {
    while (!this.isStopping) {
      await this.look();
      await setTimeout(LOOK_INTERVAL_MS);
    }
    await this.look();
  }

  private async look(): Promise<void> {
    const { rows } = await this.database.pool.query({ name: 'look', text: LOOK });
    this.note(rows);
  }

  /** Only advanced positions: most reads see nothing new. */
  private note(rows: { partition: number; visible: number; scored: number }[]): void {
    const at = performance.now();
    const [visible, scored]: [number[], number[]] = [[], []];
    for (const row of rows) {
      visible[row.partition] = row.visible;
      scored[row.partition] = row.scored;
    }
    const last = this.sightings.at(-1);
    if (last && isSame(last.visible, visible) && isSame(last.scored, scored)) return;
    this.sightings.push({ at, visible, scored });
  }
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((sequence, i) => sequence === other[i]);
