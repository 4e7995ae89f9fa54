import { encodeIntake } from '#libs/contracts';
import { INTAKE_TOPIC } from '#libs/intake';
import { scorePartition } from '#libs/scores';
import { type ApiClient, plainSignal, zipOf } from '../../../../../test/support/api-client.ts';
import { event } from '../../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../../test/support/started-gateway.ts';
import { until } from '../../../../../test/support/until.ts';

const PARTITIONS = 4;

/** A failing finding as a test names it. */
export interface Told {
  name: string;
  host: string;
  cve?: string | null;
  status?: 'pass' | 'fail';
  severity?: number;
  /** ISO 8601. */
  expiresAt?: string;
  attributes?: Record<string, string>;
}

/** A gateway on a clock of its own whose assets are scored whenever a test says so. */
export class ScoredSite {
  private constructor(
    readonly gateway: StartedGateway,
    readonly client: ApiClient,
    private readonly time: { now: number },
  ) {}

  static async start(begin: number): Promise<ScoredSite> {
    const time = { now: begin };
    const gateway = await StartedGateway.start({ folds: true, clock: () => time.now });
    return new ScoredSite(gateway, await gateway.client('admin'), time);
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }

  /** Some time later: answers the instant before. Tokens last an hour. */
  pass(ms = 1_000): number {
    this.time.now += ms;
    return this.time.now - 1;
  }

  get now(): number {
    return this.time.now;
  }

  async tell(...told: Told[]): Promise<void> {
    await this.fold(...told);
    await this.score();
  }

  /** Uploads, and leaves it to be scored. */
  async fold(...told: Told[]): Promise<void> {
    this.pass();
    const signals = told.map(
      ({ name, host, cve = 'CVE-2021-44228', status = 'fail', severity = 9.8, expiresAt, attributes }) => ({
        ...plainSignal(name, host, {
          securityContext: {
            type: 'va',
            status: { complianceStatus: status },
            severity: { type: 'cvss', value: severity },
            ...(cve && { standardsMapping: [{ name: 'cve', value: cve }] }),
          },
        }),
        ...(expiresAt && { expiresAt }),
        entity: { type: 'machine', name: host, ...(attributes && { entityAttributes: attributes }) },
      }),
    );
    const entries = Object.fromEntries(signals.map((signal, i) => [`${i}.json`, signal]));
    const { body } = await this.client.zip(await zipOf(entries));
    await this.client.folded(body.uploadId);
  }

  /** Scores whatever changed. */
  async score(): Promise<void> {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      while ((await scorePartition(this.gateway.database.db, partition, this.now)).assets > 0);
    }
  }

  async accept(findingId: string): Promise<void> {
    this.pass();
    const { status } = await this.post(`/api/v3/findings/${findingId}/accept`, { rationale: 'known' });
    if (status !== 200) throw new Error(`accepting answered ${status}`);
    await this.score();
  }

  async deleteAsset(name: string): Promise<void> {
    this.pass();
    const id = await this.assetId(name);
    const { rows } = await this.gateway.database.pool.query(
      'select partition, entity_key as key from assets where id = $1',
      [id],
    );
    const [{ partition, key }] = rows;
    const act = event(
      { type: 'AssetDeleted', assetId: id, seenVersion: null },
      this.now,
      {},
      { entityKey: key },
    );
    await this.gateway.log.append(INTAKE_TOPIC, [{ partition, key, value: encodeIntake(act) }]);
    await until(
      `${name} is deleted`,
      async () => (await this.client.get(`/api/v3/assets/${id}`)).deletedAt !== null,
    );
    await this.score();
  }

  async forecast(cve: string, probability: number): Promise<void> {
    await this.importForecast(cve, probability);
    await this.score();
  }

  /** A forecast of a CVE, in force from now on; leaves it to be scored. */
  async importForecast(cve: string, probability: number): Promise<void> {
    this.pass();
    const at = new Date(this.now).toISOString();
    const { pool } = this.gateway.database;
    await pool.query(
      `update catalogue_rows set valid_to = $2 where cve = $1 and catalogue = 'epss' and valid_to = 'infinity'`,
      [cve, at],
    );
    await pool.query(`insert into catalogue_rows values ('epss', $1, $2, $3)`, [
      cve,
      JSON.stringify({ probability, date: at.slice(0, 10) }),
      at,
    ]);
    await pool.query(
      `insert into rescorings select distinct partition, asset_no, $2::timestamptz from findings where cves @> array[$1]`,
      [cve, at],
    );
  }

  async assetId(name: string): Promise<string> {
    return (await this.client.all(`/api/v3/assets?name=${name}`))[0].id;
  }

  async findingId(name: string): Promise<string> {
    return (await this.client.all(`/api/v3/findings?name=${encodeURIComponent(name)}`))[0].id;
  }

  post(path: string, body: unknown) {
    return this.client.request('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
  }
}
