import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { encodeKeys } from './page.ts';

const UUID = '00000000-0000-4000-8000-000000000000';
const MAX = Number.MAX_SAFE_INTEGER;
const YEAR_9999 = Date.UTC(9999, 11, 31);

/** Keys of the kinds that cursors have, at and beyond the bounds of the types of columns. */
const NUMBERS = [0, 2 ** 31, MAX, -MAX];
const FORGED: (string | number)[][] = [
  ...NUMBERS.map((number) => [number]),
  ...NUMBERS.flatMap((number) => [
    [number, 0],
    [0, number],
    [10_000, number],
    [YEAR_9999, number],
    [number, 0, 0],
    [0, number, 0],
    [0, 0, number],
    [1, number, number],
  ]),
  [UUID],
  [0, UUID],
  [YEAR_9999, UUID],
  ['x'],
  ['x', 'x', 'x', 'x'],
  [10_000, 'x', 'x'],
];

interface Operation {
  parameters?: { name: string; in: string; schema?: { enum?: string[] } }[];
}

let gateway: StartedGateway;
let client: ApiClient;
/** By the ends of paths before `{id}`. */
let ids: Record<string, string>;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
  client = await gateway.client('admin');
  const { body } = await client.signal(plainSignal('weak', 'host'));
  await client.folded(body.uploadId);
  const [finding] = (await client.get('/api/v3/findings')).items;
  ids = { 'api/v3/findings': finding.id, 'api/v3/assets': finding.assetId, 'api/v3/uploads': body.uploadId };
});
afterAll(() => gateway.stop());

const pathOf = (path: string): string =>
  path.replaceAll(/\/([\w/]+)\/\{\w+\}/g, (_, before: string) => `/${before}/${ids[before] ?? UUID}`);

describe('a forged cursor', () => {
  it('is never an error of the service, in any list', async () => {
    const { paths } = (await (await fetch(`${gateway.url}/docs-json`)).json()) as {
      paths: Record<string, { get?: Operation }>;
    };
    const lists = Object.entries(paths).flatMap(([path, { get }]) => {
      const named = (name: string) => get?.parameters?.find((one) => one.name === name);
      if (!named('cursor')) return [];
      const sorts = [undefined, ...(named('sort')?.schema?.enum ?? []).filter((one) => !one.startsWith('-'))];
      const instants = [undefined, ...(named('asOf') ? [isoTime(Date.now() - 1)] : [])];
      return sorts.flatMap((sort) => instants.map((asOf) => ({ path, sort, asOf })));
    });
    expect(lists.length).toBeGreaterThan(25);
    const failed: string[] = [];
    const statuses = new Set<number>();
    for (const { path, sort, asOf } of lists) {
      const query = {
        ...(sort && { sort }),
        ...(asOf && { asOf }),
        ...(path.endsWith('/summary') && { type: 'va' }),
      };
      const asked = FORGED.map(async (keys) => {
        const forged = sort === undefined ? keys : [sort, '1', ...keys];
        const given = new URLSearchParams({ ...query, cursor: encodeKeys(forged) });
        const { status, body } = await client.request('GET', `${pathOf(path)}?${given}`);
        statuses.add(status);
        if (status >= 500) failed.push(`${path} ${sort} ${asOf} ${JSON.stringify(forged)}: ${body.message}`);
      });
      await Promise.all(asked);
    }
    expect(failed).toEqual([]);
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400]));
  }, 120_000);
});
