import { type RatedPhase, ratedPhase } from './log/rated-phase.ts';
import { createProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Progress of work over a log, whose size is known once it has begun. */
export class Folding {
  private phase: RatedPhase | undefined;

  /** @param json whether the output is one JSON document; then no progress is shown */
  constructor(
    private readonly terminal: Pick<Terminal, 'stderr'>,
    private readonly json: boolean,
    private readonly title = 'Folding',
  ) {}

  readonly reach = (records: number, of: number): void => {
    this.phase ??= ratedPhase(createProgress(this.terminal.stderr, this.json), this.terminal, this.title, of);
    this.phase.reach(records);
  };

  end(): void {
    this.phase?.end();
    this.phase = undefined;
  }
}
