import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { CURRENT_RULES, entityKey, type IntakeEvent } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { LogHoleError, UnknownRecordError } from '#libs/fold';
import { foldCacheMisses } from '#libs/telemetry';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import {
  DAY_MS,
  entity,
  event,
  instance,
  observation,
  signal,
  T0,
  upload,
  uploadId,
} from '../../../test/support/scenario.ts';
import { Projection } from './projection.ts';

let database: TestDatabase;
let partition = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
/** Each test has a separate partition, and so separate assets. */
beforeEach(() => {
  partition += 1;
});

const host = (n = 0) => `machine:p${partition}h${n}`;

/** Events as the log would hold them, from an offset on. */
const records = (events: IntakeEvent[], from = 0): StoredRecord[] =>
  events.map((one, i) => ({
    partition,
    offset: from + i,
    key: one.envelope.entityKey,
    value: encodeIntake(one),
    headers: {},
    storedAt: T0,
  }));

const uploaded = (n: number, at: number, names: string[], key = host()) =>
  upload(
    partition * 1000 + n,
    at,
    names.map((name) => signal(name)),
    { entityKey: key },
  );

const missed = async (): Promise<number> => (await foldCacheMisses.get()).values[0]?.value ?? 0;

async function opened(): Promise<Projection> {
  const projector = new Projection(database.db);
  await projector.open(partition);
  return projector;
}

/** The table's rows of this partition with their place on disk, which moves with every rewrite. */
const places = async (table: 'assets' | 'findings' | 'finding_history' | 'asset_history') => {
  const { rows } = await database.pool.query(
    `select ctid::text || xmin::text as place from ${table} where partition = $1 order by 1`,
    [partition],
  );
  return rows.map(({ place }) => place);
};

const position = async () => {
  const row = await database.db
    .selectFrom('projection_positions')
    .selectAll()
    .where('partition', '=', partition)
    .executeTakeFirstOrThrow();
  return row;
};

/** The state of the partition except data derived from its entities' keys. */
async function rowsOf(): Promise<string> {
  const { rows } = await database.pool.query(
    `select f.asset_no / 1024 as asset, f.body::jsonb - 'id' as body, s.last_seen, s.instance_stamps,
            (select json_agg(json_build_array(h.sequence, h.change, h.log_offset, md5((h.body::jsonb - 'id')::text))
                             order by h.sequence)
               from finding_history h where (h.asset_no, h.finding_no) = (f.asset_no, f.finding_no)) as history,
            p.finding_sequence, p.asset_sequence, u.seen, u.counts
       from findings f join finding_seen s using (partition, asset_no, finding_no)
            join projection_positions p using (partition)
            left join upload_progress u on u.upload_id = s.stamp_upload and u.partition = f.partition
      where f.partition = $1 order by f.asset_no, finding_no`,
    [partition],
  );
  return JSON.stringify(rows);
}

/** The same entities in a separate partition, with a restart before each event. */
async function foldOneByOne(events: IntakeEvent[]): Promise<void> {
  partition += 1;
  const renamed = events.map((one) => ({
    ...one,
    envelope: { ...one.envelope, entityKey: one.envelope.entityKey.replace(/p\d+/, `p${partition}`) },
  }));
  for (const [offset, record] of records(renamed).entries()) {
    const afterRestart = await opened();
    expect(await afterRestart.project([record])).toBe(offset + 1);
  }
}

