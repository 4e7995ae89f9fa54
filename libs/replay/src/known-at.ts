import { isoTime } from '#libs/domain';
import type { Chain } from '#libs/intake';
import { AsOfFold, type KnownPartition, type LaterChanges } from './as-of-fold.ts';
import type { ReadableLog } from './readable-log.ts';

/** The log has no event up to the instant: no data exists at that time. */
export class BeforeLogError extends Error {
  override name = 'BeforeLogError';

  /** @param firstAt time of the log's first event, in epoch milliseconds; null if there is none that can be read */
  constructor(readonly firstAt: number | null) {
    super(
      firstAt === null
        ? 'the log has no event yet'
        : `no data exists at that time: the first event of the log is from ${isoTime(firstAt)}`,
    );
  }
}

/**
 * The state at an instant, only from the log: each partition's assets and findings as of the longest prefix whose clock
 * is not after the instant (R-HIST-2), partition by partition in ascending order. One partition's state is in memory at
 * a time; the caller owns it until the next one is requested. Findings are as the fold left them: the caller applies
 * expiry at the instant (`stateAt` of libs/views).
 * @param at epoch milliseconds. If it is in the future, the whole log is folded
 * @param later receives what was changed in the partition after the instant, before its state is returned
 * @param chain of the heads; default: the present one
 * @throws BeforeLogError, at the end, if the instant is before the log's first event
 * @throws LogHoleError, UnknownRecordError if the log cannot be folded that far
 * @throws LogContentError if a file is damaged, at the end at the latest; RecordsGoneError, LogUnavailableError
 */
export async function* knownAt(
  log: ReadableLog,
  at: number,
  later?: LaterChanges,
  chain?: Chain,
): AsyncGenerator<KnownPartition> {
  let records = 0;
  let firstAt: number | null = null;
  for (const [partition, end] of log.extent.ends.entries()) {
    const known = await foldPartition(log, partition, end, new AsOfFold(partition, at, later, chain));
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
  fold: AsOfFold,
): Promise<KnownPartition> {
  for await (const records of log.read(partition)) {
    while (!fold.take(records)) {
      const correctedTo = await log.correctedTo(partition);
      if (correctedTo <= fold.position) return fold.finish(end);
      fold.continueTo(correctedTo);
    }
  }
  return fold.finish(end);
}
