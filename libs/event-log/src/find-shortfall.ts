import { setTimeout } from 'node:timers/promises';
import type { EventLog, Position } from './event-log.ts';

/** A broker that has just become a leader may take seconds to report the end of its partition. */
const TIMEOUT_MS = 10_000;
const RETRY_INTERVAL_MS = 200;

export interface Shortfall extends Position {
  /** The end of the log, below `offset`. */
  end: number;
}

/**
 * The first of the offsets that is above the end of its partition: records that were read before are lost;
 * undefined if the log reaches all of them.
 * @param offsets read before the call: ends only grow
 */
export async function findShortfall(
  log: Pick<EventLog, 'ends'>,
  topic: string,
  offsets: Position[],
  timeoutMs = TIMEOUT_MS,
): Promise<Shortfall | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const ends = await log.ends(topic);
    const short = offsets.find(({ partition, offset }) => offset > (ends[partition] ?? 0));
    if (!short) return undefined;
    if (performance.now() > deadline) return { ...short, end: ends[short.partition] ?? 0 };
    await setTimeout(RETRY_INTERVAL_MS);
  }
}
