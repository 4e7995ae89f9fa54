import { type Answer, type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';

const FINDINGS_A_ZIP = 200;
/** Of one ZIP, and of no other: an estate, not one host that everything is found on. */
const HOSTS = 50;
/** As many as keep the service busy while each of them waits for the fold of its upload. */
const CLIENTS = 16;
/** Uploads that wait for their answer: what a crowd of clients would have under way. */
const UNDER_WAY_MAX = 1_000;

/** What became of the uploads of a load. */
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

/** ZIPs of new findings, no two alike, at a pace or as fast as they are answered. */
export class Load {
  private made = 0;

  constructor(
    private readonly client: ApiClient,
    private readonly name: string,
  ) {}

  /** Findings a second, acknowledged and folded, where each client waits for both before it sends the next. */
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
   * Sends at a pace whether it is answered or not, and never waits as it is told to.
   * @param findingsPerSecond what is offered
   */
  async offer(seconds: number, findingsPerSecond: number, tally: LoadTally): Promise<number> {
    // Before the clock starts: packing takes the processor from the service. One after the other, as a thousand at a
    // time take more memory than the machine has.
    const zips: Buffer[] = [];
    while (zips.length * FINDINGS_A_ZIP < seconds * findingsPerSecond) zips.push(await this.next());
    const begun = performance.now();
    const underWay = new Set<Promise<void>>();
    let offered = 0;
    while (performance.now() - begun < seconds * 1_000) {
      const due = ((performance.now() - begun) / 1_000) * findingsPerSecond;
      const zip = offered < due && underWay.size < UNDER_WAY_MAX ? zips.pop() : undefined;
      if (zip) {
        const sending: Promise<void> = this.send(zip, tally).finally(() => underWay.delete(sending));
        underWay.add(sending);
        offered += FINDINGS_A_ZIP;
      } else {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    await Promise.all(underWay);
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
