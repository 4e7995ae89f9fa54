import type { Remarks } from './remarks.ts';

/** Instances of one signal; an event carries them all. */
export const INSTANCES_MAX = 10_000;
/** Limit in characters of common values that instances repeat, so that no signal is larger than a log record. */
export const REPEATED_CHARS_MAX = 1_000_000;

/**
 * Counts the size of an expanded signal: a signal-wide tag is repeated in every instance, a context for each of its
 * ports.
 */
export class Expansion {
  private instances = 0;
  private repeatedChars = 0;

  constructor(private readonly remarks: Remarks) {}

  /** `repeated` is said once and is in each of `instances`. Returns whether the signal still fits. */
  add(instances: number, repeated: object | null, path: string): boolean {
    this.instances += instances;
    if (repeated !== null && instances > 0) this.repeatedChars += JSON.stringify(repeated).length * instances;
    return this.fits(path);
  }

  private fits(path: string): boolean {
    const isOver = this.instances > INSTANCES_MAX || this.repeatedChars > REPEATED_CHARS_MAX;
    if (isOver) {
      this.remarks.problem(
        path,
        'must not exceed 10,000 instances and 1,000,000 characters repeated in them: send fewer ports or shorter tags',
      );
    }
    return !isOver;
  }
}
