import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

const KB = 1_000;

/** Progress of the reading of files, in their bytes on the disk; on a terminal with the number of rows. */
export interface ReadingPhase {
  onBytes(bytes: number): void;
  onRows(rows: number): void;
  end(): void;
}

/** @param bytes size of the files */
export function readingPhase(
  { stderr }: Pick<Terminal, 'stderr'>,
  json: boolean,
  bytes: number,
): ReadingPhase {
  const phase = createProgress(stderr, json).phase('Reading', Math.ceil(bytes / KB), 'KB');
  return {
    onBytes: (read) => phase.reach(Math.ceil(read / KB)),
    onRows: (rows) => {
      if (stderr.isTTY) phase.note(`${rows} rows`);
    },
    end: phase.end,
  };
}
