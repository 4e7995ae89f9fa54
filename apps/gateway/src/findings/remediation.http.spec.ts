import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEVERITY_LEVELS } from '#libs/domain';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import type { HistoryItemDto } from './finding.dto.ts';
import type { TimesToRemediateDto } from './remediation.dto.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const DAY_S = DAY_MS / 1000;
const PATH = '/api/v3/findings/remediation';

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
});
afterAll(() => gateway.stop());

type Status = 'fail' | 'pass' | 'unknown';

/** A token does not last from one day to the next. */
async function at(day: number): Promise<void> {
  now = BEGIN + day * DAY_MS;
  client = await gateway.client('analyst');
}

async function upload(entries: Record<string, unknown>): Promise<void> {
  const { status, body } = await client.zip(await zipOf(entries));
  expect(status).toBe(200);
  await client.folded(body.uploadId);
}

const signal = (host: string, status: Status, value = 7.5, given: object = {}) =>
  plainSignal(`${host} port`, host, {
    securityContext: { type: 'va', status: { complianceStatus: status }, severity: { value } },
    ...given,
  });

const scan = (host: string, status: Status, value?: number, given?: object) =>
  upload({ 'signal.json': signal(host, status, value, given) });

/** A full assessment that does not contain the finding any more. */
const scanWithout = (host: string) =>
  upload({
    'config.json': { fullAssessmentForTypes: ['va'] },
    'signal.json': plainSignal(`${host} other`, host, {
      securityContext: { type: 'va', status: { complianceStatus: 'pass' }, severity: { value: 1 } },
    }),
  });

const findingOf = async (host: string) =>
  (
    await client.all(
      `/api/v3/findings?name=${host}%20port&state=Failed,Qualified,NotAssessed,AcceptedFailed,Retired`,
    )
  )[0];

async function accept(host: string): Promise<void> {
  const { id } = await findingOf(host);
  const body = JSON.stringify({ rationale: 'later' });
  const { status } = await client.request('POST', `/api/v3/findings/${id}/accept`, body, {
    'content-type': 'application/json',
  });
  expect(status).toBe(200);
}

const measure = (query: string): Promise<TimesToRemediateDto> => client.get(`${PATH}?${query}`);
const none = {
  remedied: 0,
  reopened: 0,
  reopenRate: null,
  medianSeconds: null,
  meanSeconds: null,
  p90Seconds: null,
  endedOtherwise: 0,
};
const ofDays = (...days: number[]) => ({
  remedied: days.length,
  medianSeconds: Math.round(percentile(days, 0.5) * DAY_S),
  meanSeconds: Math.round((days.reduce((a, b) => a + b) / days.length) * DAY_S),
  p90Seconds: Math.round(percentile(days, 0.9) * DAY_S),
});

/** Linear between the two values next to it. */
function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return low + (place - Math.floor(place)) * (high - low);
}

