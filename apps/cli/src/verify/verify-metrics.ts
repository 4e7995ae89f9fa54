import { writeMetricsFile } from '../metrics-file.ts';

/** What a run of `posture verify` that came to its end has found. */
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
      help: 'When the last posture verify that came to its end did',
      value: finishedAt / 1000,
    },
    { name: 'posture_verify_compared_rows', help: 'Rows that it compared', value: rows },
    {
      name: 'posture_verify_differing_rows',
      help: 'Rows that differ from what the log says',
      value: differing,
    },
  ]);
