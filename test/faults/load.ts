import { setTimeout } from 'node:timers/promises';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';

const HOSTS = 30;
const SIGNALS_PER_ZIP = 40;
/** Every upload names it with a different text, so that each changes it once. */
export const SHARED_FINDING = 'Every upload touches this';

/** In the name and the texts of each user that the load reports and erases, and nowhere else. */
export const ERASED_MARKER = 'zqerased';

/** Default of a service. */
const RETRY_MS = 100;
/** As long as a round may take. */
const PAUSE_MS_MAX = 300_000;
/** A request that a killed program never answers must not hold the load. */
const ANSWER_MS_MAX = 30_000;

export interface Upload {
  uploadId: string;
  signals: number;
  /** Names of its findings. */
  findings: string[];
}

/** Senders that upload without end: failed uploads are sent again under their key, as the command line does. */
export class Load {
  /** Uploads that were answered with 200. */
  readonly acknowledged: Upload[] = [];
  /** Findings of users that were erased. */
  readonly erased: string[] = [];
  /** Findings of JSON signals without a key that were never answered with 200: they may be stored, once. */
  readonly unknown: string[] = [];
  /** Status (0: no answer) → how often. */
  readonly answers = new Map<number, number>();
  /** Answers of 429 and 503 that did not say when to come back. */
  readonly withoutRetryAfter: string[] = [];
  /** Unexpected answers: not 200, 429 or 503, nor 401, as a shifted clock lets a token expire. There should be none. */
  readonly refusals: string[] = [];
  /** Acknowledged uploads with which the senders pause. */
  private goal = 0;
  private isStopping = false;
  private isAbandoned = false;
  private readonly running: Promise<unknown>;

  private constructor(
    private readonly url: string,
    private client: ApiClient,
    erases: boolean,
  ) {
    const senders = [this.sendZips('a'), this.sendZips('b'), this.sendSignals('c')];
    this.running = Promise.all(erases ? [...senders, this.eraseUsers('d')] : senders);
  }

  /** @param erases whether it also reports users and erases them: the service seals texts */
  static async start(url: string, erases = false): Promise<Load> {
    return new Load(url, await ApiClient.signIn(url, ADMIN), erases);
  }

  get attempts(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Lets the senders continue, as fast as they can, until `uploads` more uploads are acknowledged. Without a limit, the
   * load would grow during a restart and slow it down.
   */
  sendOn(uploads: number): void {
    this.goal = this.acknowledged.length + uploads;
  }

  /** Ends when the current uploads are acknowledged. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  /** Ends for any outcome of the current uploads. */
  async abandon(): Promise<void> {
    this.isAbandoned = true;
    await this.stop();
  }

  private async sendZips(sender: string): Promise<void> {
    for (let n = 0; await this.maySend(); n += 1) {
      const name = `${sender}${n}`;
      const findings = Array.from({ length: SIGNALS_PER_ZIP }, (_, i) => `${name} finding ${i}`);
      const own = findings.map((finding, i) => [`${i}.json`, plainSignal(finding, `host${(n + i) % HOSTS}`)]);
      const zip = await zipOf(Object.fromEntries([...own, ['shared.json', sharedSignal(name, n)]]));
      const uploadId = await this.untilAcknowledged((giveUp) =>
        this.client.zip(zip, { 'idempotency-key': `zip-${name}` }, '', giveUp),
      );
      if (uploadId) this.acknowledged.push({ uploadId, signals: SIGNALS_PER_ZIP + 1, findings });
    }
  }

  /** One attempt each: unacknowledged uploads are not sent again. */
  private async sendSignals(sender: string): Promise<void> {
    for (let n = 0; await this.maySend(); n += 1) {
      const finding = `${sender}${n} finding`;
      const body = plainSignal(finding, `host${n % HOSTS}`);
      const stored = await this.attempt((giveUp) => this.client.signal(body, {}, giveUp));
      if (stored) this.acknowledged.push({ uploadId: stored.uploadId, signals: 1, findings: [finding] });
      else this.unknown.push(finding);
    }
  }

  /** Reports a user and erases the user, one after the other. */
  private async eraseUsers(sender: string): Promise<void> {
    for (let n = 0; await this.maySend(); n += 1) {
      const name = `${sender}${n}`;
      const finding = `${name} finding`;
      const user = `${ERASED_MARKER}.${name}@acme.com`;
      const zip = await zipOf({ 'user.json': userSignal(user, finding) });
      const uploadId = await this.untilAcknowledged((giveUp) =>
        this.client.zip(zip, { 'idempotency-key': `zip-${name}` }, '', giveUp),
      );
      if (uploadId) this.acknowledged.push({ uploadId, signals: 1, findings: [finding] });
      if (uploadId && (await this.untilErased(user))) this.erased.push(finding);
    }
  }

  /** False if the load was given up. */
  private async untilErased(user: string): Promise<boolean> {
    const given = JSON.stringify({ subject: { type: 'user', name: user }, reason: 'a request' });
    const type = { 'content-type': 'application/json' };
    while (!this.isAbandoned) {
      const answer = await this.attempt(
        (giveUp) => this.client.request('POST', '/api/v3/erasures', given, type, giveUp),
        ERASED,
      );
      if (answer) return true;
    }
    return false;
  }

  /** False at the end of the load. */
  private async maySend(): Promise<boolean> {
    await until('an upload', () => this.isStopping || this.acknowledged.length < this.goal, PAUSE_MS_MAX);
    return !this.isStopping;
  }

  /** Null if the load was given up. */
  private async untilAcknowledged(
    send: (giveUp: AbortSignal) => ReturnType<ApiClient['request']>,
  ): Promise<string | null> {
    let uploadId: string | null = null;
    while (!uploadId && !this.isAbandoned) uploadId = (await this.attempt(send))?.uploadId ?? null;
    return uploadId;
  }

  /** Returns the body of an answer with one of the statuses of success. */
  private async attempt(
    send: (giveUp: AbortSignal) => ReturnType<ApiClient['request']>,
    successes: readonly number[] = [200],
  ): Promise<any> {
    const answer = await send(AbortSignal.timeout(ANSWER_MS_MAX)).catch(() => null);
    const status = answer?.status ?? 0;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (successes.includes(status)) return answer!.body;
    if (status === 429 || status === 503) this.noteRetryAfter(answer!);
    else if (status === 401) this.client = await ApiClient.signIn(this.url, ADMIN).catch(() => this.client);
    else if (status !== 0) this.refusals.push(`${status} ${JSON.stringify(answer!.body)}`);
    await setTimeout(RETRY_MS);
    return null;
  }

  private noteRetryAfter({ status, headers, body }: Awaited<ReturnType<ApiClient['request']>>): void {
    if (!/^\d+$/.test(headers.get('retry-after') ?? '')) {
      this.withoutRetryAfter.push(`${status} ${JSON.stringify(body)}`);
    }
  }
}

/** 404: an attempt whose answer was lost has erased the user. */
const ERASED = [200, 202, 404];

const userSignal = (user: string, finding: string) =>
  plainSignal(finding, '', { entity: { type: 'user', name: user }, description: `about ${user}` });

const sharedSignal = (name: string, n: number) =>
  plainSignal(SHARED_FINDING, `host${n % HOSTS}`, { description: `as ${name} saw it` });
