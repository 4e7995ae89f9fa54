import type { Remarks } from './remarks.ts';

/** Instances of one signal; an event carries them all. */
export const INSTANCES_MAX = 10_000;
/** Limit in characters of common values that instances repeat, so that no signal is larger than a log record. */
export const REPEATED_CHARS_MAX = 1_000_000;

/**
 * Counts the size of an expanded signal: tags and CVEs of the signal are repeated in every instance, a context for each
 * of its ports.
 */
export class Expansion {
  private instances = 0;
  private repeatedChars = 0;

  constructor(private readonly remarks: Remarks) {}

  /** @param repeatedChars of values that are sent once, in all of `instances`. Returns whether the signal still fits. */
  add(instances: number, repeatedChars: number, path: string): boolean {
    this.instances += instances;
    this.repeatedChars += repeatedChars;
    return this.fits(path);
  }

  private fits(path: string): boolean {
    const isOver = this.instances > INSTANCES_MAX || this.repeatedChars > REPEATED_CHARS_MAX;
    if (isOver) {
      this.remarks.problem(
        path,
        'must not exceed 10,000 instances and 1,000,000 characters repeated in them: send fewer ports or CVEs, or shorter tags',
      );
    }
    return !isOver;
  }
}

export const charsOf = (value: object): number => JSON.stringify(value).length;
