import { type Answer, type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';

const FINDINGS_A_ZIP = 200;
/** Hosts of each ZIP. No other ZIP contains them. */
const HOSTS = 50;
/** Enough to keep the service busy while each client waits for the fold of its upload. */
const CLIENTS = 16;
/** Concurrent uploads, as from a large number of clients. */
const IN_PROGRESS_MAX = 1_000;

/** Outcome of the uploads of a load. */
export class LoadTally {
  readonly acknowledged: { uploadId: string; accepted: number }[] = [];
  readonly refused: Answer[] = [];
  /** Anything but 200 and 429. */
  readonly others: string[] = [];
  slowestMs = 0;

  get findings(): number {
    return this.acknowledged.reduce((sum, { accepted }) => sum + accepted, 0);
  }

  take(answer: Answer): void {
    if (answer.status === 200) this.acknowledged.push(answer.body);
    else if (answer.status === 429) this.refused.push(answer);
    else this.others.push(`${answer.status}: ${answer.body?.message}`);
  }
}

/** Sends ZIPs of new findings, each different, at a fixed rate or as fast as they are answered. */
export class Load {
  private made = 0;

  constructor(
    private readonly client: ApiClient,
    private readonly name: string,
  ) {}

  /** Findings acknowledged and folded per second, if each client waits for both before its next upload. */
  async capacity(seconds: number, tally: LoadTally): Promise<number> {
    const begun = performance.now();
    const before = tally.findings;
    const one = async () => {
      while (performance.now() - begun < seconds * 1_000)
        await this.send(await this.next(), tally, { prefer: 'wait=60' });
    };
    await Promise.all(Array.from({ length: CLIENTS }, one));
    return (tally.findings - before) / ((performance.now() - begun) / 1_000);
  }

  /**
   * Sends at a fixed rate without waiting for responses, and ignores requested waits.
   * @param findingsPerSecond the offered load
   */
  async offer(seconds: number, findingsPerSecond: number, tally: LoadTally): Promise<number> {
    // Packs before the clock starts, because packing uses the processor of the service, and one ZIP at a time, because
    // a thousand in parallel need too much memory.
    const zips: Buffer[] = [];
    while (zips.length * FINDINGS_A_ZIP < seconds * findingsPerSecond) zips.push(await this.next());
    const begun = performance.now();
    const inProgress = new Set<Promise<void>>();
    let offered = 0;
    while (performance.now() - begun < seconds * 1_000) {
      const due = ((performance.now() - begun) / 1_000) * findingsPerSecond;
      const zip = offered < due && inProgress.size < IN_PROGRESS_MAX ? zips.pop() : undefined;
      if (zip) {
        const sending: Promise<void> = this.send(zip, tally).finally(() => inProgress.delete(sending));
        inProgress.add(sending);
        offered += FINDINGS_A_ZIP;
      } else {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    await Promise.all(inProgress);
    return offered;
  }

  private next(): Promise<Buffer> {
    const number = this.made++;
    const entries = Array.from({ length: FINDINGS_A_ZIP }, (_, i) => [
      `${i}.json`,
      plainSignal(`${this.name} ${number}/${i}`, `${this.name}-${number}-${i % HOSTS}`),
    ]);
    return zipOf(Object.fromEntries(entries));
  }

  private async send(zip: Buffer, tally: LoadTally, headers: Record<string, string> = {}): Promise<void> {
    const begun = performance.now();
    await this.client.zip(zip, headers).then(
      (answer) => tally.take(answer),
      (error: Error) => tally.others.push(`no answer: ${error.cause ?? error}`),
    );
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begun);
  }
}
