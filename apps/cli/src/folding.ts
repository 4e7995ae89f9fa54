import type { Phase, Progress } from './progress.ts';

/** Progress of folding a log, whose size is known once it has begun. */
export class Folding {
  private phase: Phase | undefined;

  constructor(private readonly progress: Progress) {}

  readonly reach = (records: number, of: number): void => {
    this.phase ??= this.progress.phase('Folding', of, 'records');
    this.phase.reach(records);
  };

  end(): void {
    this.phase?.end();
    this.phase = undefined;
  }
}
