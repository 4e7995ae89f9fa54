import type { ReportHead } from './report-content.ts';

/**
 * The differences between the history of a report and that of a log, in a sentence each; empty if it is the same.
 * @param report the head of the report
 * @param derived the head derived from the log for the same instant
 */
export function historyDifferences(report: ReportHead, derived: ReportHead): string[] {
  if (report.partitions.length !== derived.partitions.length) {
    return [
      `the report has ${report.partitions.length} partitions, the file has ${derived.partitions.length}`,
    ];
  }
  return report.partitions.flatMap(({ partition, records, head }) => {
    const other = derived.partitions[partition]!;
    if (records !== other.records) {
      return [`partition ${partition}: the report has ${records} records, the file has ${other.records}`];
    }
    if (head === other.head) return [];
    return [
      `partition ${partition}: the ${records} records, offsets 0 to ${records - 1}, differ: the head of their chain is ${head} in the report, ${other.head} in the file`,
    ];
  });
}
