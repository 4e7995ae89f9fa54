/** The end of the log at a time, not known to be folded yet. */
interface Mark {
  /** On the caller's clock, milliseconds. */
  at: number;
  end: number;
}

/** Of one partition; under steady load one a second is kept, and a fold that is so far behind is over any limit. */
const MARKS_MAX = 3_600;

/** Last known lag of the fold of a partition. */
export interface PartitionLag {
  partition: number;
  /** Records that are not folded. */
  records: number;
  /** For how long the oldest of them has been there; 0 if all are folded. */
  seconds: number;
}

/** Measures how long the oldest unfolded record has been in the log, from positions of log and fold over time. */
export class LagMeter {
  private readonly marks = new Map<number, Mark[]>();
  private readonly positions = new Map<number, number>();
  private ends: number[] = [];

  /** @param ends next offset of each partition of the log */
  logIsAt(ends: number[], now: number): void {
    this.ends = ends;
    for (const [partition, end] of ends.entries()) {
      const marks = this.marks.get(partition) ?? [];
      const known = marks.at(-1)?.end ?? this.positions.get(partition) ?? 0;
      if (end > known && marks.length < MARKS_MAX) marks.push({ at: now, end });
      this.marks.set(partition, marks);
    }
  }

  /** @param next the offset that the fold of a partition takes next */
  foldIsAt(partition: number, next: number): void {
    this.positions.set(partition, next);
    const marks = this.marks.get(partition) ?? [];
    const ahead = marks.findIndex(({ end }) => end > next);
    this.marks.set(partition, ahead < 0 ? [] : marks.slice(ahead));
  }

  /** Of every partition, in their order. */
  lags(now: number): PartitionLag[] {
    return this.ends.map((end, partition) => {
      const [oldest] = this.marks.get(partition) ?? [];
      return {
        partition,
        records: Math.max(0, end - (this.positions.get(partition) ?? 0)),
        seconds: oldest ? (now - oldest.at) / 1000 : 0,
      };
    });
  }

  /** The largest lag of a partition in seconds; 0 if everything is folded. */
  seconds(now: number): number {
    const oldest = [...this.marks.values()].flatMap((marks) => marks[0]?.at ?? []);
    return Math.max(0, ...oldest.map((at) => (now - at) / 1000));
  }
}
