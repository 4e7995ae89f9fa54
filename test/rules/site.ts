import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { type CatalogueKind, type CatalogueValues, importCatalogue } from '#libs/catalogue-store';
import { bareClock } from '#libs/clock';
import { encodeIntake } from '#libs/contracts';
import { actEnvelope, type CatalogueImported, ORGANIZATION_KEY, readingAt } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import type { Role } from '../../apps/gateway/src/auth/scopes.ts';
import { Sweeper } from '../../apps/projector/src/sweep/sweeper.ts';
import { scoreAll } from '../fixtures/scores/score-all.ts';
import { type Answer, type ApiClient, zipOf } from '../support/api-client.ts';
import { type GatewayOptions, StartedGateway } from '../support/started-gateway.ts';
import { until } from '../support/until.ts';
import { signal } from './signals.ts';

const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');

type Body = any;

/** A gateway on a log that is folded, with a clock that a row moves, and the words that rows share. */
export class Site {
  private hosts = 0;
  private constructor(
    readonly gateway: StartedGateway,
    private readonly clock: { now: number },
    private readonly sweeper: Sweeper,
    /** The admin. */
    public client: ApiClient,
  ) {}

  static async start(options: Omit<GatewayOptions, 'clock'> = {}): Promise<Site> {
    const clock = { now: BEGIN };
    const now = () => clock.now;
    const gateway = await StartedGateway.start({ folds: true, ...options, clock: now });
    const sweeper = new Sweeper(gateway.database.db, gateway.log, bareClock(now));
    return new Site(gateway, clock, sweeper, await gateway.client('admin'));
  }

  /** Another site for as long as the work takes. */
  static async during<T>(
    options: Omit<GatewayOptions, 'clock'>,
    work: (site: Site) => Promise<T>,
  ): Promise<T> {
    const site = await Site.start(options);
    try {
      return await work(site);
    } finally {
      await site.stop();
    }
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }

  get now(): number {
    return this.clock.now;
  }

  /** An instant from now. */
  in(ms: number): string {
    return new Date(this.now + ms).toISOString();
  }

  /** Time continues; tokens do not last so long. */
  async pass(ms: number): Promise<void> {
    this.clock.now += ms;
    this.client = await this.as('admin');
  }

  as(role: Role): Promise<ApiClient> {
    return this.gateway.client(role);
  }

  /** A host that no other row speaks of. */
  host(): string {
    this.hosts += 1;
    return `host${String(this.hosts).padStart(4, '0')}`;
  }

  /** An address that no other row speaks of. */
  address(): string {
    this.hosts += 1;
    return `10.77.${Math.floor(this.hosts / 200)}.${1 + (this.hosts % 200)}`;
  }

  /** @throws if the gateway does not take the ZIP; answers its progress when all of it is folded */
  async upload(signals: unknown[], config?: object): Promise<Body> {
    const answer = await this.zip(entriesOf(signals, config));
    expect(answer).toMatchObject({ status: 200 });
    return this.client.folded(answer.body.uploadId);
  }

  /** Uploads one after the other are no twins: of two within a millisecond the greater id is the later one. */
  async zip(entries: Record<string, unknown> | Buffer, query = '', headers = {}): Promise<Answer> {
    this.clock.now += 1;
    return this.client.zip(Buffer.isBuffer(entries) ? entries : await zipOf(entries), headers, query);
  }

  /** @throws if the gateway does not take the signal; answers its answer when it is folded */
  async json(signal: unknown): Promise<Body> {
    this.clock.now += 1;
    const { status, body } = await this.client.signal(signal);
    expect({ status, body }).toMatchObject({ status: 200 });
    await this.client.folded(body.uploadId);
    return body;
  }

  /** Verifies that an invalid signal gets a 400 with the reason, on both routes, and nothing is appended. */
  async expectRefused(signal: unknown, message: RegExp): Promise<void> {
    const before = await this.gateway.logSize();
    for (const { status, body } of [await this.client.signal(signal), await this.zip({ '1.json': signal })]) {
      expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
    }
    expect(await this.gateway.logSize()).toBe(before);
  }

  /** A ZIP is a 400 that says so, and nothing is appended. */
  async expectZipRefused(entries: Record<string, unknown> | Buffer, message: RegExp): Promise<Body> {
    const before = await this.gateway.logSize();
    const { status, body } = await this.zip(entries);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
    expect(await this.gateway.logSize()).toBe(before);
    return body;
  }

  /** Assets whose name begins so. */
  assets(name: string): Promise<Body[]> {
    return this.client.all(`/api/v3/assets?name=${encodeURIComponent(name)}`);
  }

  /** The only asset whose name begins so. */
  async asset(name: string): Promise<Body> {
    const found = await this.assets(name);
    expect(found.map((asset) => asset.name)).toHaveLength(1);
    return found[0];
  }

  /** Findings of a host's only asset. */
  async findings(host: string, state = ''): Promise<Body[]> {
    const { id } = await this.asset(host);
    return this.client.all(`/api/v3/assets/${id}/findings${state && `?state=${state}`}`);
  }