describe('a batch', () => {
  it('becomes assets, findings, history, upload outcome and position, all at once', async () => {
    const projector = await opened();
    expect(await projector.project(records(uploaded(1, T0, ['a', 'b'])))).toBe(2);
    const findings = await database.db
      .selectFrom('findings')
      .select(['name', 'state', 'finding_no', 'version'])
      .where('partition', '=', partition)
      .orderBy('finding_no')
      .execute();
    expect(findings).toEqual([
      { name: 'a', state: 'Failed', finding_no: 1, version: 1 },
      { name: 'b', state: 'Failed', finding_no: 2, version: 1 },
    ]);
    expect(await position()).toMatchObject({
      next_offset: 2,
      clock: T0,
      asset_counter: 1,
      finding_sequence: 2,
      asset_sequence: 1,
    });
    const history = await database.db
      .selectFrom('finding_history')
      .select(['sequence', 'change', 'from_state', 'to_state', 'log_offset'])
      .where('partition', '=', partition)
      .orderBy('sequence')
      .execute();
    expect(history).toEqual([
      { sequence: 1, change: 'created', from_state: null, to_state: 'Failed', log_offset: 0 },
      { sequence: 2, change: 'created', from_state: null, to_state: 'Failed', log_offset: 1 },
    ]);
    const progress = await database.db
      .selectFrom('upload_progress')
      .select(['kind', 'by_user', 'seen', 'event_count', 'signals', 'counts'])
      .where('upload_id', '=', uploadId(partition * 1000 + 1))
      .executeTakeFirstOrThrow();
    expect(progress).toMatchObject({
      kind: 'zip',
      by_user: 'ana',
      seen: 2,
      event_count: 2,
      signals: 2,
      counts: { created: 2, assetsCreated: 1 },
    });
  });

  it('writes what an asset is filtered by into columns', async () => {
    const facts = { department: 'Sales', location: 'Lisbon', criticality: 'high' } as const;
    const described = entity({ ...facts, name: host().slice(8), customFields: { owner: ['ana'] } });
    const events = upload(partition * 1000 + 1, T0, [signal('a', 'fail', { entity: described })], {
      entityKey: host(),
    });
    await (await opened()).project(records(events));
    const { rows } = await database.pool.query(
      `select name, type, department, location, criticality, custom_fields, deleted_at
         from assets where partition = $1`,
      [partition],
    );
    expect(rows).toEqual([
      {
        ...{ ...facts, name: described.name, type: described.defaults.typing.type },
        ...{ custom_fields: { owner: ['ana'] }, deleted_at: null },
      },
    ]);
  });

  it('resent unchanged rewrites no wide row and writes no history', async () => {
    const projector = await opened();
    await projector.project(records(uploaded(1, T0, ['a', 'b'])));
    const tables = ['assets', 'findings', 'finding_history', 'asset_history'] as const;
    const before = await Promise.all(tables.map(places));
    await projector.project(records(uploaded(2, T0 + DAY_MS, ['a', 'b']), 2));
    expect(await Promise.all(tables.map(places))).toEqual(before);
    const seen = await database.db
      .selectFrom('finding_seen')
      .innerJoin('findings', (join) =>
        join
          .onRef('findings.asset_no', '=', 'finding_seen.asset_no')
          .onRef('findings.finding_no', '=', 'finding_seen.finding_no'),
      )
      .select('last_seen')
      .where('findings.partition', '=', partition)
      .execute();
    expect(seen).toEqual([{ last_seen: T0 + DAY_MS }, { last_seen: T0 + DAY_MS }]);
  });

  it('gives the same rows however the log is cut into batches and restarts', async () => {
    const events = [
      ...uploaded(1, T0, ['a', 'b'], host(0)),
      ...uploaded(2, T0 + 1, ['a', 'c'], host(1)),
      ...uploaded(3, T0 + 2, ['b', 'd'], host(0)),
    ];
    await (await opened()).project(records(events));
    const atOnce = await rowsOf();
    await foldOneByOne(events);
    expect(await rowsOf()).toBe(atOnce);
  });

  it('ends early if its changes would not fit the memory, and writes the same rows', async () => {
    const large = observation('va', [instance('fail', { key: 'host', evidence: 'x'.repeat(2 << 20) })]);
    const ports = Array.from({ length: 24 }, (_, port) =>
      observation('va', [instance('fail', { key: `tcp/${port}` })], { mode: 'merge' }),
    );
    const signals = [large, ...ports].map((one) => signal('large', 'fail', { observations: [one] }));
    const events = upload(partition * 1000 + 1, T0, signals, { entityKey: host() });
    const projector = await opened();
    const ends: number[] = [];
    for (let next = 0; next < events.length; ) {
      next = await projector.project(records(events).slice(next));
      expect((await position()).next_offset).toBe(next);
      ends.push(next);
    }
    // As soon as they reach 16 MiB: at two for each signal, after eight.
    expect(ends).toEqual([8, 16, 24, 25]);
    const cut = await rowsOf();
    await foldOneByOne(events);
    expect(await rowsOf()).toBe(cut);
  });

  it('does not read an entity larger than the cache again while it is the last', async () => {
    const large = (n: number, key: string) => {
      const evidence = 'x'.repeat(3 << 20);
      const observations = [observation('va', [instance('fail', { key: 'host', evidence })])];
      return upload(partition * 1000 + n, T0 + n, [signal(`large ${n}`, 'fail', { observations })], {
        entityKey: key,
      });
    };
    const events = [host(0), host(0), host(1), host(1), host(0)].flatMap((key, n) => large(n, key));
    const projector = await opened();
    const reads: number[] = [];
    for (let next = 0; next < events.length; ) {
      const before = await missed();
      next = await projector.project(records(events).slice(next, next + 1));
      reads.push((await missed()) - before);
    }
    expect(reads).toEqual([1, 0, 1, 0, 1]);
    expect(projector.cachedBytes).toBeGreaterThan(8 << 20);
    projector.close(partition);
    expect(projector.cachedBytes).toBe(0);
    const kept = await rowsOf();
    await foldOneByOne(events);
    expect(await rowsOf()).toBe(kept);
  });
});

