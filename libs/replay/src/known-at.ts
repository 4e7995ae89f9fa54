import { type KnownPartition, PartitionFold } from './partition-fold.ts';
import type { ReadableLog } from './readable-log.ts';

/** The log has no event up to the instant: nothing was known then. */
export class BeforeLogError extends Error {
  override name = 'BeforeLogError';

  /** @param firstAt time of the log's first event, in epoch milliseconds; null where there is none that can be read */
  constructor(readonly firstAt: number | null) {
    super(
      firstAt === null
        ? 'the log has no event yet'
        : `the log begins later: its first event is of ${new Date(firstAt).toISOString()}`,
    );
  }
}

/**
 * What was known at an instant, from the log alone: each partition's assets and findings as of the longest prefix
 * whose clock is not past the instant (design "Events and the fold", rule 3), partition by partition in ascending
 * order. One partition's state is in memory at a time; it is the caller's until the next one is asked for. Whether a
 * finding had expired is for the caller to say, at the instant (`stateAt` of libs/views): it is as the fold left it.
 * @param at epoch milliseconds. Where it is still to come, the log is folded whole
 * @throws BeforeLogError, at the end, where the instant is before the log's first event
 * @throws LogHoleError, UnknownSchemaError, UnknownRulesError where the log cannot be folded that far
 * @throws LogContentError where a file is damaged, at the end at the latest; RecordsGoneError, LogUnavailableError
 */
export async function* knownAt(log: ReadableLog, at: number): AsyncGenerator<KnownPartition> {
  let records = 0;
  let firstAt: number | null = null;
  for (const [partition, end] of log.extent.ends.entries()) {
    const known = await foldPartition(log, partition, end, at);
    records += known.records;
    if (known.firstAt !== null) firstAt = Math.min(firstAt ?? known.firstAt, known.firstAt);
    yield known;
  }
  await log.finish();
  if (records === 0) throw new BeforeLogError(firstAt);
}

async function foldPartition(
  log: ReadableLog,
  partition: number,
  end: number,
  at: number,
): Promise<KnownPartition> {
  const fold = new PartitionFold(partition, at);
  for await (const records of log.read(partition)) {
    if (!fold.take(records)) break;
  }
  return fold.finish(end);
}