  /** Name → state of a host's active findings. */
  async states(host: string): Promise<Record<string, string>> {
    const found = await this.findings(host);
    return Object.fromEntries(found.map(({ name, state }) => [name, state]));
  }

  /** The only active finding of a host's only asset, whole. */
  async finding(host: string): Promise<Body> {
    const found = await this.findings(host);
    expect(found.map(({ name, type }) => [name, type])).toHaveLength(1);
    return this.get(found[0].id);
  }

  /** Outcome of a single signal: the finding of a new host. */
  async findingOf(host: string, given: unknown): Promise<Body> {
    await this.upload([given]);
    return this.finding(host);
  }

  /** A finding by its id, in any state. */
  get(id: string): Promise<Body> {
    return this.client.get(`/api/v3/findings/${id}`);
  }

  history(id: string): Promise<Body[]> {
    return this.client.all(`/api/v3/findings/${id}/history`);
  }

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.client.request(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.send('POST', path, body);
  }

  accept(id: string, given: object = {}): Promise<Answer> {
    return this.post(`/api/v3/findings/${id}/accept`, { rationale: 'known', ...given });
  }

  revert(id: string, to: 'NotAssessed' | 'Failed'): Promise<Answer> {
    return this.post(`/api/v3/findings/${id}/revert`, { to });
  }

  /** A new finding on a host, accepted. */
  async acceptedOn(host: string, given: unknown = signal(host)): Promise<Body> {
    const { id } = await this.findingOf(host, given);
    const { status, body } = await this.accept(id);
    expect(status).toBe(200);
    return body;
  }

  /** A new finding on a host that expires; returns its id. */
  async expiredOn(host: string): Promise<string> {
    const { id } = await this.findingOf(host, signal(host, { expiresAt: this.in(DAY_MS) }));
    await this.pass(2 * DAY_MS);
    return id;
  }

  /** Settings as given for as long as the work takes. */
  async withSettings(given: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
    const before = await this.client.get('/api/v3/settings');
    expect(await this.send('PATCH', '/api/v3/settings', given)).toMatchObject({ status: 200 });
    try {
      await work();
    } finally {
      const kept = Object.fromEntries(Object.keys(given).map((name) => [name, before[name]]));
      await this.send('PATCH', '/api/v3/settings', kept);
    }
  }

  /** Rounds of the sweep until nothing is left to do, folded. */
  async sweep(): Promise<void> {
    for (let partition = 0; partition < this.gateway.log.partitions; partition += 1) {
      for (let quiet = 0; quiet < 2; ) {
        const round = await this.sweeper.sweep(partition);
        if (round !== 'waiting') quiet = round.appended > 0 || round.isCut ? 0 : quiet + 1;
      }
    }
    await this.folded();
  }

  /** Imports a catalogue, as `posture catalogue import` does. @param effectiveFrom epoch milliseconds */
  async know<C extends CatalogueKind>(
    catalogue: C,
    values: Record<string, CatalogueValues[C]>,
    effectiveFrom: number | null = null,
  ): Promise<void> {
    this.clock.now += 1;
    const rows = Object.entries(values).map(([cve, value]) => ({ cve, value }));
    const request = {
      catalogue,
      source: 'list.json',
      async *read() {
        yield* rows;
      },
      effectiveFrom,
    };
    const log = { settled: () => this.folded(), announce: (event: CatalogueImported) => this.append(event) };
    await importCatalogue(this.gateway.database.db, request, log, () => this.now);
  }

  /** The score of a host's only asset, explained; the same is stored of it once it is scored. */
  async score(host: string): Promise<Body> {
    await scoreAll(this.gateway.database, this.gateway.log.partitions, this.now);
    const { id, score } = await this.asset(host);
    const explained = await this.client.get(`/api/v3/assets/${id}/score`);
    expect(score).toBe(explained.score);
    return explained;
  }

  private async append(payload: CatalogueImported): Promise<void> {
    const envelope = actEnvelope({
      id: randomUUID(),
      entityKey: ORGANIZATION_KEY,
      ...readingAt(this.now),
      settingsVersion: 0,
      by: null,
    });
    await this.gateway.log.append(INTAKE_TOPIC, [
      { key: ORGANIZATION_KEY, value: encodeIntake({ envelope, payload }) },
    ]);
    await this.folded();
  }

  private async folded(): Promise<void> {
    await until('the fold', async () => {
      const ends = await this.gateway.log.ends(INTAKE_TOPIC);
      const rows = await this.gateway.database.db
        .selectFrom('projection_positions')
        .select(['partition', 'next_offset'])
        .execute();
      return ends.every(
        (end, p) => end === 0 || rows.some((row) => row.partition === p && row.next_offset === end),
      );
    });
  }
}

const entriesOf = (signals: unknown[], config?: object): Record<string, unknown> => ({
  ...Object.fromEntries(signals.map((signal, i) => [`${i}.json`, signal])),
  ...(config && { 'config.json': config }),
});
