import { WakeUp } from '../delivery/wake-up.ts';
import { AboveEndError } from '../event-log.ts';
import { isProtocolError } from './client-error.ts';
import type { FetchedPartition } from './committed-records.ts';
import { goneError } from './gone-error.ts';
import { FETCH_BYTES_MAX } from './limits.ts';
import type { PartitionFeed } from './partition-feed.ts';
import type { FetchRequest, TopicCluster } from './topic-cluster.ts';

/** How long a broker delays an empty fetch: until then, no other partition of this broker can be requested. */
const WAIT_IDLE_MS = 250;
/** The delay if another partition is about to be requested, which must not wait. */
const WAIT_BUSY_MS = 20;
const RETRY_DELAY_MS = 200;
/** How often an offset above the end is tried. */
const ABOVE_END_DELAY_MS = 100;
/** Leaders move, and brokers start again: only what lasts is reported, and then repeatedly. */
const REPORTS = { afterMs: 10_000, everyMs: 60_000 };
/** Instead of a broker: which of them leads a partition is unknown. */
const LEADERS = 'leaders';

/** Fills the feeds of a topic's partitions: one fetch in flight to each broker, for all partitions that want records. */
export class FetchLoop {
  private readonly inFlight = new Map<string, Promise<void>>();
  /** By broker; times of `performance.now()`. */
  private readonly failing = new Map<string, { since: number; lastAt: number; reportedAt: number }>();
  private readonly news = new WakeUp();
  private isStopping = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly cluster: TopicCluster,
    private readonly topic: string,
    private readonly feeds: ReadonlyMap<number, PartitionFeed>,
    private readonly onTrouble: (error: unknown) => void,
    private readonly reports = REPORTS,
  ) {
    this.running = this.run();
  }

  /** To be called when a feed may want records. */
  ring(): void {
    this.news.ring();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.news.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const asked = await this.ask();
      // The delay also brings back the feeds that wait for a while.
      await this.news.wait(asked ? undefined : RETRY_DELAY_MS);
    }
    await Promise.all(this.inFlight.values());
  }

  /** Starts a fetch at every broker that has none in flight; returns whether one is in flight now. */
  private async ask(): Promise<boolean> {
    const requests = [...this.feeds.values()].flatMap((feed) => feed.request() ?? []);
    if (requests.length > 0) {
      const partitions = requests.map(({ partition }) => partition);
      const leaders = await this.cluster.leadersOf(this.topic, partitions).then(
        (found) => {
          this.failing.delete(LEADERS);
          return found;
        },
        (error) => this.relearn(error),
      );
      const isBusy = [...this.feeds.values()].some((feed) => feed.wantsSoon);
      const waitMsMax = isBusy ? WAIT_BUSY_MS : WAIT_IDLE_MS;
      for (const [nodeId, led] of leaders) {
        if (this.inFlight.has(nodeId)) continue;
        const own = requests.filter(({ partition }) => led.includes(partition));
        this.inFlight.set(nodeId, this.fetch(nodeId, own, waitMsMax));
      }
    }
    return this.inFlight.size > 0;
  }

  private async relearn(error: unknown): Promise<[]> {
    this.noteFailure(LEADERS, error);
    await this.cluster.refresh();
    return [];
  }

  private async fetch(nodeId: string, requests: FetchRequest[], waitMsMax: number): Promise<void> {
    try {
      const bounds = { waitMsMax, bytesMax: FETCH_BYTES_MAX };
      const answer = await this.cluster.fetch(nodeId, this.topic, requests, bounds);
      this.failing.delete(nodeId);
      for (const fetched of answer) {
        const request = requests.find(({ partition }) => partition === fetched.partition)!;
        this.give(request, fetched);
      }
    } catch (error) {
      await this.afterError(nodeId, error, requests);
    } finally {
      this.inFlight.delete(nodeId);
      this.news.ring();
    }
  }

  /** What cannot be read stops its partition, and no other. */
  private give(request: FetchRequest, fetched: FetchedPartition): void {
    const feed = this.feeds.get(request.partition);
    try {
      feed?.accept(request, fetched);
    } catch (error) {
      feed?.fail(request, error as Error);
    }
  }

  private async afterError(nodeId: string, error: unknown, requests: FetchRequest[]): Promise<void> {
    if (isProtocolError(error, 'OFFSET_OUT_OF_RANGE')) {
      await Promise.all(
        requests.map((request) => this.explain(request).catch(() => this.retryLater(request))),
      );
      return;
    }
    this.noteFailure(nodeId, error);
    for (const request of requests) this.retryLater(request);
    await this.cluster.refresh();
  }

  private noteFailure(nodeId: string, error: unknown): void {
    const now = performance.now();
    const before = this.failing.get(nodeId);
    // A broker that is asked for nothing for a while neither fails nor succeeds.
    const isSame = before !== undefined && now - before.lastAt < this.reports.everyMs;
    const { since, reportedAt } = isSame ? before : { since: now, reportedAt: -Infinity };
    const isDue = now - since >= this.reports.afterMs && now - reportedAt >= this.reports.everyMs;
    this.failing.set(nodeId, { since, lastAt: now, reportedAt: isDue ? now : reportedAt });
    if (isDue) this.onTrouble(error);
  }

  private retryLater(request: FetchRequest): void {
    this.feeds.get(request.partition)?.pause(request, RETRY_DELAY_MS);
  }

  /** Of the partitions in a refused fetch only those at fault are kept out of the next. */
  private async explain(request: FetchRequest): Promise<void> {
    const { partition, from } = request;
    const gone = await goneError(this.cluster, this.topic, partition, from);
    if (gone) this.feeds.get(partition)?.fail(request, gone);
    const end = (await this.cluster.offsetsOf(this.topic, [partition], 'end')).get(partition)!;
    if (from <= end) return;
    const error = new AboveEndError(
      `records are missing from the log: ${this.topic}/${partition} ends at ${end}, but offset ${from} was requested`,
    );
    this.feeds.get(partition)?.waitAboveEnd(request, error, ABOVE_END_DELAY_MS);
  }
}
