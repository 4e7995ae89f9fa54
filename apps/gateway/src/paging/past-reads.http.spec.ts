import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { ApiClient } from '../../../../test/support/api-client.ts';
import { fillPastFindings } from '../../../../test/support/past-findings.ts';
import { DAY_MS, T0 } from '../../../../test/support/scenario.ts';
import { seenStatements } from '../../../../test/support/seen-statements.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { AccessWatch } from '../auth/access-watch.ts';
import { FindingsAsOfRepository } from '../findings/findings-as-of.repository.ts';
import { ROWS_WITHOUT_PLACE } from './past-reads.ts';

const AS_OF = isoTime(T0 + 15 * DAY_MS);

let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => T0 + 30 * DAY_MS });
  // Three steps, of which the last one needs a place.
  await fillPastFindings(gateway.database, { assets: 1_100, findingsEach: 20, changesEach: 1 });
  // Plans with all of them.
  await gateway.database.pool.query(
    `insert into acts (partition, log_offset, at, action, target, detail)
       select 0, plan, to_timestamp($1), 'plan.added', plan,
              json_build_object('after', json_build_object('id', plan, 'createdAt', '2026-01-01', 'findingIds', ids))
         from (select asset_no % 22 as plan, array_agg(id) as ids from findings group by 1) plans`,
    [T0 / 1000],
  );
  client = await gateway.client('admin');
}, 120_000);
afterAll(() => gateway.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

/** The accesses of requests, and how many of them are closed. */
function accesses() {
  const begin = AccessWatch.prototype.begin;
  const seen = { closed: 0, signals: [] as AbortSignal[] };
  jest.spyOn(AccessWatch.prototype, 'begin').mockImplementation(function (this: AccessWatch, ...given) {
    const access = begin.apply(this, given);
    seen.signals.push(access.signal);
    const { close } = access;
    const counted = () => {
      seen.closed += 1;
      close();
    };
    return Object.assign(access, { close: counted });
  });
  return seen;
}

/** Whether a statement reads the history, or waits until it may. */
async function isRead({ isGranted }: { isGranted: boolean }): Promise<boolean> {
  const { rows } = await gateway.database.pool.query(
    `select from pg_locks where relation = 'finding_history'::regclass and mode = 'AccessShareLock' and granted = $1`,
    [isGranted],
  );
  return rows.length > 0;
}

/** All work that does not wait for the database is done. */
const settled = async () => {
  for (let i = 0; i < 100; i += 1) await new Promise(setImmediate);
};

/** Ends a request in its first step; returns how many statements on findings it begins after that. */
async function begunAfter(
  path: string,
  caller: ApiClient,
  end: (hangUp: () => void, seen: ReturnType<typeof accesses>) => Promise<void>,
): Promise<number> {
  const holder = await gateway.database.pool.connect();
  const seen = accesses();
  const statements = seenStatements(gateway.database);
  const onFindings = () => statements.texts.filter((text) => /from "?finding(s|_history)/.test(text)).length;
  const connection = new AbortController();
  try {
    await holder.query('begin');
    await holder.query('lock table finding_history in access exclusive mode');
    const answer = caller.request('GET', path, undefined, {}, connection.signal).catch(() => null);
    await until('its first step', () => isRead({ isGranted: false }), 10_000);
    await end(() => connection.abort(), seen);
    await answer;
    const before = onFindings();
    expect(before).toBeGreaterThan(0);
    await holder.query('rollback');
    await until('the end of its statement', async () => !(await isRead({ isGranted: true })));
    await settled();
    return onFindings() - before;
  } finally {
    await holder.query('rollback');
    holder.release();
    statements.end();
  }
}

const COUNTS = `/api/v3/findings/counts?asOf=${AS_OF}`;

/** Reads of the client in all of its places, and as many as may wait; they end with `end`. */
async function placesTaken(): Promise<{ end: () => Promise<unknown> }> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const seen = { begun: 0, running: 0 };
  const counts = jest.spyOn(FindingsAsOfRepository.prototype, 'count');
  for (let i = 0; i < 12; i += 1) {
    counts.mockImplementationOnce(async (_filter, _rows, _at, read) => {
      seen.begun += 1;
      await read.step(ROWS_WITHOUT_PLACE + 1);
      seen.running += 1;
      await opened;
      return [];
    });
  }
  const answers = Array.from({ length: 12 }, () => client.request('GET', COUNTS));
  await until('three places and nine who wait', () => seen.begun === 12 && seen.running === 3);
  const end = () => {
    open();
    return Promise.all(answers);
  };
  return { end };
}

const REFUSED = { status: 429, body: expect.objectContaining({ message: '10', retryIn: 10 }) };

const READS = [
  'findings/counts?',
  'findings/groups?by=title&',
  'findings?name=nothing&limit=500&',
  'findings?sort=-severity&',
  'findings/export?format=jsonl&name=nothing&',
  'attack-matrix?',
  'reports/technical?',
  'findings/remediation?',
  'assets?limit=500&',
  'plans?',
];

describe('a read of the history', () => {
  it.each(READS)('begins no further step once its client has hung up: %s', async (path) => {
    const begun = await begunAfter(`/api/v3/${path}asOf=${AS_OF}`, client, async (hangUp, seen) => {
      hangUp();
      await until('the end of the connection', () => seen.closed === 1);
    });
    expect(begun).toBe(0);
  });

  it('begins no further step once the access of its caller has ended', async () => {
    const given = { name: 'reader', scopes: ['findings:read'] };
    const { body } = await client.request('POST', '/api/v3/tokens', JSON.stringify(given));
    const caller = ApiClient.withToken(gateway.url, body.token);
    const begun = await begunAfter(`/api/v3/findings/counts?asOf=${AS_OF}`, caller, async (_, seen) => {
      await gateway.database.pool.query('delete from api_tokens where id = $1', [body.id]);
      await until('the end of the access', () => seen.signals[0]!.aborted);
    });
    expect(begun).toBe(0);
  });

  it('is a 429 if too many of its credential wait already; short reads and others are not', async () => {
    const { end } = await placesTaken();
    for (const long of ['findings/counts', 'findings/remediation', 'plans']) {
      const { headers, ...answer } = await client.request('GET', `/api/v3/${long}?asOf=${AS_OF}`);
      expect([long, answer, headers.get('retry-after')]).toEqual([long, REFUSED, '10']);
    }
    for (const few of ['findings', 'assets', 'assets/counts']) {
      expect((await client.request('GET', `/api/v3/${few}?asOf=${AS_OF}`)).status).toBe(200);
    }
    expect((await client.request('GET', '/api/v3/findings/counts')).status).toBe(200);
    const other = await (await gateway.client('viewer')).request('GET', COUNTS);
    expect([other.status, other.body.total]).toEqual([200, 22_000]);
    await end();
    expect((await client.request('GET', COUNTS)).body).toMatchObject({ total: 22_000 });
  });

  it('of many assets needs a place, whatever the filter', async () => {
    await gateway.database.pool.query(
      `insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location,
                           sources, custom_fields, state)
         select 10000 + n, gen_random_uuid(), partition, 'machine:new' || n, name, type, attack_surface, department,
                location, sources, custom_fields, state
           from assets, generate_series(1, $1) n where asset_no = 1`,
      [ROWS_WITHOUT_PLACE],
    );
    const { end } = await placesTaken();
    for (const long of ['assets/counts?', 'assets?name=zzz&']) {
      const { headers: _, ...answer } = await client.request('GET', `/api/v3/${long}asOf=${AS_OF}`);
      expect([long, answer]).toEqual([long, REFUSED]);
    }
    expect((await client.request('GET', '/api/v3/assets/counts')).status).toBe(200);
    await end();
    expect((await client.get(`/api/v3/assets/counts?asOf=${AS_OF}`)).total).toBe(1_100);
  });
});
