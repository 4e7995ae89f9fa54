import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#libs/database';
import type { Sighting } from './reach.ts';

const LOOK_INTERVAL_MS = 10;

const LOOK = `
  select p.partition, p.finding_sequence::float8 as visible,
         coalesce(s.finding_sequence, 0)::float8 as scored
    from projection_positions p left join scored_partitions s using (partition)`;

/**
 * Looks a hundred times a second, on a connection of its own, how far the fold and the scores of each partition have
 * come. One query of a dozen short rows tells it of all signals at once, so that watching takes as much whether few or
 * many are under way; to ask for each signal over HTTP would load the gateway with more than is measured, and the change
 * stream itself looks only ten times a second. The fold moves its position in the transaction that writes the findings,
 * and the scorer in that of the scores: whoever queries sees them from then on. A figure is at most the interval and one
 * query too large, never too small.
 */
export class ReachWatch {
  readonly sightings: Sighting[] = [];
  private isStopping = false;
  private readonly watching: Promise<void>;
  private readonly database;

  constructor(databaseUrl: string) {
    this.database = openDatabase(databaseUrl, { max: 1 });
    this.watching = this.watch();
    // It is told by `stop`.
    this.watching.catch(() => undefined);
  }

  /** After a last look: what had come before the call is seen. @throws what a look has failed with */
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

  /** Only what is further than before: most looks see nothing new. */
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
