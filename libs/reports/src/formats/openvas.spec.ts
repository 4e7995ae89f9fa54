import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-openvas-'));
});
afterAll(() => rm(dir, { recursive: true }));

it.each([
  ['Done', 0],
  ['Stopped', 2],
  ['Running', 2],
])('a scan in the state %s: replacing exits with %d', async (state, expected) => {
  const { content } = fixtureNamed('OpenVAS XML');
  const report = content.replace('<results', `<scan_run_status>${state}</scan_run_status><results`);
  const { exitCode, err } = await runConvert(dir, { 'a.xml': report }, '--replace', 'va');
  expect(exitCode).toBe(expected);
  if (expected > 0)
    expect(err).toContain('is incomplete (its scan_run_status in report in report is not Done)');
});

it.each([
  ['a report', '<result_count>4<full>9</full><filtered>4</filtered></result_count>', 0],
  ['a page of a report', '<result_count>9<full>9</full><filtered>9</filtered></result_count>', 2],
])('%s: replacing exits with the right code', async (_, count, expected) => {
  const { content } = fixtureNamed('OpenVAS XML');
  const files = { 'a.xml': content.replace('<results', `${count}<results`) };
  const { exitCode, err } = await runConvert(dir, files, '--replace', 'va');
  expect(exitCode).toBe(expected);
  if (expected > 0) expect(err).toContain('it has 4 elements, fewer than its filtered in result_count');
});

it('a delta report: a result that is gone passes, and replaces nothing', async () => {
  const { content } = fixtureNamed('OpenVAS XML');
  const report = content
    .replace('<report id="r">', '<report id="r" type="delta">')
    .replace('<description>Ciphers: x</description>', '<delta>gone</delta>')
    .replace('<description>Linux</description>', '<delta>new</delta>');
  const { signals } = await runConvert(dir, { 'a.xml': report });
  const statuses = signals
    .filter(({ entityOnly }) => !entityOnly)
    .map(({ name, securityContext, securityContexts }) => [
      name,
      (securityContext ?? securityContexts[0]).status.complianceStatus,
    ]);
  expect(statuses.sort()).toEqual([
    ['OS detection', 'fail'],
    ['Sample SSH weakness', 'pass'],
  ]);
  const { exitCode, err } = await runConvert(dir, { 'a.xml': report }, '--replace', 'va');
  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: expect.stringContaining('is incomplete (its type in report in report is delta)'),
  });
});

describe('a host that is dead', () => {
  const { content } = fixtureNamed('OpenVAS XML');
  const reportOf = (address: string, value: string) =>
    content.replace(
      `<host><ip>${address}</ip>`,
      `$&<detail><name>Host dead</name><value>${value}</value></detail>`,
    );

  it('is not assessed', async () => {
    const namesOf = async (value: string) => {
      const { signals } = await runConvert(dir, { 'a.xml': reportOf('10.0.1.6', value) }, '--replace', 'va');
      return [...new Set(signals.map(({ entity }) => entity.name))].sort();
    };
    expect(await namesOf('1')).toEqual(['db01.halden.example']);
    expect(await namesOf('0')).toEqual(['10.0.1.6', 'db01.halden.example']);
  });

  it('has the results until then: the report is refused if it replaces, noted otherwise', async () => {
    const report = reportOf('10.0.1.5', '1');
    expect(await runConvert(dir, { 'a.xml': report }, '--replace', 'va')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('is incomplete (a host with results died during the scan)'),
      signals: [],
    });
    const { exitCode, out, signals } = await runConvert(dir, { 'a.xml': report });
    expect(exitCode).toBe(0);
    expect(out).toContain('is incomplete');
    expect(signals.map(({ name }) => name)).toContain('Sample SSH weakness');
  });
});

it('results of GMP: a page replaces nothing', async () => {
  const result = /<result id="1">.*?<\/result>/s.exec(fixtureNamed('OpenVAS XML').content)![0];
  const answer = (filtered: number) =>
    `<get_results_response status="200">${result}<filters id=""/><sort/>` +
    `<result_count>9<filtered>${filtered}</filtered><page>1</page></result_count></get_results_response>`;
  const convert = (filtered: number) => runConvert(dir, { 'a.xml': answer(filtered) }, '--replace', 'va');
  expect((await convert(1)).exitCode).toBe(0);
  expect(await convert(2)).toMatchObject({ exitCode: 2, err: expect.stringContaining('it has 1 elements') });
});

it.each([
  ['5.3', { value: 5.3, level: 'medium', type: 'cvss', cvss: expect.objectContaining({ baseScore: 5.3 }) }],
  ['9.1', { value: 9.1, level: 'critical' }],
  ['0.0', { value: 0, level: 'info' }],
])(
  'a result with the severity %s has the vector of its check only if that has the same',
  async (severity, expected) => {
    const { content } = fixtureNamed('OpenVAS XML');
    const report = content.replace('<severity>5.3</severity>', `<severity>${severity}</severity>`);
    const { signals } = await runConvert(dir, { 'a.xml': report });
    const signal = signals.find(({ name }) => name === 'Sample SSH weakness')!;
    expect((signal.securityContext ?? signal.securityContexts[0]).severity).toEqual(expected);
  },
);

it('a host that calls itself localhost has its address', async () => {
  const { content } = fixtureNamed('OpenVAS XML');
  const details = content.replaceAll('db01.halden.example', 'localhost.localdomain');
  const results = content
    .replaceAll(/<detail><name>hostname.*?<\/detail>/g, '')
    .replaceAll('10.0.1.5<asset asset_id=""/>', '10.0.1.5<hostname>localhost</hostname>');
  for (const report of [details, results]) {
    const { signals } = await runConvert(dir, { 'a.xml': report });
    expect(new Set(signals.map(({ entity }) => entity.name))).toEqual(new Set(['10.0.1.5', '10.0.1.6']));
  }
});
