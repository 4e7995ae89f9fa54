import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { FILTERS, groupsOfList, withoutNames } from '../../../../test/support/listed-groups.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { type FindingGroupsDto, GROUPINGS, type Grouping } from './finding-groups.dto.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const DAY_MS = 86_400_000;

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

const signal = (
  name: string,
  host: string,
  severity: number,
  { cves = [], techniques = [], ...more }: { cves?: string[]; techniques?: string[]; expiresAt?: string },
) =>
  plainSignal(name, host, {
    source: { name: 'Scanner' },
    securityContext: {
      type: 'va',
      status: { complianceStatus: severity === 5 ? 'pass' : 'fail' },
      severity: { value: severity },
      standardsMapping: cves.map((value) => ({ name: 'cve', value })),
      attackPattern: techniques.map((techniqueId) => ({ mapping: { techniqueId } })),
    },
    ...more,
  });

/** So many CVEs that the index does not take them. */
const MANY = Array.from({ length: 200 }, (_, i) => `CVE-2020-${10_000 + i}`);
const LONG_TECHNIQUE = 'VENDOR '.repeat(28).trim();
const LONG_NAME = `${'Ä long name '.repeat(60)}ends`;

const SIGNALS = {
  '1.json': signal('Log4Shell', 'web01', 10, { cves: ['CVE-2021-44228'], techniques: ['T1059'] }),
  '2.json': signal('LOG4SHELL', 'db01', 9.8, { cves: ['CVE-2021-44228', 'CVE-2021-45046'] }),
  '3.json': signal('Old kernel', 'web01', 7, { cves: ['CVE-2021-45046'] }),
  '4.json': signal('Old kernel', 'db01', 5, { cves: ['CVE-2021-45046'], techniques: ['T1059', 'T1059.001'] }),
  '5.json': signal('Many', 'web01', 4, { cves: [...MANY, 'CVE-2021-44228'] }),
  '6.json': signal('Vendor', 'web01', 0, { techniques: [LONG_TECHNIQUE, 'CST0007'] }),
  '7.json': signal(LONG_NAME, 'app01', 3, {}),
  '8.json': signal('Expires', 'db01', 9, {
    cves: ['CVE-2021-44228'],
    techniques: ['T1059'],
    expiresAt: isoTime(BEGIN + DAY_MS),
  }),
};

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
  const { body } = await client.zip(await zipOf(SIGNALS));
  await client.folded(body.uploadId);
  now += 1_000;
});
afterAll(() => gateway.stop());

const AT = isoTime(BEGIN + 500);

const groupsBy = (by: Grouping, filter = ''): Promise<FindingGroupsDto> =>
  client.get(`/api/v3/findings/groups?by=${by}&limit=500${filter && `&${filter}`}`);
const listed = (filter: string) => client.all(`/api/v3/findings${filter && `?${filter}`}`);

/** The groups of a filter are those of its list, and each is the list with its key. */
async function expectGroupsOfLists(by: Grouping, filter: string): Promise<void> {
  const grouped = await groupsBy(by, filter);
  const only = new URLSearchParams(filter).get(FILTERS[by]) ?? undefined;
  const findings = await listed(filter);
  const isOfKeys = by === 'cve' || by === 'technique';
  expect([filter, withoutNames(grouped)]).toEqual([
    filter,
    groupsOfList(by, findings, 500, isOfKeys ? only : undefined),
  ]);
  const others = new URLSearchParams(filter);
  for (const { key, findings } of grouped.groups) {
    if (MANY.includes(key) && key !== MANY[7]) continue;
    others.set(FILTERS[by], key);
    const { total } = await client.get(`/api/v3/findings/counts?${others}`);
    expect([filter, key, findings]).toEqual([filter, key, total]);
  }
}

