import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addRiskSums, EMPTY_RISK_SUM, groupScore, isoTime, riskSumOf } from '#libs/domain';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const PARTITIONS = 4;

let now = MONDAY;
let gateway: StartedGateway;
let client: ApiClient;
/** Right before, at and after every event. */
const instants: number[] = [];

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  await happen();
});
afterAll(() => gateway.stop());

async function step(days: number): Promise<void> {
  now += days * DAY_MS;
  instants.push(now - 1, now, now + 60_000);
  client = await gateway.client('admin');
}

async function upload(...signals: object[]): Promise<void> {
  const { body } = await client.zip(
    await zipOf({
      'config.json': { shouldUpdateExistingAssetsMetadata: true },
      ...Object.fromEntries(signals.map((one, i) => [`${i}.json`, one])),
    }),
  );
  await client.folded(body.uploadId);
}

const score = () => scoreAll(gateway.database, PARTITIONS, now);

const signal = (name: string, host: string, department: string, given: object = {}) => ({
  ...plainSignal(name, host),
  entity: {
    type: 'machine',
    name: host,
    entityAttributes: { criticality: host === 'web' ? 'critical' : 'low', tags: { dept: [department] } },
  },
  ...given,
});
const withCve = (cve: string) => ({
  securityContext: {
    type: 'va',
    status: { complianceStatus: 'fail' },
    severity: { type: 'cvss', value: 9.8 },
    standardsMapping: [{ name: 'cve', value: cve }],
  },
});

/** Findings come, change, move their asset to another department, are accepted, and expire. */
async function happen(): Promise<void> {
  await step(0);
  await upload(
    signal('one', 'web', 'IT', withCve('CVE-2024-10001')),
    signal('two', 'web', 'IT', { ...withCve('CVE-2024-10002'), expiresAt: isoTime(now + 3.5 * DAY_MS) }),
    signal('one', 'mail', 'Sales', withCve('CVE-2024-10001')),
    signal('clean', 'bare', 'Sales', {
      securityContext: { ...withCve('x').securityContext, standardsMapping: [] },
    }),
  );
  await score();
  await step(1);
  await upload(signal('three', 'web', 'Legal', withCve('CVE-2024-10003')));
  await step(1);
  const [{ id }] = await client.all('/api/v3/findings?name=three');
  await client.request('POST', `/api/v3/findings/${id}/accept`, '{"rationale":"x"}');
  await score();
  await step(2);
  await score();
  instants.push(MONDAY + 3.5 * DAY_MS - 1, MONDAY + 3.5 * DAY_MS);
  await step(1);
  await upload(signal('four', 'db', 'IT', withCve('CVE-2024-10004')));
  await score();
}

/** The score of each asset at an instant, computed on demand from the findings of that time. */
async function scoredOnDemand(at: number) {
  const assets = await client.all(`/api/v3/assets?asOf=${isoTime(at)}`);
  return Promise.all(
    assets.map(async (asset) => ({
      asset,
      onDemand: await client.get(`/api/v3/assets/${asset.id}/score?asOf=${isoTime(at)}`),
    })),
  );
}

function groupOf(scored: Awaited<ReturnType<typeof scoredOnDemand>>) {
  const sums = scored.map(({ onDemand }) => riskSumOf(onDemand)).reduce(addRiskSums, EMPTY_RISK_SUM);
  return { ...groupScore(sums), liveAssets: sums.assets };
}

describe('the stored scores', () => {
  it('equal at every instant the score of the findings of that time', async () => {
    const seen = new Set<number | null>();
    for (const at of instants.filter((instant) => instant <= now)) {
      const scored = await scoredOnDemand(at);
      for (const { asset, onDemand } of scored) expect([at, asset.score]).toEqual([at, onDemand.score]);
      const organization = await client.get(`/api/v3/scores/organization?asOf=${isoTime(at)}`);
      expect(organization).toEqual({
        ...groupOf(scored),
        at: organization.at,
        model: 'posture-1',
        catalogue: 'attack',
      });
      seen.add(organization.score);
      for (const { name, at: _, model: _model, catalogue: _catalogue, ...group } of await client.all(
        `/api/v3/scores/departments?asOf=${isoTime(at)}`,
      )) {
        expect(group).toEqual(groupOf(scored.filter(({ asset }) => asset.department === name)));
      }
      const ranked = await client.all(`/api/v3/scores/assets?asOf=${isoTime(at)}`);
      expect(
        ranked.map(({ assetId, score, breachLikelihood }) => [assetId, score, breachLikelihood]).sort(),
      ).toEqual(
        scored.map(({ asset, onDemand }) => [asset.id, onDemand.score, onDemand.breachLikelihood]).sort(),
      );
    }
    // Nothing; the first upload, and again after the acceptance; the second; the expiry; the last upload.
    expect(seen.size).toBe(5);
  });

  it('is the same at present, and in the history', async () => {
    const { at, ...present } = await client.get('/api/v3/scores/organization');
    const past = await client.get(`/api/v3/scores/organization?asOf=${at}`);
    expect({ ...present, at }).toEqual(past);
    expect(present).toMatchObject({ assets: 4, scoredAssets: 3 });
    const { items } = await client.get(
      `/api/v3/scores/organization/history?from=${isoTime(MONDAY - DAY_MS / 2)}&step=PT12H`,
    );
    for (const point of items) {
      expect(await client.get(`/api/v3/scores/organization?asOf=${point.at}`)).toMatchObject(point);
    }
    expect(items).toHaveLength(12);
    const [web] = await client.all('/api/v3/assets?name=web');
    const periods = await client.all(`/api/v3/assets/${web.id}/score/history`);
    expect(periods.map(({ department }) => department)).toContain('IT');
    expect(periods[0]).toMatchObject({ to: null, score: web.score, department: 'Legal' });
    expect(periods.map(({ from }) => from)).toContain(isoTime(MONDAY + 3.5 * DAY_MS));
  });
});
