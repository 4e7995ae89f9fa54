import type { Phase, Progress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

/** How often a bar's rate changes. */
const RATE_INTERVAL_MS = 500;

export interface RatedPhase {
  /** So many more are done. */
  add(count: number): void;
  end(): void;
}

/** A phase over records that tells the rate: beside the bar as it goes on, off a terminal when it ends. */
export function ratedPhase(
  progress: Progress,
  { stderr }: Terminal,
  title: string,
  total: number,
): RatedPhase {
  const phase: Phase = progress.phase(title, total, 'records');
  const startedAt = performance.now();
  let toldAt = startedAt;
  let done = 0;
  const rate = () => `${Math.round((done * 1000) / Math.max(1, performance.now() - startedAt))} a second`;
  return {
    add(count) {
      done += count;
      if (stderr.isTTY && performance.now() - toldAt < RATE_INTERVAL_MS) return;
      toldAt = performance.now();
      phase.reach(done);
      if (stderr.isTTY) phase.note(rate());
    },
    end() {
      phase.reach(done);
      phase.note(rate());
      phase.end();
    },
  };
}
