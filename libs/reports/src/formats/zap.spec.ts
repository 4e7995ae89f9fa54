import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-zap-'));
});
afterAll(() => rm(dir, { recursive: true }));

it('lists alerts outside of a site in XML: they name no asset', async () => {
  const alerts = '<alerts><alertitem><name>x</name></alertitem></alerts>';
  const site = '<site name="http://a.example" host="a.example" port="80"><alerts/></site>';
  const xml = `<OWASPZAPReport version="2" generated="x">${alerts}${site}${alerts}</OWASPZAPReport>`;
  const { exitCode, out } = await runConvert(dir, { 'a.xml': xml }, '--json');
  expect({ exitCode, ...JSON.parse(out) }).toMatchObject({
    exitCode: 0,
    read: 2,
    mapped: 0,
    notMapped: [{ text: 'names no asset: set the asset name', count: 2 }],
  });
});

it('counts an alert without a known risk code as medium', async () => {
  const alerts = [{ name: 'none' }, { name: 'word', riskcode: 'High' }, { name: 'info', riskcode: '0' }];
  const report = { '@version': '2', '@generated': 'x', site: [{ '@host': 'a.example', alerts }] };
  const { signals, out } = await runConvert(dir, { 'a.json': JSON.stringify(report) }, '--json');
  const levels = signals.map(({ name, securityContext }) => [name, securityContext.severity.level]);
  expect(levels.sort()).toEqual([
    ['info', 'info'],
    ['none', 'medium'],
    ['word', 'medium'],
  ]);
  expect(JSON.parse(out).notes).toContainEqual({ text: 'has no severity: set to medium', count: 2 });
});
