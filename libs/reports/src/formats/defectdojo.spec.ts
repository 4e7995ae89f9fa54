import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-defectdojo-'));
});
afterAll(() => rm(dir, { recursive: true }));

it('ignores a CVSS score of 0, for the next one or the severity', async () => {
  const finding = { severity: 'High', description: 'd', cvssv3_score: 0 };
  const findings = [
    { ...finding, title: 'only' },
    { ...finding, title: 'with another', cvssv2_score: 7.1 },
  ];
  const { signals } = await runConvert(
    dir,
    { 'a.json': JSON.stringify({ findings }) },
    ...['--asset', 'shop', '--from', 'defectdojo'],
  );
  const severities = signals.map(({ name, securityContext }) => [name, securityContext.severity]);
  expect(severities.sort()).toEqual([
    ['only', { level: 'high' }],
    ['with another', { type: 'cvss', value: 7.1, level: 'high', cvss: { baseScore: 7.1 } }],
  ]);
});

describe('the endpoints of a finding in parts', () => {
  const convertEndpoints = (...endpoints: object[]) => {
    const findings = [{ title: 'Weak', severity: 'High', description: 'd', endpoints }];
    return runConvert(
      dir,
      { 'a.json': JSON.stringify({ findings }) },
      ...['--asset', 'shop', '--from', 'defectdojo', '--replace', 'va'],
    );
  };

  it.each([
    [{ protocol: 'https', host: '2001:db8::1', port: 443, path: 'x' }, 'https://[2001:db8::1]:443/x'],
    [{ host: '2001:db8::1' }, '[2001:db8::1]'],
    [{ host: '[2001:db8::1]', port: 443 }, '[2001:db8::1]:443'],
  ])('%j is on a host with an IPv6 address, not on the asset', async (endpoint, id) => {
    const { signals } = await convertEndpoints(endpoint);
    expect(signals.map(({ entity }) => entity.name)).toEqual(['2001:db8::1']);
    const [context] = signals[0].securityContexts ?? [signals[0].securityContext];
    expect(context.detectionId).toBe(id);
  });

  it('are different instances if only their queries or fragments differ', async () => {
    const page = { protocol: 'https', host: 'web01', path: '/x' };
    const { signals } = await convertEndpoints(
      { ...page, query: 'id=1' },
      { ...page, query: '?id=2' },
      { ...page, query: 'id=2', fragment: 'top' },
    );
    const ids = signals[0].securityContexts.map(({ detectionId }: { detectionId: string }) => detectionId);
    expect(ids).toEqual(['https://web01/x?id=1', 'https://web01/x?id=2', 'https://web01/x?id=2#top']);
  });
});
