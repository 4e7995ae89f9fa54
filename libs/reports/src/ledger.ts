import type { Place } from './place.ts';

/** Receives what is listed or noted, one after another. */
export interface LedgerLines {
  add(what: 'not mapped' | 'note', place: Place, text: string): Promise<void>;
}

/** How often something was said, most often first. */
export type Count = { text: string; count: number };

/**
 * Counts the outcome of every finding: each is mapped or listed. The lists are streamed to `lines`; only the counts
 * by reason are in memory, and these are few.
 */
export class Ledger {
  read = 0;
  mapped = 0;
  listed = 0;
  /** Instances that said the same as another, and are mapped with it. */
  repeated = 0;
  private readonly reasons = new Map<string, number>();
  private readonly remarks = new Map<string, number>();

  constructor(private readonly lines: LedgerLines | null) {}

  /** A finding becomes no signal. */
  async list(place: Place, reason: string): Promise<void> {
    this.listed += 1;
    count(this.reasons, reason);
    await this.lines?.add('not mapped', place, reason);
  }

  /** Something of a finding that is mapped. */
  async note(place: Place, note: string): Promise<void> {
    count(this.remarks, note);
    await this.lines?.add('note', place, note);
  }

  get notMapped(): Count[] {
    return counts(this.reasons);
  }

  get notes(): Count[] {
    return counts(this.remarks);
  }

  /** @throws Error if the counts do not add up, which is a bug of the converter */
  assertComplete(): void {
    if (this.read === this.mapped + this.listed) return;
    throw new Error(`${this.read} findings were read, but ${this.mapped} mapped and ${this.listed} listed`);
  }
}

const count = (counts: Map<string, number>, text: string) => counts.set(text, (counts.get(text) ?? 0) + 1);

const counts = (by: Map<string, number>): Count[] =>
  [...by].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
