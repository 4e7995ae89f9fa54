import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type LogExtent, openingOf } from './log-check.ts';
import { LogContentError } from './log-content-error.ts';

/**
 * The identity of the log and its current end: the cut for an export.
 * @throws LogContentError if a partition is empty, or the log does not begin with its identity
 */
export async function readExtent(log: EventLog): Promise<LogExtent> {
  const ends = await log.ends(INTAKE_TOPIC);
  const empty = ends.indexOf(0);
  if (empty >= 0) {
    throw new LogContentError(`has no record in partition ${empty}: start the service once to create it`);
  }
  for await (const [first] of log.read(INTAKE_TOPIC, 0, 0, 1)) {
    const opened = openingOf(first!);
    if (opened) return { logId: opened.logId, ends };
  }
  throw new LogContentError('does not begin with its identity at partition 0, offset 0');
}
