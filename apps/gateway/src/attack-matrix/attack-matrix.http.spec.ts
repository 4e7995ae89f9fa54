import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import type { AttackMatrixDto, NavigatorLayerDto, TechniqueCountsDto } from './attack-matrix.dto.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const DAY_MS = 86_400_000;

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

const signal = (name: string, type: string, status: string, techniques: string[], more = {}) =>
  plainSignal(name, name.length % 2 ? 'web01' : 'db01', {
    source: { name: 'Scanner' },
    securityContext: {
      type,
      status: { complianceStatus: status },
      severity: { value: 7 },
      attackPattern: techniques.map((techniqueId) => ({ mapping: { techniqueId } })),
    },
    ...more,
  });

/** So many techniques that the index does not take them. */
const MANY = Array.from({ length: 200 }, (_, i) => `VENDOR-${String(i).padStart(9, '0')}`);

const SIGNALS = {
  '1.json': signal('both', 'va', 'fail', ['T1059', 'T1059.001']),
  '2.json': signal('shell', 'edr', 'fail', ['T1059.001']),
  '3.json': signal('policy', 'ca', 'pass', ['T1059.001', 'T1112']),
  '4.json': signal('policy off', 'ca', 'fail', ['T1112']),
  '5.json': signal('behavior', 'uba', 'unknown', ['T1112']),
  '6.json': signal('to accept', 'va', 'fail', ['T1112']),
  '7.json': signal('revoked', 'va', 'fail', ['T1086']),
  '8.json': signal('vendor', 'edr', 'fail', ['CST0007', 'T0803']),
  '9.json': signal('many', 'va', 'fail', [...MANY, 'T1059']),
  '10.json': signal('expires', 'va', 'fail', ['T1059'], {
    expiresAt: new Date(BEGIN + DAY_MS).toISOString(),
  }),
};

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
  const { body } = await client.zip(await zipOf(SIGNALS));
  await client.folded(body.uploadId);
  now += 1_000;
  const [{ id }] = await client.all('/api/v3/findings?name=to%20accept');
  const acceptance = JSON.stringify({ rationale: 'known' });
  const accepted = await client.request('POST', `/api/v3/findings/${id}/accept`, acceptance);
  expect(accepted.status).toBe(200);
  now += 1_000;
});
afterAll(() => gateway.stop());

const matrix = (query = ''): Promise<AttackMatrixDto> =>
  client.get(`/api/v3/attack-matrix${query && `?${query}`}`);
const layerOf = (query: string): Promise<NavigatorLayerDto> =>
  client.get(`/api/v3/attack-matrix?format=navigator&${query}`);

/** All techniques that a matrix shows or lists, by id. */
const shownBy = ({ tactics, others }: AttackMatrixDto): Map<string, TechniqueCountsDto> =>
  new Map(
    [
      ...tactics.flatMap(({ techniques }) => techniques.flatMap((one) => [one, ...one.subtechniques])),
      ...others,
    ].map((one) => [one.id, one]),
  );

const sum = ({ findings }: TechniqueCountsDto) => Object.values(findings).reduce((a, b) => a + b, 0);

/** Each count equals the list with the same filters: the present in an index, the past in the history. */
async function expectCountsOfLists(filter: string): Promise<void> {
  const shown = shownBy(await matrix(filter));
  for (const [id, one] of shown) {
    if (sum(one) === 0 || (MANY.includes(id) && id !== MANY[7])) continue;
    const { state } = await client.get(`/api/v3/findings/counts?${filter}&technique=${id}`);
    expect([id, filter, { Failed: 0, AcceptedFailed: 0, Qualified: 0, NotAssessed: 0, ...state }]).toEqual([
      id,
      filter,
      {
        Failed: one.findings.failed,
        AcceptedFailed: one.findings.accepted,
        Qualified: one.findings.qualified,
        NotAssessed: one.findings.notAssessed,
      },
    ]);
  }
}