describe('times to remediate (R-REM)', () => {
  it('are none before a failing period ended', async () => {
    await at(0);
    expect(await measure('days=10')).toEqual({
      from: new Date(BEGIN - 10 * DAY_MS).toISOString(),
      to: new Date(BEGIN).toISOString(),
      total: none,
      bySeverity: [],
      byWeek: [
        {
          from: new Date(BEGIN - 10 * DAY_MS).toISOString(),
          to: new Date(BEGIN - 7 * DAY_MS).toISOString(),
          ...none,
        },
        { from: new Date(BEGIN - 7 * DAY_MS).toISOString(), to: new Date(BEGIN).toISOString(), ...none },
      ],
    });
  });

  it('are those of findings that passed or are gone from a full assessment, in total, by severity and by week', async () => {
    await at(0);
    await scan('rem-pass', 'fail', 9.5);
    await scan('rem-gone', 'fail', 5);
    await scan('rem-open', 'fail', 5);
    await scan('rem-seen-before', 'fail', 5, { firstSeen: new Date(BEGIN - 10 * DAY_MS).toISOString() });
    await scan('rem-never', 'pass', 5);
    await at(2);
    await scan('rem-pass', 'pass', 9.5);
    await at(3);
    await scanWithout('rem-gone');
    await at(9);
    await scan('rem-seen-before', 'pass', 5);
    const { total, bySeverity, byWeek } = await measure('days=14');
    expect(total).toEqual({ ...none, ...ofDays(2, 3, 19), reopened: 0, reopenRate: 0 });
    expect(bySeverity).toEqual([
      { ...none, severityLevel: 'critical', ...ofDays(2), reopenRate: 0 },
      { ...none, severityLevel: 'medium', ...ofDays(3, 19), reopenRate: 0 },
    ]);
    expect(byWeek).toMatchObject([none, { remedied: 3 }]);
    await at(9.5);
    expect((await measure('days=14')).byWeek.map(({ remedied }) => remedied)).toEqual([1, 2]);
    expect((await measure('days=7')).total.remedied).toBe(2);
    expect((await measure('days=14&severity=critical')).total).toMatchObject(ofDays(2));
    expect((await measure('days=14&severityMin=9')).total.remedied).toBe(1);
    expect((await measure('days=14&type=edr')).total).toEqual(none);
    expect((await measure('days=14&assigned=false')).total.remedied).toBe(3);
    expect((await measure('days=14&assigned=true')).total).toEqual(none);
    const { assetId } = await findingOf('rem-gone');
    expect((await measure(`days=14&assetId=${assetId}`)).total).toMatchObject(ofDays(3));
  });

  it('of each failing period count, and the share after which the finding failed again is the reopen rate', async () => {
    await at(400);
    await scan('again', 'fail');
    await at(404);
    await scan('again', 'pass');
    expect((await measure('days=14')).total).toMatchObject({ ...ofDays(4), reopened: 0, reopenRate: 0 });
    await at(405);
    await scan('again', 'unknown');
    expect((await measure('days=14')).total).toMatchObject({ remedied: 1, reopened: 0 });
    await at(406);
    await scan('again', 'fail');
    const again = { ...ofDays(4), reopened: 1, reopenRate: 1 };
    expect((await measure('days=14')).total).toMatchObject(again);
    await at(407);
    await scan('again', 'pass');
    const both = { ...ofDays(4, 1), reopened: 1, reopenRate: 0.5 };
    expect((await measure('days=14')).total).toMatchObject(both);
    const past = (day: number) => measure(`days=14&asOf=${new Date(BEGIN + day * DAY_MS).toISOString()}`);
    expect((await past(405.5)).total).toMatchObject({ remedied: 1, reopened: 0, reopenRate: 0 });
    expect((await past(406)).total).toMatchObject(again);
    expect((await past(407)).total).toMatchObject(both);
    expect((await past(-1)).total).toEqual(none);
  });

  it('are not those of findings that expired, which can be found again without being reopened', async () => {
    await at(800);
    const soon = { expiresAt: new Date(BEGIN + 801 * DAY_MS).toISOString() };
    await scan('expires', 'fail', 5, soon);
    await scan('fixed first', 'fail', 5, soon);
    await at(800.5);
    await scan('fixed first', 'pass', 5, soon);
    await at(802);
    const later = { expiresAt: new Date(BEGIN + 900 * DAY_MS).toISOString() };
    await scan('expires', 'fail', 5, later);
    await scan('fixed first', 'fail', 5, later);
    const expected = { ...ofDays(0.5), reopened: 1, reopenRate: 1, endedOtherwise: 1 };
    expect((await measure('days=14')).total).toEqual(expected);
    const asOf = new Date(now - 1).toISOString();
    await at(803);
    const past = await measure(`days=14&asOf=${new Date(now - 1).toISOString()}`);
    expect(past.total).toEqual(expected);
    expect((await measure(`days=14&asOf=${asOf}`)).total).toMatchObject({ reopened: 0, ...ofDays(0.5) });
  });

  it('have lists of the findings concerned', async () => {
    const names = async (query: string) =>
      (await client.all(`/api/v3/findings?${query}`)).map(({ name }: { name: string }) => name).sort();
    const since = (day: number) => new Date(BEGIN + day * DAY_MS).toISOString();
    expect(await names(`state=Qualified,Retired&settledAfter=${since(0)}`)).toEqual([
      'again port',
      'rem-gone port',
      'rem-pass port',
      'rem-seen-before port',
    ]);
    expect(await names(`q=settled:>=${since(400)} state:Qualified,Retired`)).toEqual(['again port']);
    expect(await names(`settledAfter=${since(400)}&asOf=${since(406)}`)).toEqual([]);
    expect(await names(`settledAfter=${since(400)}&asOf=${since(405)}`)).toEqual(['again port']);
    expect(await names(`state=Failed,Retired&reopenedAfter=${since(400)}`)).toEqual([
      'again port',
      'expires port',
      'fixed first port',
    ]);
    expect(await names(`state=Failed,Retired&reopenedAfter=${since(407)}`)).toEqual([
      'expires port',
      'fixed first port',
    ]);
    expect(await names(`q=reopened:>=${since(400)}&asOf=${since(408)}`)).toEqual(['again port']);
    expect(await names(`reopenedAfter=${since(400)}&asOf=${since(405)}`)).toEqual([]);
  });

  it('have lists of what became Failed, also if its source had seen it before', async () => {
    const names = async (query: string) =>
      (await client.all(`/api/v3/findings?${query}`)).map(({ name }: { name: string }) => name).sort();
    const since = (day: number) => new Date(BEGIN + day * DAY_MS).toISOString();
    const all = 'state=Failed,Qualified,Retired';
    const [first, asOf] = [await names(`${all}&failedAfter=${since(-1)}`), since(1)];
    expect(first).toEqual(expect.arrayContaining(['again port', 'rem-gone port', 'rem-seen-before port']));
    expect(first).not.toContain('rem-never port');
    expect(await names(`${all}&q=failed:>=${since(-1)}&asOf=${asOf}`)).toEqual([
      'rem-gone port',
      'rem-open port',
      'rem-pass port',
      'rem-seen-before port',
    ]);
    expect(await names(`${all}&failedAfter=${since(2)}&asOf=${asOf}`)).toEqual([]);
    const again = await names(`${all}&failedAfter=${since(400)}`);
    expect(again).toEqual(expect.arrayContaining(await names(`${all}&reopenedAfter=${since(400)}`)));
    expect(again).not.toContain('rem-open port');
  });

  it('are those of the assets that a limited caller may see', async () => {
    await at(804);
    const post = async (path: string, body: object) => {
      const admin = await gateway.client('admin');
      const type = { 'content-type': 'application/json' };
      const answer = await admin.request('POST', path, JSON.stringify(body), type);
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      return answer.body;
    };
    for (const name of ['Sales', 'Legal']) await post('/api/v3/company/departments', { name });
    const entity = {
      type: 'machine',
      name: 'of-sales',
      entityAttributes: { department: 'Sales', location: 'Oslo', criticality: 'low' },
    };
    await scan('of-sales', 'fail', 5, { entity });
    await at(806);
    await scan('of-sales', 'pass', 5, { entity });
    expect((await measure('days=14')).total.remedied).toBe(2);
    const end = new Date(now).toISOString();
    now += 1;
    for (const [department, figures] of [
      ['Sales', { ...none, ...ofDays(2), reopenRate: 0 }],
      ['Legal', none],
    ] as const) {
      const limits = { scopes: ['findings:read'], departments: [department] };
      const { token } = await post('/api/v3/tokens', { name: `of-${department}`, ...limits });
      for (const past of ['', `&asOf=${end}`]) {
        const answer = await fetch(`${gateway.url}${PATH}?days=14${past}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const { total } = (await answer.json()) as TimesToRemediateDto;
        expect([department, past, total]).toEqual([department, past, figures]);
        expect((await measure(`days=14&department=${department}${past}`)).total).toEqual(figures);
      }
    }
  });

  it.each([
    ['days=0', 400, 'days must not be less than 1'],
    ['days=366', 400, 'days must not be greater than 365'],
    ['days=1.5', 400, 'days must be an integer'],
    ['sla=met', 400, 'sla is unknown'],
    ['state=Failed', 400, 'state is unknown'],
  ])('are no answer to %s', async (query, expected, message) => {
    const { status, body } = await client.request('GET', `${PATH}?${query}`);
    expect([status, body.message]).toEqual([expected, expect.stringContaining(message)]);
  });
});

describe('times to remediate of random histories', () => {
  const HOSTS = ['h0', 'h1', 'h2', 'h3'].map((host) => `random-${host}`);
  const SEVERITIES = [9.5, 9, 4, 0];
  const STEPS = 70;
  const FIRST_DAY = 1_600;
  type Step = { host: number; act: Status | 'gone' | 'accept' };
  const steps = fc.sample(
    fc.record<Step>({
      host: fc.nat(HOSTS.length - 1),
      act: fc.constantFrom<Step['act']>('fail', 'fail', 'pass', 'pass', 'unknown', 'gone', 'accept'),
    }),
    { seed: 133, numRuns: STEPS },
  );
  const instantOf = (step: number) => BEGIN + (FIRST_DAY + step * 0.7) * DAY_MS;
  let histories: { value: number; firstSeen: number; items: HistoryItemDto[] }[];

  beforeAll(async () => {
    for (const [n, { host, act }] of steps.entries()) {
      await at(FIRST_DAY + n * 0.7);
      const name = HOSTS[host]!;
      if (act === 'gone') await scanWithout(name);
      else if (act !== 'accept') await scan(name, act, SEVERITIES[host]);
      else if ((await findingOf(name))?.state === 'Failed') await accept(name);
    }
    await at(FIRST_DAY + STEPS * 0.7);
    histories = await Promise.all(
      HOSTS.map(async (host, i) => {
        const { id, firstSeen } = await findingOf(host);
        const items = await client.all<HistoryItemDto>(`/api/v3/findings/${id}/history`);
        return { value: SEVERITIES[i]!, firstSeen: Date.parse(firstSeen), items };
      }),
    );
  }, 180_000);

  interface Period {
    value: number;
    failed: number;
    settled: number;
    isReopened: boolean;
  }

  /** The ended periods of a history until an instant, as R-SLA-1 words them. */
  function periodsOf({ value, firstSeen, items }: (typeof histories)[number], until: number): Period[] {
    const periods: Period[] = [];
    let failed: number | null = null;
    for (const item of items) {
      const time = Date.parse(item.at);
      if (time > until) break;
      if (item.to === 'Failed' && failed === null) {
        failed = item.from === null ? Math.min(firstSeen, time) : time;
        if (periods.length > 0) periods.at(-1)!.isReopened = true;
      }
      if ((item.to === 'Qualified' || item.to === 'Retired') && failed !== null) {
        periods.push({ value, failed, settled: time, isReopened: false });
        failed = null;
      }
    }
    return periods;
  }

  function expected(periods: Period[]) {
    if (periods.length === 0) return none;
    const reopened = periods.filter(({ isReopened }) => isReopened).length;
    return {
      ...none,
      ...ofDays(...periods.map(({ failed, settled }) => (settled - failed) / DAY_MS)),
      reopened,
      reopenRate: reopened / periods.length,
    };
  }

  it.each([STEPS, STEPS - 1, 60, 45, 30, 12, 0])(
    'are those of the history of each finding, after %i steps',
    async (step) => {
      const until = instantOf(step);
      for (const days of [7, 30, 45]) {
        const periods = histories
          .flatMap((history) => periodsOf(history, until))
          .filter(({ settled }) => settled >= until - days * DAY_MS);
        const asOf = step === STEPS ? '' : `&asOf=${new Date(until).toISOString()}`;
        const found = await measure(`days=${days}${asOf}`);
        expect(found.total).toEqual(expected(periods));
        const levels = SEVERITY_LEVELS.flatMap(([level, from], i) => {
          const below = SEVERITY_LEVELS[i - 1]?.[1] ?? Number.POSITIVE_INFINITY;
          const some = periods.filter(({ value }) => value >= from && value < below);
          return some.length === 0 ? [] : [{ severityLevel: level, ...expected(some) }];
        });
        expect(found.bySeverity).toEqual(levels);
        expect(found.byWeek.reduce((sum, { remedied }) => sum + remedied, 0)).toBe(periods.length);
        for (const { from, to, ...figures } of found.byWeek) {
          const week = periods.filter(
            ({ settled }) => settled >= Date.parse(from) && (settled < Date.parse(to) || to === found.to),
          );
          expect(figures).toEqual(expected(week));
        }
      }
    },
  );

  it('are the same for the present and for an instant after the last change', async () => {
    const present = await measure('days=45');
    expect(present.total.reopened).toBeGreaterThan(2);
    now += 1;
    const past = await measure(`days=45&asOf=${new Date(now - 1).toISOString()}`);
    expect(past).toEqual(present);
  });
});
