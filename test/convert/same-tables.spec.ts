import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Fixture } from '../fixtures/convert/fixture.ts';
import { FIXTURES } from '../fixtures/convert/reports.ts';
import { runConvert } from '../fixtures/convert/run-convert.ts';
import type { ApiClient } from '../support/api-client.ts';
import { StartedGateway } from '../support/started-gateway.ts';

const TYPES = ['va', 'ca', 'finding', 'edr', 'others'].join(',');

let gateways: StartedGateway[];
/** Reports go to the first as they are, and to the second as ZIPs of `posture convert`. */
let direct: ApiClient;
let zipped: ApiClient;
let dir: string;
/** Of both, so that the stamps of an upload are the same. */
let now = Date.now();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-same-tables-'));
  const clock = () => now;
  gateways = [
    await StartedGateway.start({ folds: true, clock }),
    await StartedGateway.start({ folds: true, clock }),
  ];
  [direct, zipped] = (await Promise.all(gateways.map((gateway) => gateway.client()))) as [
    ApiClient,
    ApiClient,
  ];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await rm(dir, { recursive: true });
});

interface Upload {
  fixture: Fixture;
  replaces: boolean;
  minSeverity: string;
}

/** The outcome of the report itself. */
async function sendReport({ fixture: { content, asset }, replaces, minSeverity }: Upload) {
  const query = new URLSearchParams({
    minSeverity,
    ...(asset !== undefined && { asset }),
    ...(replaces && { replace: TYPES, allowEmpty: 'true' }),
  });
  const body = new Blob([new Uint8Array(Buffer.from(content))]);
  const { status, body: answer } = await direct.request('POST', `/api/v3/reports?${query}`, body);
  if (status !== 200) throw new Error(`the report was answered ${status}: ${JSON.stringify(answer)}`);
  const { read, mapped, signals, assets } = answer;
  return {
    counts: { read, mapped, listed: read - mapped, signals, assets },
    outcome: answer.uploadId === null ? null : (await direct.folded(answer.uploadId)).outcome,
  };
}

/** The outcome of the ZIP that `posture convert` makes of the report. */
async function sendZip({ fixture: { fileName, content, asset }, replaces, minSeverity }: Upload) {
  const { out, zips } = await runConvert(
    dir,
    { [fileName]: content },
    ...['--json', '--min-severity', minSeverity],
    ...(asset === undefined ? [] : ['--asset', asset]),
    ...(replaces ? ['--replace', TYPES, '--allow-empty'] : []),
  );
  expect(zips.length).toBeLessThanOrEqual(1);
  const { read, mapped, listed, signals, assets } = JSON.parse(out);
  const answer = zips[0] && (await zipped.zip(zips[0].bytes));
  if (answer && answer.status !== 200) throw new Error(`the ZIP was answered ${answer.status}`);
  return {
    counts: { read, mapped, listed, signals, assets },
    outcome: answer ? (await zipped.folded(answer.body.uploadId)).outcome : null,
  };
}

const uploads = fc.record({
  fixture: fc.constantFrom(...FIXTURES),
  replaces: fc.boolean(),
  minSeverity: fc.constantFrom('info', 'medium'),
});

async function tablesOf(client: ApiClient) {
  const [assets, findings] = await Promise.all([
    client.all('/api/v3/assets'),
    client.all('/api/v3/findings'),
  ]);
  const whole = await Promise.all(findings.map(({ id }) => client.get(`/api/v3/findings/${id}`)));
  return { assets, findings: whole };
}

it('a report through the service and through posture convert gives the same tables', async () => {
  const seen = new Set<string>();
  const everyFormat = FIXTURES.map((fixture) => ({ fixture, replaces: false, minSeverity: 'info' }));
  const some = fc.sample(uploads, { numRuns: 12, seed: 20260501 });
  for (const upload of [...everyFormat, ...some]) {
    now += 1_000;
    expect(await sendReport(upload)).toEqual(await sendZip(upload));
    seen.add(upload.fixture.format);
  }
  expect(seen.size).toBeGreaterThan(20);
  const tables = await tablesOf(direct);
  expect(tables.findings.length).toBeGreaterThan(50);
  expect(tables).toEqual(await tablesOf(zipped));
});
