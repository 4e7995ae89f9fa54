import { writeMetricsFile } from '../metrics-file.ts';

/** Result of a completed `posture verify`. */
export interface VerifyOutcome {
  /** Compared. */
  rows: number;
  differing: number;
  /** Epoch milliseconds. */
  finishedAt: number;
}

export const writeVerifyMetrics = (
  file: string,
  { rows, differing, finishedAt }: VerifyOutcome,
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
  ]);
