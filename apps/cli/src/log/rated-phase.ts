import type { Phase, Progress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { timeLeft } from '../time-left.ts';

/** How often a bar's rate changes. */
const RATE_INTERVAL_MS = 500;

export interface RatedPhase {
  /** Adds to the number of processed records. */
  add(count: number): void;
  /** Sets the number of processed records. */
  reach(done: number): void;
  end(): void;
}

/**
 * A phase over records that shows the rate: next to the bar while it runs, with the time that is left; off a terminal
 * when it ends.
 */
export function ratedPhase(
  progress: Progress,
  { stderr }: Pick<Terminal, 'stderr'>,
  title: string,
  total: number,
): RatedPhase {
  const phase: Phase = progress.phase(title, total, 'records');
  const startedAt = performance.now();
  let toldAt = startedAt;
  let done = 0;
  const rate = () => (done * 1000) / Math.max(1, performance.now() - startedAt);
  const rateText = () => `${Math.round(rate())} a second`;
  const reach = (count: number) => {
    done = count;
    if (stderr.isTTY && performance.now() - toldAt < RATE_INTERVAL_MS) return;
    toldAt = performance.now();
    phase.reach(done);
    if (!stderr.isTTY) return;
    phase.note(done > 0 ? `${rateText()}, ${timeLeft(Math.max(0, total - done) / rate())}` : '');
  };
  return {
    add: (count) => reach(done + count),
    reach,
    end() {
      phase.reach(done);
      phase.note(rateText());
      phase.end();
    },
  };
}
