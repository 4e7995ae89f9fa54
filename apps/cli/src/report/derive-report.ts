import { isoTime } from '#libs/domain';
import { knownAt, logFingerprint, type ReadableLog } from '#libs/replay';
import { hideSealed } from '#libs/sealing';
import { SortedRuns } from '#libs/sorted-runs';
import { seenAsset } from '#libs/views';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { byNameAndId } from './by-name-and-id.ts';
import { reportAsset } from './report-asset.ts';
import type { Report, ReportAsset } from './report-content.ts';
import type { ReportFormat } from './report-format.ts';
import { Totals } from './totals.ts';

/**
 * Derives a report of an instant from a log, and passes it to a task; its temporary files are removed afterwards. It is
 * a function of the log's records up to the instant, of its id, and of the instant. The log is read to its end before
 * the task begins, so that nothing is written from a damaged one.
 * @param at epoch milliseconds
 * @param format that it is written in, which determines the chain of its heads
 * @param onHidden receives the subject of each sealed text in the report
 * @throws as `knownAt`; errors of the file system
 */
export async function withReport<T>(
  log: ReadableLog,
  at: number,
  { chain }: ReportFormat,
  work: (report: Report) => Promise<T>,
  onHidden?: (subject: string) => void,
): Promise<T> {
  try {
    return await withTemporaryFolder((folder) =>
      derive(log, at, chain, new SortedRuns(folder, byNameAndId), work, onHidden),
    );
  } finally {
    await log.close();
  }
}

async function derive<T>(
  log: ReadableLog,
  at: number,
  chain: ReportFormat['chain'],
  runs: SortedRuns<ReportAsset>,
  work: (report: Report) => Promise<T>,
  onHidden?: (subject: string) => void,
): Promise<T> {
  const totals = new Totals();
  const parts = [];
  for await (const { partition, records, head, assets } of knownAt(log, at, undefined, chain)) {
    const rows: ReportAsset[] = [];
    for (const state of assets) {
      const seen = seenAsset(state, at);
      totals.add(seen);
      if (seen.asset.deletedAt === null) rows.push(hideSealed(reportAsset(seen), onHidden));
    }
    await runs.add(rows);
    parts.push({ partition, records, head });
  }
  const { logId } = log.extent;
  return work({
    summary: {
      logId,
      asOf: isoTime(at),
      fingerprint: logFingerprint(logId, parts),
      partitions: parts.map(({ head, ...part }) => ({ ...part, head: head.toString('hex') })),
      totals: totals.counted,
    },
    assets: () => runs.merged(),
  });
}
