import { EVENTS_MIN } from './outcomes.ts';

const TOP_SHARE = 0.1;

export interface RankingFigures {
  /** Chance that a random event is ranked above a random other outcome, ties half: 0.5 is no better than chance. */
  areaUnderCurve: number;
  /**
   * How many times more events than on average the top tenth contains, 0 to 10; equal outcomes at its edge count in
   * part.
   */
  topDecileLift: number;
}

/** Outcomes in the order of their ranks: sorted once, so that the figures of each resample take one pass. */
export class Ranking {
  /** Places in ascending order of rank. */
  private readonly order: Uint32Array;
  /** Of each run of equal ranks, in that order: where it ends in `order`. */
  private readonly ends: Uint32Array;
  private readonly events: Float64Array;
  private readonly others: Float64Array;

  /**
   * @param ranks any numbers, greater is more likely
   * @param isEvent whether the outcome at the same place happened
   */
  constructor(
    ranks: Float64Array,
    private readonly isEvent: readonly boolean[],
  ) {
    this.order = Uint32Array.from(ranks.keys()).sort((a, b) => ranks[a]! - ranks[b]!);
    const isEnd = (i: number) => i === ranks.length || ranks[this.order[i]!] !== ranks[this.order[i - 1]!];
    this.ends = Uint32Array.from(ranks.keys(), (i) => i + 1).filter(isEnd);
    this.events = new Float64Array(this.ends.length);
    this.others = new Float64Array(this.ends.length);
  }

  /**
   * Null without an event or without another outcome.
   *
   * @param weights how often the outcome at the same place counts
   */
  figures(weights: Float64Array): RankingFigures | null {
    this.countRuns(weights);
    const [events, others] = [sumOf(this.events), sumOf(this.others)];
    if (events === 0 || others === 0) return null;
    return {
      areaUnderCurve: this.wonPairs() / (events * others),
      topDecileLift: this.eventsOnTop(TOP_SHARE * (events + others)) / TOP_SHARE / events,
    };
  }

  private countRuns(weights: Float64Array): void {
    let i = 0;
    for (const [run, end] of this.ends.entries()) {
      let [events, others] = [0, 0];
      for (; i < end; i++) {
        const place = this.order[i]!;
        if (this.isEvent[place]) events += weights[place]!;
        else others += weights[place]!;
      }
      this.events[run] = events;
      this.others[run] = others;
    }
  }

  private wonPairs(): number {
    let [below, won] = [0, 0];
    for (const [run, others] of this.others.entries()) {
      won += this.events[run]! * (below + others / 2);
      below += others;
    }
    return won;
  }

  private eventsOnTop(places: number): number {
    let [taken, found] = [0, 0];
    for (let run = this.ends.length - 1; run >= 0 && taken < places; run--) {
      const size = this.events[run]! + this.others[run]!;
      if (size > 0) found += this.events[run]! * Math.min(1, (places - taken) / size);
      taken += size;
    }
    return found;
  }
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Whether so many independent events and some other outcome are enough to judge a ranking. */
export const isRankable = (independentEvents: number, others: number): boolean =>
  independentEvents >= EVENTS_MIN && others > 0;