it('replaces the assessment of the asset that a bare name meant, also if each event is in a batch of its own', async () => {
  const name = host().replace('machine:', '');
  const named = (of: string, finding: string) =>
    signal(finding, 'fail', {
      entity: entity({ name: of }),
      assetRules: { matching: 'fqdn', importAssets: true, updateMetadata: true },
    });
  const names = [name, `${name}.b.com`];
  const replacing = upload(
    partition * 1000 + 2,
    T0 + 1,
    [
      named(names[0]!, 'f2'),
      named(names[1]!, 'f3'),
      { type: 'AssessmentClosed', types: ['va'], names, matching: 'fqdn' },
    ],
    { entityKey: host() },
  );
  replacing[0]!.envelope.upload = {
    events: 3,
    signals: 2,
    rejected: 0,
    assetMatchingCriteria: [],
    fullAssessmentForTypes: ['va'],
    warnings: [],
  };
  const first = upload(partition * 1000 + 1, T0, [named(`${name}.a.com`, 'f1')], { entityKey: host() });
  const kept: unknown[] = [];
  for (const record of records([...first, ...replacing])) {
    await (await opened()).project([record]);
    const { rows } = await database.pool.query(
      'select sole_assets from upload_progress where partition = $1 order by received_at desc limit 1',
      [partition],
    );
    kept.push(rows[0].sole_assets);
  }
  const a = 1_024 + partition;
  expect(kept).toEqual([null, [a], [a], null]);
  const findings = await database.db
    .selectFrom('findings')
    .select(['name', 'state'])
    .where('partition', '=', partition)
    .orderBy('name')
    .execute();
  expect(findings).toEqual([
    { name: 'f1', state: 'Retired' },
    { name: 'f2', state: 'Failed' },
    { name: 'f3', state: 'Failed' },
  ]);
});

it('takes an entity of any name, and finds it again', async () => {
  // 3 KB of letters that do not compress.
  const name = Array.from({ length: 1_024 }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((i * 7_919 + partition) % 20_000)),
  ).join('');
  const named = (n: number, finding: string) =>
    upload(partition * 1000 + n, T0 + n, [signal(finding, 'fail', { entity: entity({ name }) })], {
      entityKey: `machine:${name}`,
    });
  await (await opened()).project(records(named(1, 'a')));
  await (await opened()).project(records(named(2, 'b'), 1));
  expect([await places('assets'), await places('findings')].map(({ length }) => length)).toEqual([1, 2]);
});

describe('an entity whose name is the key and the name of another asset', () => {
  it.each([6, CURRENT_RULES])(
    'gets an id of its own under rules %d: the partition continues',
    async (rules) => {
      const projector = await opened();
      const name = host().replace('machine:', '');
      const names = [`${name}.a.com`, `${name}.b.com`, `${name}|${name}.b.com`];
      const events = names.flatMap((one, n) =>
        upload(
          partition * 1000 + n,
          T0 + n,
          [
            signal('a', 'fail', {
              entity: entity({ name: one }),
              assetRules: { matching: 'fqdn', importAssets: true, updateMetadata: true },
            }),
          ],
          { entityKey: entityKey('machine', one), rules },
        ),
      );
      expect(await projector.project(records(events))).toBe(3);
      const assets = await database.db
        .selectFrom('assets')
        .select(['name', 'id'])
        .where('partition', '=', partition)
        .orderBy('asset_no')
        .execute();
      expect(assets.map((asset) => asset.name)).toEqual(names);
      expect(new Set(assets.map(({ id }) => id)).size).toBe(3);
    },
  );
});

