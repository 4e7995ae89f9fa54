import type { Difference } from './judge-clocks.ts';

/** Without appends, no broker reports its clock, also if it was corrected: older readings are dropped. */
const REMEMBERED_MS = 60_000;

interface Said {
  /** By the broker's clock, epoch milliseconds. */
  storedAt: number;
  /** When the answer came, by the uptime. */
  at: number;
  /** From the question to the answer. */
  tookMs: number;
}

/**
 * Recent readings of the brokers' clocks, by the partitions that they lead, carried on by the uptime of the machine: a
 * reading does not depend on the own clock, which may be set meanwhile.
 */
export class BrokerClock {
  private readonly said = new Map<number, Said>();

  /** @param uptime milliseconds that the machine has been on, suspended or not */
  constructor(private readonly uptime: () => number) {}

  /**
   * @param storedAt epoch milliseconds, by the leader of the partition
   * @param tookMs since the record was sent
   */
  note(partition: number, storedAt: number, tookMs: number): void {
    this.said.set(partition, { storedAt, at: this.uptime(), tookMs });
  }

  /**
   * The difference to the broker which is furthest off; null if none has said anything within a minute.
   * @param own the own clock, epoch milliseconds
   */
  furthest(own: number): Difference | null {
    const now = this.uptime();
    const differences = [...this.said.values()]
      .filter(({ at }) => at > now - REMEMBERED_MS)
      .map(({ storedAt, at, tookMs }) => {
        const max = own - (storedAt + now - at);
        return { min: max - tookMs, max };
      });
    return differences.length > 0 ? differences.reduce((a, b) => (offsetOf(b) > offsetOf(a) ? b : a)) : null;
  }
}

/** At least this far apart. */
const offsetOf = ({ min, max }: Difference): number => Math.max(min, -max, 0);