describe('GET /api/v3/attack-matrix', () => {
  it('counts findings by technique, detections and controls', async () => {
    const enterprise = await matrix();
    expect(enterprise).toMatchObject({ domain: 'enterprise', attackVersion: '18.1', othersAreCut: false });
    expect(enterprise.tactics).toHaveLength(14);
    const shown = shownBy(enterprise);
    expect(shown.get('T1059')).toMatchObject({
      findings: { failed: 3, accepted: 0, qualified: 0, notAssessed: 0 },
      detections: 0,
      withSubtechniques: {
        findings: { failed: 4, qualified: 1 },
        detections: 1,
        controls: { passed: 1, failed: 0 },
      },
    });
    expect(shown.get('T1059.001')).toMatchObject({ findings: { failed: 2, qualified: 1 }, detections: 1 });
    expect(shown.get('T1112')).toMatchObject({
      findings: { failed: 1, accepted: 1, qualified: 1, notAssessed: 1 },
      controls: { passed: 1, failed: 1 },
    });
  });

  it('lists techniques that the matrix does not show', async () => {
    const { others } = await matrix();
    expect(others).toHaveLength(MANY.length + 2);
    expect(others).toContainEqual(
      expect.objectContaining({ id: 'T1086', name: 'PowerShell', reason: 'revoked' }),
    );
    expect(others).toContainEqual(
      expect.objectContaining({ id: 'CST0007', name: null, reason: 'unknown', detections: 1 }),
    );
    expect(shownBy(await matrix('domain=ics')).get('T0803')).toMatchObject({ detections: 1 });
  });

  it.each(['', 'type=va', 'source=Scanner', 'source=none', 'severityMin=8', 'name=policy', 'q=shell'])(
    'equals the lists of findings, with the filter %j',
    async (filter) => {
      await expectCountsOfLists(filter);
      await expectCountsOfLists(`${filter && `${filter}&`}asOf=${new Date(BEGIN + 500).toISOString()}`);
    },
  );

  it('is as of an instant, with expiry evaluated then', async () => {
    const before = await matrix(`asOf=${new Date(BEGIN + 500).toISOString()}`);
    expect(shownBy(before).get('T1112')).toMatchObject({ findings: { failed: 2, accepted: 0 } });
    expect(before.at).toBe(new Date(BEGIN + 500).toISOString());
    now += 2 * DAY_MS;
    client = await gateway.client('admin');
    expect(shownBy(await matrix()).get('T1059')).toMatchObject({ findings: { failed: 2 } });
    await expectCountsOfLists('');
  });

  it.each([
    ['domain=network', /domain must be one of .*enterprise, mobile, ics/],
    ['format=svg', /format must be one of .*json, navigator/],
    ['score=risk', /score must be one of .*failed, detections, controls/],
    ['technique=T1059', /technique/],
    ['asOf=yesterday', /asOf/],
  ])('rejects %s', async (query, message) => {
    const { status, body } = await client.request('GET', `/api/v3/attack-matrix?${query}`);
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  });
});

/** The properties that the matrix has of those in MITRE's definition of version 4.5 of the format. */
const LAYER = {
  type: 'object',
  required: ['name', 'domain', 'versions', 'techniques', 'gradient'],
  additionalProperties: false,
  properties: {
    versions: {
      type: 'object',
      required: ['navigator', 'layer'],
      additionalProperties: false,
      properties: { attack: { type: 'string' }, navigator: { type: 'string' }, layer: { const: '4.5' } },
    },
    name: { type: 'string' },
    description: { type: 'string' },
    domain: { enum: ['enterprise-attack', 'mobile-attack', 'ics-attack'] },
    sorting: { enum: [0, 1, 2, 3] },
    layout: {
      type: 'object',
      additionalProperties: false,
      properties: {
        layout: { enum: ['side', 'flat', 'mini'] },
        showID: { type: 'boolean' },
        showName: { type: 'boolean' },
        showAggregateScores: { type: 'boolean' },
        countUnscored: { type: 'boolean' },
        aggregateFunction: { enum: ['average', 'min', 'max', 'sum'] },
        expandedSubtechniques: { enum: ['none', 'all', 'annotated'] },
      },
    },
    hideDisabled: { type: 'boolean' },
    techniques: {
      type: 'array',
      items: {
        type: 'object',
        required: ['techniqueID'],
        additionalProperties: false,
        properties: {
          techniqueID: { type: 'string', pattern: '^T\\d{4}(\\.\\d{3})?$' },
          comment: { type: 'string' },
          score: { type: 'number' },
          showSubtechniques: { type: 'boolean' },
        },
      },
    },
    gradient: {
      type: 'object',
      required: ['colors', 'minValue', 'maxValue'],
      additionalProperties: false,
      properties: {
        colors: { type: 'array', minItems: 2, items: { type: 'string', pattern: '^#[0-9a-f]{6}$' } },
        minValue: { type: 'number' },
        maxValue: { type: 'number' },
      },
    },
    legendItems: { type: 'array' },
    metadata: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'value'],
        additionalProperties: false,
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
    },
  },
};

describe('the Navigator layer', () => {
  it.each([
    ['enterprise', 'failed', { T1059: 2, 'T1059.001': 2, T1112: 1 }],
    ['enterprise', 'detections', { 'T1059.001': 1 }],
    ['enterprise', 'controls', { T1112: 1 }],
    ['ics', 'failed', { T0803: 1 }],
    ['mobile', 'failed', {}],
  ])('of %s with the score %s has the format of version 4.5', async (domain, score, expected) => {
    const layer = await layerOf(`domain=${domain}&score=${score}`);
    const validate = new Ajv({ allErrors: true }).compile(LAYER);
    validate(layer);
    expect(validate.errors).toBeNull();
    const scores = layer.techniques.flatMap((one) => (one.score ? [[one.techniqueID, one.score]] : []));
    expect(Object.fromEntries(scores)).toEqual(expected);
    expect(layer.gradient.maxValue).toBe(Math.max(1, ...Object.values(expected)));
    expect(new Set(layer.techniques.map((one) => one.techniqueID)).size).toBe(layer.techniques.length);
  });

  it('is saved as a file, and shows the sub-techniques that findings name', async () => {
    const { headers, body } = await client.request('GET', '/api/v3/attack-matrix?format=navigator');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="attack-matrix-enterprise-.*\.json"$/,
    );
    expect(body.techniques.find((one: { techniqueID: string }) => one.techniqueID === 'T1059')).toMatchObject(
      {
        showSubtechniques: true,
        comment: expect.stringContaining('Findings: 2 failed, 0 accepted'),
      },
    );
  });
});
