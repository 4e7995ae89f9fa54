import { setTimeout } from 'node:timers/promises';
import type { EventLog, Position } from './event-log.ts';

/** A broker that has just become a leader may take seconds to say where its partition ends. */
const PATIENCE_MS = 10_000;
const RETRY_INTERVAL_MS = 200;

export interface Shortfall extends Position {
  /** Where the log ends, below `offset`. */
  end: number;
}

/**
 * The first of the offsets that lies above the end of its partition, where records were lost that were read before;
 * undefined where the log reaches all of them.
 * @param offsets read before the call: ends only grow
 */
export async function findShortfall(
  log: Pick<EventLog, 'ends'>,
  topic: string,
  offsets: Position[],
  patienceMs = PATIENCE_MS,
): Promise<Shortfall | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const ends = await log.ends(topic);
    const short = offsets.find(({ partition, offset }) => offset > (ends[partition] ?? 0));
    if (!short) return undefined;
    if (performance.now() > deadline) return { ...short, end: ends[short.partition] ?? 0 };
    await setTimeout(RETRY_INTERVAL_MS);
  }
}
