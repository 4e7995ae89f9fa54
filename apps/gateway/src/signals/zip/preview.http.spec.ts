import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ApiClient, plainSignal, zipOf } from '../../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../../test/support/started-gateway.ts';

const DAY_MS = 86_400_000;

let now = Date.parse('2026-03-02T08:00:00.000Z');
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());

type Entries = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: what the tests look at of an answer is theirs to say
type Json = any;

const context = (status: string, type = 'va') => ({
  securityContext: { type, status: { complianceStatus: status }, severity: { value: 5 } },
});

async function preview(entries: Entries, query = ''): Promise<Json> {
  const { status, body } = await client.zip(await zipOf(entries), {}, `?dryRun=true${query}`);
  expect({ status, body }).toMatchObject({ status: 200, body: { dryRun: true } });
  return body;
}

async function upload(entries: Entries, query = ''): Promise<Json> {
  const { body } = await client.zip(await zipOf(entries), {}, query && `?${query}`);
  // Of two uploads within a millisecond, the greater id counts as the later one (R-FOLD-4).
  now += 1;
  return client.folded(body.uploadId);
}

/** The preview equals the outcome of the upload, for each finding; and the preview itself has no effect. */
async function expectPreviewed(entries: Entries, query = ''): Promise<Json> {
  const before = await gateway.logSize();
  const previewed = await preview(entries, query && `&${query}`);
  expect(await gateway.logSize()).toBe(before);
  const { id, outcome, merged, unrecognisedTags, rejected } = await upload(entries, query);
  expect({ ...previewed }).toMatchObject({ outcome, merged, unrecognisedTags, rejected });
  expect(changed(previewed.findings)).toEqual(await changesOf(id));
  return previewed;
}

const changed = (findings: Json[]) =>
  findings
    .filter(({ would }) => would !== 'ignored')
    .map(({ name, type, would, from, to, reason }) => [name, type, would, from, to, reason].join(' '))
    .sort();

/** The changes of an upload in the history. */
async function changesOf(uploadId: string): Promise<string[]> {
  const rows = await gateway.database.db
    .selectFrom('finding_history')
    .select(['body', 'change', 'from_state', 'to_state', 'reason', 'cause'])
    .execute();
  return rows
    .filter(({ cause }) => (cause as { uploadId: string }).uploadId === uploadId)
    .map(({ body, change, from_state, to_state, reason }) => {
      const { name, type } = body as { name: string; type: string };
      return [name, type, change, from_state, to_state, reason].join(' ');
    })
    .sort();
}

