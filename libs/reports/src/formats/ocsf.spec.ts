import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-ocsf-'));
});
afterAll(() => rm(dir, { recursive: true }));

const event = (uid: string, over: object = {}) => ({
  class_uid: 2002,
  metadata: { product: { name: 'Sample scanner' }, version: '1.4.0' },
  finding_info: { uid, title: `Weak ${uid}` },
  resources: [{ uid: 'i-0123' }],
  severity_id: 3,
  time: 1767225600000,
  ...over,
});

async function outcomeOf(text: string, ...args: string[]) {
  const { out, signals } = await runConvert(dir, { 'a.json': text }, '--json', ...args);
  const { read, mapped, notMapped } = JSON.parse(out);
  const statuses = signals.map(
    ({ securityContexts: [context] }) => `${context.detectionId} ${context.status.complianceStatus}`,
  );
  return { read, mapped, reasons: notMapped.map(({ text }: { text: string }) => text), statuses };
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const bothMapped = { read: 2, mapped: 2, reasons: [], statuses: ['a fail', 'b fail'] };

describe('OCSF events', () => {
  it.each([
    ['over several lines each', `${pretty(event('a'))}\n${pretty(event('b'))}\n`],
    ['over several lines, without one between them', pretty(event('a')) + pretty(event('b'))],
    ['one to a line', `${JSON.stringify(event('a'))}\n${JSON.stringify(event('b'))}`],
    ['in an array over several lines', pretty([event('a'), event('b')])],
    ['that a service answers as Findings', pretty({ NextToken: null, Findings: [event('a'), event('b')] })],
    ['that it answers on one line', JSON.stringify({ Findings: [event('a'), event('b')], NextToken: '' })],
  ])('are read %s', async (_, text) => {
    expect(await outcomeOf(text)).toEqual(bothMapped);
    expect(await outcomeOf(text, '--from', 'ocsf')).toEqual(bothMapped);
  });

  it('have places by which they are found', async () => {
    const closed = { status_id: 3 };
    const report = join(dir, 'report.json');
    const text = pretty({ Findings: [event('a'), event('b', closed)] });
    await runConvert(dir, { 'a.json': text }, '--report', report);
    const { entries } = JSON.parse(await readFile(report, 'utf8'));
    expect(entries).toMatchObject([{ place: 'Findings[1]', text: 'suppressed in the report' }]);
  });

  it('of one page of an answer replace nothing', async () => {
    const text = pretty({ NextToken: 'n', Findings: [event('a'), event('b')] });
    const { exitCode, err } = await runConvert(dir, { 'a.json': text }, '--replace', 'va');
    expect([exitCode, err]).toEqual([2, expect.stringContaining('is incomplete (it has a NextToken)')]);
    expect(await outcomeOf(text)).toEqual(bothMapped);
  });

  it('that end too early are rejected with the place', async () => {
    const text = pretty(event('a')) + pretty(event('b')).slice(0, -20);
    const { exitCode, err } = await runConvert(dir, { 'a.json': text });
    expect(exitCode).toBe(2);
    expect(err).toContain(`line ${text.split('\n').length}, column `);
  });
});

describe('the status of an OCSF finding', () => {
  it.each([
    [{ status_id: 1 }, 'a fail'],
    [{ status_id: 2 }, 'a fail'],
    [{ status_id: 3 }, 'suppressed in the report'],
    [{ status_id: 4 }, 'a pass'],
    [{ status_id: 5 }, 'archived in the report'],
    [{ status_id: 6 }, 'deleted in the report'],
    [{ status: 'Archived', status_id: 99 }, 'archived in the report'],
    [{ status: 'Deleted' }, 'deleted in the report'],
    [{ compliance: { status_id: 1 } }, 'a pass'],
    [{ compliance: { status_id: 1, status: 'Compliant' }, status_code: '200' }, 'a pass'],
    [{ compliance: { status_id: 2 } }, 'a unknown'],
    [{ compliance: { status_id: 3 } }, 'a fail'],
    [{ compliance: { status_id: 3 }, status_id: 4 }, 'a pass'],
    [{ compliance: { status_id: 0 } }, 'a unknown'],
    [{ compliance: { status_id: 99, status: 'Other' } }, 'a unknown'],
    [{ compliance: { status: 'NOT_AVAILABLE' } }, 'a unknown'],
    [{ compliance: { control: 'S3.1' } }, 'a fail'],
    [{ class_uid: 2005, status_id: 3 }, 'a fail'],
    [{ class_uid: 2005, status_id: 4 }, 'a pass'],
    [{ class_uid: 2005, status_id: 5 }, 'closed in the report, which does not say whether it was fixed'],
  ])('%j', async (over, expected) => {
    const { statuses, reasons } = await outcomeOf(JSON.stringify(event('a', over)));
    expect([...statuses, ...reasons]).toEqual([expected]);
  });
});

it('the severity of an OCSF vulnerability is its newest CVSS, in any order', async () => {
  const scores = [
    { version: '2.0', base_score: 9.3 },
    { version: '4.0', base_score: 6.9 },
    { vector_string: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', base_score: 7.5 },
    { version: '5.0', base_score: 0 },
  ];
  for (const cvss of [scores, scores.toReversed()]) {
    const vulnerabilities = [{ cve: { uid: 'CVE-2026-1001', cvss } }];
    const { signals } = await runConvert(dir, { 'a.json': JSON.stringify(event('a', { vulnerabilities })) });
    expect(signals[0].securityContexts[0].severity).toMatchObject({
      value: 6.9,
      cvss: { version: '4.0', baseScore: 6.9 },
    });
  }
});

it('a resource whose uid is unique in its account only has the name of the account before it', async () => {
  const of = (account: string | null, resource: object) =>
    event(`${account} ${Object.values(resource)}`, {
      ...(account && { cloud: { account: { uid: account } } }),
      resources: [resource],
    });
  const events = [
    of('tenant-a', { uid: 'teamsSettings' }),
    of('tenant-b', { uid: 'teamsSettings' }),
    of('project', { uid: 'www.halden.example' }),
    of('project', { uid: 'www.other.example' }),
    of('project', { uid: 'i-0123', hostname: 'vm01.halden.example' }),
    of('project', { uid: 'arn:aws:s3:::halden' }),
    of('project', { uid: '/subscriptions/a' }),
    of(null, { uid: 'teamsSettings' }),
  ];
  const { signals } = await runConvert(dir, { 'a.json': JSON.stringify(events) });
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual([
    '/subscriptions/a',
    'arn:aws:s3:::halden',
    'project/www.halden.example',
    'project/www.other.example',
    'teamsSettings',
    'tenant-a/teamsSettings',
    'tenant-b/teamsSettings',
    'vm01.halden.example',
  ]);
});