describe('one writer a partition', () => {
  it('writes nothing if another writer has moved the position, and continues from there', async () => {
    const [stale, fresh] = [await opened(), await opened()];
    await fresh.project(records(uploaded(1, T0, ['a'])));
    const history = await places('finding_history');
    expect(await stale.project(records(uploaded(1, T0, ['a'])))).toBe(1);
    expect(await places('finding_history')).toEqual(history);
    expect(await stale.project(records(uploaded(2, T0 + 1, ['b']), 1))).toBe(2);
    expect(await fresh.project(records(uploaded(2, T0 + 1, ['b']), 1))).toBe(2);
    expect((await position()).next_offset).toBe(2);
  });

  it('seeks back to the stored position, and stops with a message if records are missing there', async () => {
    const projector = await opened();
    await projector.project(records(uploaded(1, T0, ['a'])));
    const later = records(uploaded(2, T0 + 1, ['b']), 5);
    expect(await projector.project(later)).toBe(1);
    await expect(projector.project(later)).rejects.toThrow(LogHoleError);
  });

  it('stops in the same way if records are missing within a batch, and folds those before', async () => {
    const projector = await opened();
    const all = records(uploaded(1, T0, ['a', 'b', 'c']));
    const torn = [all[0]!, { ...all[1]!, offset: 5 }];
    expect(await projector.project(torn)).toBe(1);
    expect(await projector.project(torn.slice(1))).toBe(1);
    await expect(projector.project(torn.slice(1))).rejects.toThrow(LogHoleError);
    expect((await position()).next_offset).toBe(1);
  });
});

describe('records that do not decode', () => {
  it('are quarantined with position and reason if they are corrupt, and the partition continues', async () => {
    const projector = await opened();
    const [good, corrupt, alsoGood] = records(uploaded(1, T0, ['a', 'b', 'c']));
    corrupt!.value = corrupt!.value.subarray(0, 40);
    expect(await projector.project([good!, corrupt!, alsoGood!])).toBe(3);
    const quarantined = await database.db
      .selectFrom('quarantine')
      .select(['log_offset', 'reason'])
      .where('partition', '=', partition)
      .execute();
    expect(quarantined).toEqual([
      { log_offset: 1, reason: expect.stringContaining('does not decode as SignalReceived') },
    ]);
    expect(await places('findings')).toHaveLength(2);
  });

  it('are quarantined with the batch that reaches them, once, if an earlier batch ends before them', async () => {
    const evidence = instance('fail', { evidence: 'x'.repeat(2 << 20) });
    // Eight of these exceed the 16 MiB of changes after which a batch ends.
    const large = Array.from({ length: 8 }, (_, n) =>
      signal(`large ${n}`, 'fail', { observations: [observation('va', [evidence])] }),
    );
    const events = records(
      upload(partition * 1000 + 1, T0, [...large, signal('b'), signal('c')], { entityKey: host() }),
    );
    events[9]!.value = events[9]!.value.subarray(0, 40);
    const quarantined = () =>
      database.db.selectFrom('quarantine').select('log_offset').where('partition', '=', partition).execute();
    const projector = await opened();
    expect(await projector.project(events)).toBe(8);
    expect(await quarantined()).toEqual([]);
    expect(await projector.project(events.slice(8))).toBe(10);
    expect(await quarantined()).toEqual([{ log_offset: 9 }]);
  });

  it.each([
    ['schema', 'unknown schema id 9999'],
    ['rules', 'needs rules 99'],
  ])(
    'stop the partition before unknown %s: nothing is skipped, and no record before it waits',
    async (kind, message) => {
      const projector = await opened();
      const events = uploaded(1, T0, ['a', 'b', 'c']);
      if (kind === 'rules') events[1]!.envelope.rules = 99;
      const batch = records(events);
      if (kind === 'schema') batch[1]!.value.writeInt32BE(9_999, 1);
      expect(await projector.project(batch)).toBe(1);
      const names = database.db.selectFrom('findings').select('name').where('partition', '=', partition);
      expect(await names.execute()).toEqual([{ name: 'a' }]);
      const stopped = projector.project(batch.slice(1));
      await expect(stopped).rejects.toThrow(UnknownRecordError);
      await expect(stopped).rejects.toThrow(message);
      await expect(stopped).rejects.toThrow(`partition ${partition}, offset 1: `);
      expect((await position()).next_offset).toBe(1);
    },
  );
});

