import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectFile } from '#libs/project-files';
import {
  addressOf,
  bulkFilterOf,
  statesIn,
  withStates,
} from '../../apps/console/src/findings/bulk/bulk-filter.ts';
import { FILTER_NAMES, type FindingFilter, LISTS } from '../../apps/console/src/findings/filter-names.ts';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { StartedGateway } from '../support/started-gateway.ts';

const A_TIME = '2026-03-02T08:00:00.000Z';

let gateway: StartedGateway;
let admin: ApiClient;
/** A value of each filter, as an address has it. */
let values: Record<(typeof FILTER_NAMES)[number], string>;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
  admin = await gateway.client('admin');
  const { body } = await admin.signal(plainSignal('weak cipher', 'web01'));
  await admin.folded(body.uploadId);
  values = {
    ...{ state: 'Failed,NotAssessed', type: 'va,edr', ssvc: 'Act,Attend', severity: 'critical,high' },
    ...{ q: 'cipher tag:x', severityMin: '0', epssMin: '0.1', kev: 'true', ransomware: 'true' },
    ...{ acceptedUntilBefore: A_TIME, dueBefore: A_TIME, firstSeenAfter: A_TIME, firstSeenBefore: A_TIME },
    ...{ settledAfter: A_TIME, reopenedAfter: A_TIME, failedAfter: A_TIME, assigned: 'true', sla: 'overdue' },
    ...{ cve: 'CVE-2021-44228', technique: 'T1059', source: 'a', name: 'cipher', assetId: randomUUID() },
    ...{ department: 'a', location: 'a', assetType: 'a', criticality: 'high', assignee: 'a', tag: 'x' },
    ...{ title: 'weak cipher', plan: randomUUID(), upload: body.uploadId },
  };
});
afterAll(() => gateway.stop());

/** The filter that the list has of an address. */
const filterOf = (name: (typeof FILTER_NAMES)[number]): FindingFilter => ({
  [name]: (LISTS as readonly string[]).includes(name) ? values[name].split(',') : values[name],
});

/** Tags all findings that match, as the dialogs send it. */
async function tag(filter: FindingFilter): Promise<unknown> {
  const body = {
    filter: withStates(bulkFilterOf(filter), statesIn(filter)),
    tags: { add: ['x'] },
    dryRun: true,
  };
  const answer = await admin.request('POST', '/api/v3/findings/acts', JSON.stringify(body));
  return answer.status === 200 ? answer.body.matching : [answer.status, answer.body.message];
}

describe('an act on all findings that match', () => {
  it('has every filter that the list takes', async () => {
    const { paths } = JSON.parse(await readFile(projectFile('api/openapi.json'), 'utf8'));
    const taken: string[] = paths['/api/v3/findings'].get.parameters.map(
      ({ name }: { name: string }) => name,
    );
    const filters = taken.filter((name) => !['limit', 'cursor', 'asOf', 'sort'].includes(name));
    expect([...FILTER_NAMES].sort()).toEqual(filters.sort());
  });

  it.each(FILTER_NAMES)('takes the filter %s of the list', async (name) => {
    const filter = filterOf(name);
    expect(await tag(filter)).toEqual(expect.any(Number));
    if (name === 'state') return;
    const plan = { name, query: addressOf(withStates(bulkFilterOf(filter), statesIn(filter))) };
    const { body } = await admin.request('POST', '/api/v3/plans', JSON.stringify(plan));
    expect(body.message ?? '').not.toMatch(/^query/);
  });

  it.each<[string, FindingFilter]>([
    ['a parameter', { q: 'cipher', state: ['Failed'] }],
    ['a query text', { q: 'state:Failed cipher' }],
  ])('takes the states of %s', async (_, filter) => {
    expect(statesIn(filter)).toEqual(['Failed']);
    expect(await tag(filter)).toBe(1);
    const query = addressOf(withStates(bulkFilterOf(filter), statesIn(filter) ?? ['Failed']));
    expect((await admin.get(`/api/v3/findings?${query}`)).items).toHaveLength(1);
  });

  it('is not about a state alone', () => {
    expect(bulkFilterOf({ q: 'state:Failed' })).toEqual({});
    expect(bulkFilterOf({ state: ['Failed'] })).toEqual({});
  });
});
