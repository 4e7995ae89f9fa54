import type { ReportHead } from './report-content.ts';

/**
 * Where the history that a report speaks of is not that of a log, in a sentence each; empty where it is the same.
 * @param report what the report says of itself
 * @param derived what the log says of the same instant
 */
export function historyDifferences(report: ReportHead, derived: ReportHead): string[] {
  if (report.partitions.length !== derived.partitions.length) {
    return [`the report knows ${report.partitions.length} partitions, the file ${derived.partitions.length}`];
  }
  return report.partitions.flatMap(({ partition, records, head }) => {
    const other = derived.partitions[partition]!;
    if (records !== other.records) {
      return [`partition ${partition}: the report knows ${records} records, the file ${other.records}`];
    }
    if (head === other.head) return [];
    return [
      `partition ${partition}: the ${records} records, offsets 0 to ${records - 1}, are not the same: the head of their chain is ${head} in the report, ${other.head} in the file`,
    ];
  });
}
