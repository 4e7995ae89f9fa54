import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { readZip } from '../../../../test/fixtures/cli/read-zip.ts';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { SPILLED_BYTES_MAX } from './report-limits.ts';
import { convertReport, type ReportTask } from './report-worker.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-report-worker-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function convert(content: string, given: Partial<ReportTask> = {}, asset: string | null = null) {
  const path = join(dir, 'report');
  const folder = await mkdtemp(join(dir, 'folder-'));
  await writeFile(path, content);
  await mkdir(folder, { recursive: true });
  return convertReport({
    path,
    folder,
    mapFolder: undefined,
    format: null,
    rules: { asset, matching: 'name', observedAt: null, minSeverity: 'info', source: null },
    replace: [],
    allowEmpty: false,
    service: { receivedAt: Date.UTC(2026, 4, 1), settings: DEFAULT_SETTINGS },
    ...given,
  });
}

it('converts a report to one ZIP, whose config.json replaces', async () => {
  const { content, signals } = fixtureNamed('Nessus v2');
  const result = await convert(content, { replace: ['va', 'ca'] });
  if ('refused' in result) throw new Error(result.refused);
  const entries = new Map(await readZip(Buffer.from(result.zip!)));
  expect(JSON.parse(entries.get('config.json')!)).toEqual({ fullAssessmentForTypes: ['va', 'ca'] });
  expect(entries.size).toBe(signals + 1);
});

it('lists signals that the service would reject by its settings', async () => {
  const old = { receivedAt: 0, settings: { ...DEFAULT_SETTINGS, platformVersion: '4.0' } };
  const { content, read } = fixtureNamed('Nuclei JSON Lines');
  const result = await convert(content, { service: old });
  expect(result).toMatchObject({ outcome: { read } });
  const { outcome } = result as Extract<typeof result, { outcome: object }>;
  expect(Object.keys(outcome.listed)).toContainEqual(
    expect.stringMatching(/^the service would reject its signal/),
  );
});

it('rejects a replacing report if the service would reject all of its findings', async () => {
  const service = { receivedAt: 0, settings: { ...DEFAULT_SETTINGS, platformVersion: '4.0' } };
  const host = (name: string, items: string) =>
    `<ReportHost name="${name}"><HostProperties/>${items}</ReportHost>`;
  const item = '<ReportItem port="0" pluginID="1" pluginName="Without a CVE" severity="3"/>';
  const hosts = host('clean.halden.example', '') + host('web.halden.example', item);
  const report = `<NessusClientData_v2><Report name="r">${hosts}</Report></NessusClientData_v2>`;
  expect(await convert(report, { replace: ['va'], service })).toEqual({
    refused: expect.stringMatching(/none of its findings is mapped.*allowEmpty=true/),
    isTooLarge: false,
  });
  expect(await convert(report, { replace: ['va'], service, allowEmpty: true })).toMatchObject({
    outcome: { read: 1, mapped: 0, signals: 1 },
  });
});

it('rejects a replacing report with an asset that does not fit in one upload', async () => {
  const tags = () => Array.from({ length: 50 }, () => randomBytes(750).toString('base64'));
  const findings = Array.from({ length: 500 }, (_, i) => ({
    title: `t${i}`,
    severity: 'High',
    tags: tags(),
  }));
  const given = { format: 'defectdojo', replace: ['va' as const], allowEmpty: true };
  expect(await convert(JSON.stringify({ findings }), given, 'shop')).toEqual({
    refused: expect.stringMatching(/more signals than one upload takes/),
    isTooLarge: true,
  });
});

it('names what is wrong, without paths of the server', async () => {
  expect(await convert('{"a": 1}')).toEqual({
    refused: 'the report has an unknown format: set format (GET /api/v3/reports/formats lists all)',
    isTooLarge: false,
  });
  expect(await convert('<a>', { format: 'trivy' })).toEqual({
    refused: expect.stringMatching(/^the report: is not a Trivy report: it is XML$/),
    isTooLarge: false,
  });
});

/** A SARIF log in which each of 500 results refers to one rule. */
const withSharedRule = (rule: object) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sample', rules: [rule] } },
        versionControlProvenance: [{ repositoryUri: 'https://halden.example/shop' }],
        results: Array.from({ length: 500 }, (_, i) => ({
          ruleIndex: 0,
          message: { text: `m${i}` },
          guid: String(i),
        })),
      },
    ],
  });

it('cuts a text that all findings share before it stores them', async () => {
  const helpUri = `https://halden.example/${'x'.repeat(8_000_000)}`;
  const result = await convert(withSharedRule({ id: 'r', helpUri }));
  expect(result).toMatchObject({
    outcome: { read: 500, mapped: 500, notes: { 'reference cut to 4096 characters': 1 } },
  });
});

it('stops before its temporary files exceed their bound, whatever field is long', async () => {
  const folder = await mkdtemp(join(dir, 'bounded-'));
  const result = await convert(withSharedRule({ id: 'r'.repeat(200_000) }), { folder });
  expect(result).toMatchObject({ isTooLarge: true });
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  const written = sizes.reduce((sum, size) => sum + size, 0);
  expect(written).toBeGreaterThan(SPILLED_BYTES_MAX / 2);
  expect(written).toBeLessThanOrEqual(SPILLED_BYTES_MAX);
});
