/** The end of the log at a time, not known to be folded yet. */
interface Mark {
  /** On the caller's clock, milliseconds. */
  at: number;
  end: number;
  /** When the first look found what was in the log before it; the records are as old as that at least. */
  foundAt?: number;
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
    for (const [partition, end] of ends.entries()) {
      const marks = this.marks.get(partition) ?? [];
      const known = marks.at(-1)?.end ?? this.positions.get(partition) ?? 0;
      const isFirstLook = this.ends[partition] === undefined;
      if (end > known && marks.length < MARKS_MAX) {
        marks.push({ at: now, end, ...(isFirstLook && { foundAt: now }) });
      }
      this.marks.set(partition, marks);
    }
    this.ends = ends;
  }

  /** @param next the offset that the fold of a partition takes next */
  foldIsAt(partition: number, next: number): void {
    this.positions.set(partition, next);
    const marks = this.marks.get(partition) ?? [];
    const ahead = marks.findIndex(({ end }) => end > next);
    this.marks.set(partition, ahead < 0 ? [] : marks.slice(ahead));
  }

  /** Partition → offset of its oldest unfolded record, if it was in the log before the first look. */
  backlog(): Map<number, number> {
    return new Map([...this.positions].filter(([partition]) => this.backlogMark(partition)));
  }

  /** @param at since when the oldest record of a backlog has been in the log */
  backlogIsSince(partition: number, at: number): void {
    const mark = this.backlogMark(partition);
    if (mark) mark.at = Math.min(at, mark.foundAt!);
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

  private backlogMark(partition: number): Mark | undefined {
    const oldest = this.marks.get(partition)?.[0];
    return oldest?.foundAt === undefined ? undefined : oldest;
  }
}