describe('?dryRun=true (R-ZIP-7)', () => {
  it('previews created, updated, unchanged and ignored findings, with the reason', async () => {
    await expectPreviewed({ '1.json': plainSignal('a', 'p01'), '2.json': plainSignal('b', 'p01') });
    const previewed = await expectPreviewed({
      '1.json': plainSignal('a', 'p01', context('pass')),
      '2.json': plainSignal('b', 'p01'),
      '3.json': plainSignal('c', 'p01', { expiresAt: '2020-01-01T00:00:00Z' }),
      '4.json': plainSignal('d', 'p02'),
    });
    expect(previewed).toMatchObject({
      accepted: 4,
      ignored: 1,
      outcome: { created: 1, updated: 1, unchanged: 1, assetsCreated: 1, ignored: { expired: 1 } },
    });
    expect(previewed.findings).toEqual([
      {
        asset: 'p01',
        name: 'a',
        type: 'va',
        would: 'stateChanged',
        from: 'Failed',
        to: 'Qualified',
        reason: null,
      },
      { asset: 'p01', name: 'c', type: 'va', would: 'ignored', from: null, to: null, reason: 'expired' },
      { asset: 'p02', name: 'd', type: 'va', would: 'created', from: null, to: 'Failed', reason: null },
    ]);
  });

  it('previews which findings a replacing ZIP retires', async () => {
    await upload({ '1.json': plainSignal('kept', 'p03'), '2.json': plainSignal('gone', 'p03') });
    const previewed = await expectPreviewed({
      '1.json': plainSignal('kept', 'p03'),
      'config.json': { fullAssessmentForTypes: ['va'] },
    });
    expect(previewed.findings).toEqual([
      {
        asset: 'p03',
        name: 'gone',
        type: 'va',
        would: 'retired',
        from: 'Failed',
        to: 'Retired',
        reason: 'replaced',
      },
    ]);
  });

  it('previews unknown assets, merged names and unrecognised tags', async () => {
    const fqdn = (name: string) => plainSignal('x', name, { entity: { type: 'machine', name } });
    await upload({ '1.json': fqdn('p04.one.example') });
    const previewed = await expectPreviewed({
      '1.json': fqdn('p04.two.example'),
      '2.json': plainSignal('x', 'p05', {
        entity: { type: 'machine', name: 'p04.one.example', entityAttributes: { tags: { colour: ['red'] } } },
      }),
    });
    expect(previewed).toMatchObject({ merged: [{ name: 'p04.two.example' }], unrecognisedTags: ['colour'] });
    const unknown = { '1.json': plainSignal('x', 'p99'), 'config.json': { shouldImportAssets: false } };
    expect((await expectPreviewed(unknown)).outcome.ignored).toEqual({ unknownAsset: 1 });
  });

  it('previews signals that an accepted finding ignores', async () => {
    await upload({ '1.json': plainSignal('accepted one', 'p06') });
    const [{ id }] = await client.all('/api/v3/findings?name=accepted%20one');
    await client.request('POST', `/api/v3/findings/${id}/accept`, '{"rationale":"x"}');
    const resent = { '1.json': plainSignal('accepted one', 'p06') };
    expect((await expectPreviewed(resent)).findings).toMatchObject([
      { would: 'ignored', reason: 'accepted' },
    ]);
    const config = { 'config.json': { shouldAllowOverrideAFControl: true } };
    expect((await expectPreviewed({ ...resent, ...config })).findings).toMatchObject([
      { from: 'AcceptedFailed', to: 'Failed', reason: 'acceptanceOverridden' },
    ]);
  });

  it('rejects the same ZIPs as the upload, and skips the same entries with invalid=skip', async () => {
    const entries = { '1.json': plainSignal('a', 'p07'), '2.json': '{' };
    const refused = await client.zip(await zipOf(entries), {}, '?dryRun=true');
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ entry: '2.json' }] } });
    const previewed = await expectPreviewed(entries, 'invalid=skip');
    expect(previewed).toMatchObject({ accepted: 1, rejected: 1, errors: [{ entry: '2.json' }] });
  });

  it('is limited by the findings that the ZIP creates, also on new assets', async () => {
    const instance = { type: 'va', status: { complianceStatus: 'fail' }, severity: { value: 5 } };
    const entries = Array.from({ length: 100 }, (_, i) => [
      `${i}.json`,
      plainSignal('many', `large${i}`, {
        securityContext: undefined,
        securityContexts: Array(2_000).fill(instance),
      }),
    ]);
    const { status, body } = await client.zip(await zipOf(Object.fromEntries(entries)), {}, '?dryRun=true');
    expect([status, body.message]).toEqual([400, expect.stringContaining('too many findings for a preview')]);
  });

  it.each(['yes', '', '1'])('takes true or false, not %j', async (dryRun) => {
    const { status, body } = await client.zip(await zipOf({}), {}, `?dryRun=${dryRun}`);
    expect([status, body.message]).toEqual([400, expect.stringMatching(/dryRun/)]);
  });

  it('is correct for random uploads, one after the other', async () => {
    const signals = fc.record({
      host: fc.constantFrom('r01', 'r02', 'r03.example'),
      name: fc.constantFrom('open port', 'weak cipher', 'old kernel'),
      type: fc.constantFrom('va', 'ca'),
      status: fc.constantFrom('pass', 'fail'),
      port: fc.option(fc.constantFrom('22', '443'), { nil: undefined }),
      expiresIn: fc.integer({ min: -2, max: 9 }),
      revoked: fc.constantFrom(undefined, undefined, true),
    });
    const uploads = fc.record({
      signals: fc.array(signals, { minLength: 1, maxLength: 6 }),
      config: fc.record(
        {
          fullAssessmentForTypes: fc.constantFrom(['va'], ['va', 'ca']),
          shouldImportAssets: fc.boolean(),
          shouldUpdateExistingAssetsMetadata: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      days: fc.nat(4),
    });
    for (const one of fc.sample(uploads, 40)) {
      now += one.days * DAY_MS;
      client = await gateway.client('admin');
      const entries = one.signals.map(({ host, name, type, status, port, expiresIn, revoked }, i) => [
        `${i}.json`,
        plainSignal(name, host, {
          ...context(status, type),
          ...(port && { tags: { port } }),
          ...(revoked && { revoked }),
          expiresAt: new Date(now + expiresIn * DAY_MS).toISOString(),
        }),
      ]);
      await expectPreviewed({ ...Object.fromEntries(entries), 'config.json': one.config });
    }
  });
});