describe('groups of findings', () => {
  it.each(GROUPINGS.flatMap((by) => ['', AT].map((at) => [by, at] as const)))(
    'by %s are those of the list, for each filter, as of %p',
    async (by, at) => {
      for (const filter of [
        '',
        'state=Failed',
        'state=Failed,Retired',
        'state=Retired',
        'severityMin=9',
        'severity=high,info',
        'cve=CVE-2021-44228',
        'technique=T1059',
        'title=old%20KERNEL',
        'name=log4',
        'assigned=false',
        'firstSeenAfter=2020-01-01T00:00:00Z',
        'q=kernel',
      ]) {
        await expectGroupsOfLists(by, [filter, at && `asOf=${at}`].filter(Boolean).join('&'));
      }
    },
    60_000,
  );

  it('have the names of assets, of techniques of ATT&CK, and titles as findings have them', async () => {
    for (const filter of ['', `asOf=${AT}`]) {
      const names = async (by: Grouping) =>
        Object.fromEntries((await groupsBy(by, filter)).groups.map(({ key, name }) => [key, name]));
      expect(Object.values(await names('asset')).sort()).toEqual(['app01', 'db01', 'web01']);
      expect(await names('technique')).toMatchObject({
        T1059: 'Command and Scripting Interpreter',
        'T1059.001': 'PowerShell',
        CST0007: null,
        [LONG_TECHNIQUE]: null,
      });
      const titles = await names('title');
      expect(titles.log4shell).toMatch(/^(Log4Shell|LOG4SHELL)$/);
      expect(titles[LONG_NAME.toLowerCase().slice(0, 600)]).toBe(LONG_NAME);
      expect(new Set(Object.values(await names('cve')))).toEqual(new Set([null]));
    }
  });

  it('are limited, most findings first, and say how many there are', async () => {
    const { groups, totalGroups, withoutGroup } = await client.get(
      '/api/v3/findings/groups?by=cve&limit=2&state=Failed',
    );
    expect(groups).toEqual([
      {
        ...{ key: 'CVE-2021-44228', name: null, findings: 4, severityMax: 10 },
        state: { Failed: 4 },
        severityLevel: { critical: 3, medium: 1 },
      },
      {
        ...{ key: 'CVE-2021-45046', name: null, findings: 2, severityMax: 9.8 },
        state: { Failed: 2 },
        severityLevel: { critical: 1, high: 1 },
      },
    ]);
    expect([totalGroups, withoutGroup]).toEqual([202, 2]);
  });

  it('take the filters of a query text, and its CVE is the only group', async () => {
    const { groups, withoutGroup } = await groupsBy('cve', 'q=cve:cve-2021-45046%20state:Failed%20kernel');
    expect([groups.map(({ key, findings }) => [key, findings]), withoutGroup]).toEqual([
      [['CVE-2021-45046', 1]],
      0,
    ]);
  });

  it('evaluate expiry that no sweep has recorded', async () => {
    now = BEGIN + 2 * DAY_MS;
    client = await gateway.client('admin');
    for (const by of GROUPINGS) {
      for (const filter of ['', 'state=Retired', 'state=Retired,Failed', `asOf=${AT}`]) {
        await expectGroupsOfLists(by, filter);
      }
    }
    const { groups } = await groupsBy('cve', 'state=Retired');
    expect(groups).toMatchObject([{ key: 'CVE-2021-44228', findings: 1, state: { Retired: 1 } }]);
  });

  it('have no expired findings with a due date by the SLA, which such findings do not have', async () => {
    const severity = { critical: 10, high: 10, medium: 10, low: 10 };
    const settings = await client.get('/api/v3/settings');
    const sla = { severity, ssvc: {}, kev: null, exceptionsNeedEnd: false };
    const changed = JSON.stringify({ version: settings.version, sla });
    expect((await client.request('PATCH', '/api/v3/settings', changed)).status).toBe(200);
    const due = `dueBefore=${isoTime(BEGIN + 30 * DAY_MS)}`;
    for (const by of GROUPINGS) {
      for (const state of ['', 'state=Failed', 'state=Retired', 'state=Retired,Failed']) {
        await expectGroupsOfLists(by, `${due}&${state}`);
      }
    }
    const failed = await listed(`${due}&state=Failed`);
    expect(failed.length).toBeGreaterThan(3);
    expect(await listed(`${due}&state=Retired,Failed`)).toEqual(failed);
  });

  it.each([
    ['', 'by must be one of cve, technique, asset, title'],
    ['by=component', 'by must be one of cve, technique, asset, title'],
    ['by=cve&limit=501', 'limit must not be greater than 500'],
    ['by=cve&cursor=x', 'cursor is unknown'],
    ['by=cve&sort=name', 'sort is unknown'],
    ['by=cve&cve=1', 'cve must be a CVE id such as CVE-2021-44228'],
    [`by=cve&kev=true&asOf=${AT}`, 'kev: findings as of an instant cannot be filtered by decision'],
    ['by=title&q=title:', 'q, character 7: expected a value after title:'],
  ])('reject %p', async (query, message) => {
    const { status, body } = await client.request('GET', `/api/v3/findings/groups?${query}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});
