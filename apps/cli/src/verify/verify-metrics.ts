import { writeMetricsFile } from '../metrics-file.ts';

/** Result of a completed `posture verify`. */
export interface VerifyOutcome {
  /** Compared. */
  rows: number;
  differing: number;
  /** Records of the log that the live tables had not folded. */
  unfolded: number;
  /** Epoch milliseconds. */
  finishedAt: number;
}

export const writeVerifyMetrics = (
  file: string,
  { rows, differing, unfolded, finishedAt }: VerifyOutcome,
): Promise<void> =>
  writeMetricsFile(file, [
    {
      name: 'posture_verify_finished_timestamp_seconds',
      help: 'Time at which the last complete posture verify finished',
      value: finishedAt / 1000,
    },
    {
      name: 'posture_verify_compared_rows',
      help: 'Rows compared by the last complete posture verify',
      value: rows,
    },
    {
      name: 'posture_verify_differing_rows',
      help: 'Rows that differ from the log',
      value: differing,
    },
    {
      name: 'posture_verify_unfolded_records',
      help: 'Records of the log that the tables have not folded, and that were not compared',
      value: unfolded,
    },
  ]);
