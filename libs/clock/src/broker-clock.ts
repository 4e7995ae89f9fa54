import type { Difference } from './judge-clocks.ts';

/** A broker whose clock was mended is asked nothing while nothing is appended: what it said before is forgotten. */
const REMEMBERED_MS = 60_000;

interface Said {
  difference: Difference;
  /** Monotonic milliseconds. */
  at: number;
}

/** What the brokers' clocks have said of late, by the partitions that they lead. */
export class BrokerClock {
  private readonly said = new Map<number, Said>();

  constructor(private readonly monotonic: () => number) {}

  /** @param difference the own clock minus that of the leader of the partition */
  note(partition: number, difference: Difference): void {
    this.said.set(partition, { difference, at: this.monotonic() });
  }

  /** That of the broker which is furthest off; null where none has said anything within a minute. */
  furthest(): Difference | null {
    const since = this.monotonic() - REMEMBERED_MS;
    const recent = [...this.said.values()].filter(({ at }) => at > since).map(({ difference }) => difference);
    return recent.length > 0 ? recent.reduce((a, b) => (offsetOf(b) > offsetOf(a) ? b : a)) : null;
  }
}

/** At least this far apart. */
const offsetOf = ({ min, max }: Difference): number => Math.max(min, -max, 0);