it('writes times to the millisecond, however far', async () => {
  const projector = await opened();
  const times = ['9999-12-31T23:59:59.999Z', '2255-06-05T23:47:34.741Z', '2038-01-19T03:14:08.001Z'].map(
    (time) => Date.parse(time),
  );
  const signals = times.map((expiresAt, i) => signal(`far ${i}`, 'fail', { expiresAt }));
  await projector.project(records(upload(partition * 1000 + 1, T0 + 7, signals, { entityKey: host() })));
  const rows = await database.db
    .selectFrom('finding_seen')
    .innerJoin('findings', (join) =>
      join
        .onRef('findings.asset_no', '=', 'finding_seen.asset_no')
        .onRef('findings.finding_no', '=', 'finding_seen.finding_no'),
    )
    .select(['expires_at', 'last_seen'])
    .where('findings.partition', '=', partition)
    .orderBy('name')
    .execute();
  expect(rows).toEqual(times.map((expires_at) => ({ expires_at, last_seen: T0 + 7 })));
});

it('takes severities that are too small for the column', async () => {
  const projector = await opened();
  const severities = [1e-50, Number.MIN_VALUE, 7.1];
  const signals = severities.map((value, i) => {
    const severity = { ...instance().severity, value };
    return signal(`small ${i}`, 'fail', {
      observations: [observation('va', [instance('fail', { severity })])],
    });
  });
  await projector.project(records(upload(partition * 1000 + 1, T0, signals, { entityKey: host() })));
  const rows = await database.db
    .selectFrom('findings')
    .select('severity_value')
    .where('partition', '=', partition)
    .orderBy('name')
    .execute();
  expect(rows).toEqual([0, 0, 7.1].map((severity_value) => ({ severity_value })));
});

it('writes expirations, with the event that advanced the clock as their cause', async () => {
  const projector = await opened();
  await projector.project(
    records([
      ...upload(partition * 1000 + 1, T0, [signal('a', 'fail', { expiresAt: T0 + DAY_MS })], {
        entityKey: host(),
      }),
      event(
        { type: 'EntitySwept', deleteIdleSince: null },
        T0 + 2 * DAY_MS,
        { kind: 'system' },
        { entityKey: host() },
      ),
    ]),
  );
  const history = await database.db
    .selectFrom('finding_history')
    .select(['change', 'reason', 'at', 'cause'])
    .where('partition', '=', partition)
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow();
  expect(history).toMatchObject({
    change: 'retired',
    reason: 'expired',
    at: T0 + 2 * DAY_MS,
    cause: { kind: 'system' },
  });
});

it('writes when the first finding of an asset expires, and since when the asset is idle', async () => {
  const projector = await opened();
  const times = async () => {
    const { rows } = await database.pool.query(
      `select due_at, idle_since, (select max(expired_at) from finding_history where partition = $1) as expired_at
         from asset_seen where partition = $1`,
      [partition],
    );
    return rows;
  };
  const expiring = signal('a', 'fail', { expiresAt: T0 + DAY_MS });
  await projector.project(records(upload(partition * 1000 + 1, T0, [expiring], { entityKey: host() })));
  expect(await times()).toEqual([{ due_at: T0 + DAY_MS, idle_since: null, expired_at: null }]);
  const swept = event(
    { type: 'EntitySwept', deleteIdleSince: null },
    T0 + 2 * DAY_MS,
    { kind: 'system' },
    { entityKey: host() },
  );
  await projector.project(records([swept], 1));
  expect(await times()).toEqual([{ due_at: null, idle_since: T0, expired_at: T0 + DAY_MS }]);
});

describe('the digest of a finding', () => {
  /** Folds while the table of the content of findings is absent. */
  async function withoutContent<T>(fold: () => Promise<T>): Promise<T> {
    await database.pool.query('alter table findings rename to findings_absent');
    try {
      return await fold();
    } finally {
      await database.pool.query('alter table findings_absent rename to findings');
    }
  }

  const digests = async (): Promise<(string | null)[]> => {
    const { rows } = await database.pool.query(
      'select digest from finding_seen where partition = $1 order by asset_no, finding_no',
      [partition],
    );
    return rows.map(({ digest }) => digest);
  };

  const resent = (from: number, n: number, at: number, names: string[]) =>
    records(uploaded(n, at, names), from);

  it('lets a projector that starts again fold an unchanged finding without reading it', async () => {
    await (await opened()).project(records(uploaded(1, T0, ['a', 'b'])));
    const before = await places('findings');
    const projector = await opened();
    expect(await withoutContent(() => projector.project(resent(2, 2, T0 + 1, ['a', 'b'])))).toBe(4);
    expect(await places('findings')).toEqual(before);
    const { rows } = await database.pool.query(
      `select s.signal_id, u.counts ->> 'unchanged' as unchanged, s.seen_at
         from finding_seen s join upload_progress u on u.upload_id = s.stamp_upload and u.partition = s.partition
        where s.partition = $1`,
      [partition],
    );
    expect(rows.map(({ unchanged, seen_at }) => [unchanged, seen_at])).toEqual([
      ['2', T0 + 1],
      ['2', T0 + 1],
    ]);
  });

  it('reads only the findings that signals change, and keeps the order of their changes', async () => {
    await (await opened()).project(records(uploaded(1, T0, ['a', 'b', 'c'])));
    const changed = upload(
      partition * 1000 + 2,
      T0 + 1,
      [signal('c', 'pass'), signal('b'), signal('a', 'pass'), signal('d')],
      { entityKey: host() },
    );
    await (await opened()).project(records(changed, 3));
    const { rows } = await database.pool.query(
      `select h.change, f.name, f.finding_no from finding_history h join findings f using (asset_no, finding_no, partition)
        where h.partition = $1 and h.sequence > 3 order by h.sequence`,
      [partition],
    );
    expect(rows).toEqual([
      { change: 'stateChanged', name: 'c', finding_no: 3 },
      { change: 'stateChanged', name: 'a', finding_no: 1 },
      { change: 'created', name: 'd', finding_no: 4 },
    ]);
  });

  it('is not trusted after a change by a version that does not store it', async () => {
    await (await opened()).project(records(uploaded(1, T0, ['a', 'b'])));
    const [a, b] = await digests();
    const passed = upload(partition * 1000 + 2, T0 + 1, [signal('a', 'pass')], { entityKey: host() });
    await (await opened()).project(records(passed, 2));
    // As that version leaves it: the first signal again would seem to change nothing.
    await database.pool.query(
      `update finding_seen set digest = case finding_no when 1 then $2::uuid else $3::uuid end where partition = $1`,
      [partition, a, b],
    );
    await database.pool.query('update projection_positions set digested_sequence = 2 where partition = $1', [
      partition,
    ]);
    const projector = await opened();
    expect(await digests()).toEqual([null, b]);
    await projector.project(resent(3, 3, T0 + 2, ['a', 'b']));
    const { rows } = await database.pool.query(
      `select change, to_state from finding_history where partition = $1 and sequence > 2 order by sequence`,
      [partition],
    );
    expect(rows).toEqual([
      { change: 'stateChanged', to_state: 'Qualified' },
      { change: 'stateChanged', to_state: 'Failed' },
    ]);
    expect(await digests()).toEqual([a, b]);
  });

  it('is unknown in rows of before, whose findings are read once', async () => {
    await (await opened()).project(records(uploaded(1, T0, ['a'])));
    const before = await digests();
    await database.pool.query(`update finding_seen set digest = null where partition = $1`, [partition]);
    await database.pool.query(
      'update projection_positions set digested_sequence = null where partition = $1',
      [partition],
    );
    const projector = await opened();
    await expect(withoutContent(() => projector.project(resent(1, 2, T0 + 1, ['a'])))).rejects.toThrow(
      'findings',
    );
    const again = await opened();
    expect(await again.project(resent(1, 2, T0 + 1, ['a']))).toBe(2);
    expect(await digests()).toEqual(before);
    expect((await position()).finding_sequence).toBe(1);
  });

  it('is read with all findings of an asset that moves to another department', async () => {
    await (await opened()).project(records(uploaded(1, T0, ['a', 'b'])));
    const moved = upload(
      partition * 1000 + 2,
      T0 + 1,
      [signal('a', 'fail', { entity: entity({ name: host().slice(8), department: `d${partition}` }) })],
      { entityKey: host() },
    );
    await (await opened()).project(records(moved, 2));
    const { rows } = await database.pool.query(
      'select department, findings from finding_totals where partition = $1',
      [partition],
    );
    expect(rows).toEqual([{ department: `d${partition}`, findings: 2 }]);
  });
});
