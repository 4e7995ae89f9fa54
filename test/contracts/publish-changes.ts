import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import { validate, version } from 'uuid';
import { HistoryGapError } from '#libs/changes';
import {
  ASSETS_TOPIC,
  ChangeCodec,
  type ChangeEvent,
  decodeChange,
  encodeIntake,
  FINDINGS_TOPIC,
} from '#libs/contracts';
import type { Schema } from '#libs/database';
import {
  assetId,
  findingId,
  type InstanceStatus,
  type IntakeEvent,
  type IntakePayload,
  type MendedFinding,
  partitionKey,
} from '#libs/domain';
import { type EventLog, FencedError, LogUnavailableError, type StoredRecord } from '#libs/event-log';
import { Projection } from '#libs/projection';
import { type Outbox, PartitionPublisher } from '#libs/publish';
import { ChangeCodecs, RegisteredSchemas } from '#libs/schema-registry';
import { AssetOutbox } from '../../apps/projector/src/publish/asset-outbox.ts';
import { ChangePublishers } from '../../apps/projector/src/publish/change-publishers.ts';
import { FindingOutbox } from '../../apps/projector/src/publish/finding-outbox.ts';
import { FoldBacklog } from '../../apps/projector/src/publish/fold-backlog.ts';
import { QUARANTINE_TOPIC, QuarantineOutbox } from '../../apps/projector/src/publish/quarantine-outbox.ts';
import { type Faults, startFaulty } from '../fixtures/publish/faulty-publisher.ts';
import type { PublishFixture } from '../fixtures/publish/publish-fixture.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { DAY_MS, event, signal, T0, upload } from '../support/scenario.ts';
import { until } from '../support/until.ts';

type FoldedChange = Exclude<ChangeEvent, { kind: 'score' }>;

type MakeOutbox = new (db: Kysely<Schema>, codecs: Pick<ChangeCodecs, 'of'>) => Outbox;

const fixedIds: Pick<ChangeCodecs, 'of'> = { of: async (topic) => new ChangeCodec(topic) };

/** What publishing changes promises on every log; a spec of an adapter only supplies the fixture. */
export function describePublishing(
  name: string,
  makeFixture: (database: TestDatabase) => Promise<PublishFixture>,
): void {
  describe(`publishing changes on ${name}`, () => {
    let database: TestDatabase;
    let fixture: PublishFixture;
    let log: EventLog;
    let projector: Projection;
    let partition = -1;
    let nextOffset: number;
    let uploads: number;
    /** First offset of the output. */
    let begin: number;
    const running: PartitionPublisher[] = [];

    beforeAll(async () => {
      database = await testDatabase();
      fixture = await makeFixture(database);
      log = fixture.log;
    });
    afterAll(async () => {
      await fixture.close();
      await database.drop();
    });
    /** Each test has a separate partition, and so separate assets. */
    beforeEach(async () => {
      partition += 1;
      nextOffset = 0;
      uploads = 0;
      begin = 0;
      projector = new Projection(database.db);
      await projector.open(partition);
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((publisher) => publisher.stop()));
    });

    const host = (n = 0) => `machine:p${partition}h${n}`;

    async function fold(events: IntakeEvent[]): Promise<void> {
      const records = events.map((one, i) => ({
        partition,
        offset: nextOffset + i,
        key: one.envelope.entityKey,
        value: encodeIntake(one),
        headers: {},
        storedAt: T0,
      }));
      nextOffset = await projector.project(records);
    }

    async function foldFindings(
      names: string[],
      key = host(),
      status: InstanceStatus = 'fail',
    ): Promise<void> {
      uploads += 1;
      const signals = names.map((name) => signal(name, status));
      await fold(upload(partition * 1000 + uploads, T0 + uploads, signals, { entityKey: key }));
    }

    const deleteAsset = (key = host()) =>
      fold([
        event(
          { type: 'AssetDeleted', assetId: assetId(key), seenVersion: null },
          T0 + uploads,
          { kind: 'user', user: 'ana' },
          { entityKey: key },
        ),
      ]);

    /** Removes superseded changes up to a sequence, as the retention does. */
    async function trim(throughSequence: number): Promise<void> {
      const at = T0 + uploads;
      const trimmed = {
        type: 'HistoryTrimmed' as const,
        findingType: 'va' as const,
        before: at,
        throughSequence,
      };
      await fold([event(trimmed, at, { kind: 'system' }, { entityKey: partitionKey(partition) })]);
    }

    async function published(topic: string): Promise<StoredRecord[]> {
      const records: StoredRecord[] = [];
      for await (const batch of log.read(topic, partition, begin, Number.MAX_SAFE_INTEGER))
        records.push(...batch);
      return records;
    }

    const isTombstone = ({ value }: StoredRecord) => value.length === 0;
    const changes = async (topic: string): Promise<FoldedChange[]> =>
      (await published(topic))
        .filter((record) => !isTombstone(record))
        .map(({ value }) => decodeChange(value) as FoldedChange);
    const sequences = async (topic: string) =>
      (await changes(topic)).map(({ changed }) => changed.change.sequence);
    const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

    /** What compaction leaves: the last record of each key; null is a tombstone. */
    const compacted = async (topic: string) =>
      new Map((await published(topic)).map((record) => [record.key, isTombstone(record) ? null : record]));
    const idOf = (name: string, key = host()) => findingId(assetId(key), 'va', name);

    const noted = async () => {
      const row = await database.db
        .selectFrom('published_changes')
        .select('sequence')
        .where('topic', '=', FINDINGS_TOPIC)
        .where('partition', '=', partition)
        .executeTakeFirst();
      return row?.sequence;
    };

    const historyOf = (table: 'finding_history' | 'asset_history') =>
      database.db
        .selectFrom(table)
        .select(['sequence', 'change', 'log_offset'])
        .where('partition', '=', partition)
        .orderBy('sequence')
        .execute();

    function start(makeOutbox: MakeOutbox, faults?: Faults) {
      const started = startFaulty(log, new makeOutbox(database.db, fixedIds), partition, faults);
      running.push(started.publisher);
      return started;
    }

    /** A transaction of Kafka is visible to readers only some time after its commit was answered. */
    const untilPublished = (topic: string, count: number) =>
      until(`${count} changes on ${topic}`, async () => (await sequences(topic)).length >= count);

    describe('a change', () => {
      it('goes out whole, keyed by id, as a CloudEvent with its sequence', async () => {
        await foldFindings(['Outdated OpenSSL']);
        start(FindingOutbox);
        start(AssetOutbox);
        await untilPublished(FINDINGS_TOPIC, 1);
        await untilPublished(ASSETS_TOPIC, 1);
        const asset = assetId(host());
        const id = findingId(asset, 'va', 'Outdated OpenSSL');
        const [record] = await published(FINDINGS_TOPIC);
        expect(record).toMatchObject({
          key: id,
          headers: {
            ce_specversion: '1.0',
            ce_type: 'posture.finding.created',
            ce_source: `/posture.intake/${partition}`,
            ce_subject: id,
            ce_time: new Date(T0 + 1).toISOString(),
            'content-type': 'application/avro',
            sequence: '1',
          },
        });
        const ceId = record!.headers.ce_id!;
        expect([validate(ceId), version(ceId)]).toEqual([true, 5]);
        expect(decodeChange(record!.value)).toEqual({
          kind: 'finding',
          changed: expect.objectContaining({
            id,
            assetId: asset,
            assetName: 'web01',
            name: 'Outdated OpenSSL',
            state: 'Failed',
            counted: false,
            instances: [{ key: '', status: 'Failed', counted: true, evidence: null, tags: {} }],
            expiresAt: T0 + 365 * DAY_MS,
            version: 1,
            change: {
              name: 'created',
              from: null,
              to: 'Failed',
              reason: null,
              at: T0 + 1,
              cause: expect.objectContaining({ kind: 'zip', user: 'ana' }),
              sequence: 1,
              position: { topic: 'posture.intake', partition, offset: 0 },
            },
          }),
        });
        const [assetRecord] = await published(ASSETS_TOPIC);
        expect(assetRecord!.headers).toMatchObject({ ce_type: 'posture.asset.created', sequence: '1' });
        expect(decodeChange(assetRecord!.value)).toMatchObject({
          kind: 'asset',
          changed: { id: asset, type: 'Server', department: 'Unassigned', deletedAt: null },
        });
      });

      it('has the same CloudEvents id however often it is published', async () => {
        await foldFindings(['a']);
        start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, 1);
        const [before] = await published(FINDINGS_TOPIC);
        begin = await fixture.forget(FINDINGS_TOPIC, partition);
        await database.db.deleteFrom('published_changes').where('partition', '=', partition).execute();
        start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, 1);
        expect((await published(FINDINGS_TOPIC))[0]!.headers).toEqual(before!.headers);
      });
    });

    describe('a row that was stored larger than a record', () => {
      const tags = Object.fromEntries(upTo(80).map((n) => [`t${n}`, ['x'.repeat(65_536)]]));
      it.each([
        [
          'finding',
          FindingOutbox,
          FINDINGS_TOPIC,
          'finding_history',
          'body',
          { description: 'x'.repeat(5_000_000) },
        ],
        ['asset', AssetOutbox, ASSETS_TOPIC, 'asset_history', 'state', { tags }],
      ] as const)('is published abridged: %s', async (_, outbox, topic, table, column, large) => {
        await foldFindings(['a']);
        await database.pool.query(
          `update ${table} set ${column} = (${column}::jsonb || $1::jsonb)::json where partition = $2`,
          [JSON.stringify(large), partition],
        );
        start(outbox);
        await untilPublished(topic, 1);
        expect(await changes(topic)).toMatchObject([{ changed: { abridged: true } }]);
      });
    });

    describe('every row of the history becomes exactly one record, in order', () => {
      const names = Array.from({ length: 1_203 }, (_, i) => `finding ${i}`);

      it('over several batches, and as the projection continues', async () => {
        await foldFindings(names);
        const { publisher } = start(FindingOutbox);
        for (let i = 0; i < 5; i += 1) {
          await foldFindings([`later ${i}`]);
          publisher.wake();
        }
        await untilPublished(FINDINGS_TOPIC, 1_208);
        const history = await historyOf('finding_history');
        expect(history).toHaveLength(1_208);
        expect(
          (await changes(FINDINGS_TOPIC)).map(({ changed: { change } }) => ({
            sequence: change.sequence,
            change: change.name,
            log_offset: change.position.offset,
          })),
        ).toEqual(history);
      });

      const died = () => Promise.reject(new Error('the process died'));
      it.each<[string, () => Faults]>([
        ['between the publishing and its note', () => ({ note: died })],
        [
          'before the answer of the publishing came',
          () => ({
            publish: (publish) => publish().then(() => Promise.reject(new LogUnavailableError('lost'))),
          }),
        ],
        ['before the publishing', () => ({ publish: died })],
      ])('after a death %s', async (_, faults) => {
        await foldFindings(names);
        for (let died = 1; died <= 2; died += 1) {
          const { publisher, errors } = start(FindingOutbox, faults());
          await until('a death', () => errors.length > 0);
          await publisher.stop();
        }
        start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, names.length);
        expect(await sequences(FINDINGS_TOPIC)).toEqual(upTo(names.length));
      });

      it('if the same publisher continues by itself after each failure', async () => {
        await foldFindings(names);
        let calls = 0;
        let hasNoteFailed = false;
        const { errors } = start(FindingOutbox, {
          publish: async (publish) => {
            calls += 1;
            if (calls % 2 === 0) throw new LogUnavailableError('away');
            return publish();
          },
          note: async (note) => {
            if (hasNoteFailed) return note();
            hasNoteFailed = true;
            throw new Error('the database is away');
          },
        });
        await untilPublished(FINDINGS_TOPIC, names.length);
        expect(await sequences(FINDINGS_TOPIC)).toEqual(upTo(names.length));
        expect(errors.length).toBeGreaterThan(1);
      });

      it('after the noted position, if the output is empty', async () => {
        await foldFindings(['a', 'b']);
        const { publisher } = start(FindingOutbox);
        await until('the note', async () => (await noted()) === 2);
        await publisher.stop();
        begin = await fixture.forget(FINDINGS_TOPIC, partition);
        await foldFindings(['c']);
        start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, 1);
        expect(await sequences(FINDINGS_TOPIC)).toEqual([3]);
      });

      it('and stores the note again after a crash of the database lost it, also without further changes', async () => {
        await foldFindings(['a', 'b']);
        const { publisher } = start(FindingOutbox);
        await until('the note', async () => (await noted()) === 2);
        await publisher.stop();
        await database.db.deleteFrom('published_changes').where('partition', '=', partition).execute();
        start(FindingOutbox);
        await until('the note', async () => (await noted()) === 2);
        expect(await sequences(FINDINGS_TOPIC)).toEqual([1, 2]);
      });

      it('if the database was restored to a time before published changes', async () => {
        await foldFindings(['a', 'b']);
        const { publisher } = start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, 2);
        await publisher.stop();
        await database.db.deleteFrom('finding_history').where('partition', '=', partition).execute();
        const { publisher: early } = start(FindingOutbox);
        await early.stop();
        for (const table of ['findings', 'finding_seen'] as const) {
          await database.db.deleteFrom(table).where('partition', '=', partition).execute();
        }
        await database.db
          .updateTable('projection_positions')
          .set({ finding_sequence: 0, digested_sequence: 0 })
          .where('partition', '=', partition)
          .execute();
        await projector.open(partition);
        await foldFindings(['a', 'b', 'c']);
        start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, 3);
        expect(await sequences(FINDINGS_TOPIC)).toEqual([1, 2, 3]);
      });
    });

    describe('a history that the retention has trimmed, on a restored site', () => {
      const all = Array.from({ length: 600 }, (_, i) => `finding ${i}`);
      const some = all.filter((_, i) => i % 2 === 0);

      /** Holes among the first 600 changes; then 600 without. */
      async function foldTrimmed(): Promise<void> {
        await foldFindings(all);
        await foldFindings(some, host(), 'pass');
        await trim(900);
        await foldFindings(some);
      }

      it('is published as it is left, with the last change of each finding, over batches and restarts', async () => {
        await foldTrimmed();
        const left = (await historyOf('finding_history')).map(({ sequence }) => sequence);
        expect(left).toHaveLength(900);
        const { publisher, errors } = start(FindingOutbox, {
          note: () => Promise.reject(new Error('the process died')),
        });
        await until('a death', () => errors.length > 0);
        await publisher.stop();
        start(FindingOutbox);
        await until('the note, for which the next trim waits', async () => (await noted()) === 1_200);
        await untilPublished(FINDINGS_TOPIC, left.length);
        expect(await sequences(FINDINGS_TOPIC)).toEqual(left);
        const states = await compacted(FINDINGS_TOPIC);
        expect([...states.keys()].sort()).toEqual(all.map((name) => idOf(name)).sort());
        const versions = await database.db
          .selectFrom('findings')
          .select(['id', 'version', 'state'])
          .where('partition', '=', partition)
          .execute();
        for (const { id, version, state } of versions) {
          expect(decodeChange(states.get(id)!.value)).toMatchObject({ changed: { version, state } });
        }
      });

      it('is published up to a hole that no trim has made, and not after it', async () => {
        await foldTrimmed();
        await database.db
          .deleteFrom('finding_history')
          .where('partition', '=', partition)
          .where('sequence', '=', 1_000)
          .execute();
        const { errors } = start(FindingOutbox);
        await until('an error', () => errors.length > 0);
        expect(errors[0]).toBeInstanceOf(HistoryGapError);
        expect(errors[0]!.message).toContain('continues at 1001, but 1000 is next');
        const left = (await historyOf('finding_history')).map(({ sequence }) => sequence);
        const before = left.filter((sequence) => sequence <= 800);
        await untilPublished(FINDINGS_TOPIC, before.length);
        expect(await sequences(FINDINGS_TOPIC)).toEqual(before);
      });

      /** Of the assets' changes before the trim, only the end of `gone` is left. */
      async function foldReturned(): Promise<void> {
        await deleteAsset();
        await foldFindings(['back']);
        await foldFindings(['back'], host(), 'pass');
        await trim(6);
        await foldFindings(['back']);
        expect((await historyOf('finding_history')).map(({ sequence }) => sequence)).toEqual([4, 6, 7]);
      }

      async function expectReturned(): Promise<void> {
        await untilPublished(FINDINGS_TOPIC, 3);
        const records = await published(FINDINGS_TOPIC);
        expect(records.map((record) => (isTombstone(record) ? '-' : record.headers.sequence))).toEqual([
          '4',
          '-',
          '6',
          '7',
        ]);
        const states = await compacted(FINDINGS_TOPIC);
        expect(states.get(idOf('gone'))).toBeNull();
        expect(decodeChange(states.get(idOf('back'))!.value)).toMatchObject({ changed: { state: 'Failed' } });
      }

      it('has the tombstones of deleted findings before the changes of those that returned', async () => {
        await foldFindings(['back', 'gone']);
        await foldReturned();
        start(FindingOutbox);
        await expectReturned();
      });

      it('continues after a noted change that was removed since, if the output is empty', async () => {
        await foldFindings(['back', 'gone']);
        const { publisher } = start(FindingOutbox);
        await until('the note', async () => (await noted()) === 2);
        await publisher.stop();
        begin = await fixture.forget(FINDINGS_TOPIC, partition);
        await foldReturned();
        start(FindingOutbox);
        await expectReturned();
      });
    });

    describe('two publishers of one partition', () => {
      it('never both publish: the later one fences the earlier, also in the midst of its work', async () => {
        await foldFindings(Array.from({ length: 1_600 }, (_, i) => `finding ${i}`));
        let isStopped = false;
        let resume = () => {};
        const paused = new Promise<void>((resolve) => {
          resume = resolve;
        });
        const first = start(FindingOutbox, {
          publish: async (publish) => {
            const isSecondBatch = (await sequences(FINDINGS_TOPIC)).length > 0;
            if (isSecondBatch) {
              isStopped = true;
              await paused;
            }
            return publish();
          },
        });
        await until('the first one stopped in its second batch', () => isStopped);
        start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, 1_600);
        resume();
        await until('the first one fenced', () => first.errors.length > 0);
        expect(first.errors[0]).toBeInstanceOf(FencedError);
        expect(await sequences(FINDINGS_TOPIC)).toEqual(upTo(1_600));
      });
    });

    describe('a deleted asset', () => {
      it('ends in tombstones for itself and all its findings, those retired before too', async () => {
        uploads += 1;
        await fold(
          upload(
            partition * 1000 + uploads,
            T0,
            [signal('expired', 'fail', { expiresAt: T0 + 1 }), signal('failed')],
            {
              entityKey: host(),
            },
          ),
        );
        await foldFindings(['other'], host(1));
        uploads = 5;
        await deleteAsset();
        start(FindingOutbox);
        start(AssetOutbox);
        const last = async (topic: string, id: string) => (await compacted(topic)).get(id);
        await until('the tombstones', async () => (await last(FINDINGS_TOPIC, idOf('failed'))) === null);
        await until('that of the asset', async () => (await last(ASSETS_TOPIC, assetId(host()))) === null);
        expect(await last(FINDINGS_TOPIC, idOf('expired'))).toBeNull();
        expect(await last(FINDINGS_TOPIC, idOf('other', host(1)))).toMatchObject({
          headers: { sequence: '3' },
        });
        const assets = await published(ASSETS_TOPIC);
        expect(assets.map(({ headers }) => headers.ce_type)).toEqual([
          'posture.asset.created',
          'posture.asset.created',
          'posture.asset.deleted',
          'posture.asset.tombstone',
        ]);
        expect(new Set(assets.map(({ headers }) => headers.ce_id)).size).toBe(4);
      });

      it('stays dead if a new mapping types it after that', async () => {
        await foldFindings(['a']);
        await deleteAsset();
        const typing = { type: 'Legacy', attackSurface: 'Servers', supports: [] };
        await fold([
          event(
            { type: 'AssetRetyped', assetId: assetId(host()), typing },
            T0 + 1,
            { kind: 'system' },
            // As of before rules 2, under which it changes nothing.
            { entityKey: host(), settingsVersion: 2, rules: 1 },
          ),
        ]);
        start(AssetOutbox);
        await untilPublished(ASSETS_TOPIC, 3);
        const records = await published(ASSETS_TOPIC);
        expect(records.map((record) => (isTombstone(record) ? '-' : record.headers.sequence))).toEqual([
          '1',
          '2',
          '-',
          '3',
          '-',
        ]);
        expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(5);
      });

      it('stays dead if a correction of the clock changes its findings', async () => {
        await foldFindings(['a', 'b']);
        await deleteAsset();
        const act = (payload: IntakePayload) =>
          event(payload, T0 - DAY_MS, { kind: 'system' }, { entityKey: host() });
        const { rows } = await database.pool.query(
          `select f.id as "findingId", a.id as "assetId", f.version as "seenVersion",
                  coalesce(s.seen_at, s.stamp_at) as "seenAt"
           from findings f join finding_seen s using (partition, asset_no, finding_no)
           join assets a using (partition, asset_no) where f.partition = $1 order by f.finding_no`,
          [partition],
        );
        const mended = (finding: Pick<MendedFinding, 'findingId' | 'assetId' | 'seenVersion' | 'seenAt'>) =>
          act({ type: 'EntityMended', assets: [], findings: [{ ...finding, fields: {}, seen: {} }] });
        await fold([act({ type: 'ClockCorrected', reason: 'it was ahead' }), ...rows.map(mended)]);
        for (let restart = 0; restart < 2; restart += 1) {
          const { publisher } = start(FindingOutbox);
          await untilPublished(FINDINGS_TOPIC, 6);
          await publisher.stop();
        }
        const records = await published(FINDINGS_TOPIC);
        expect(records.map((record) => (isTombstone(record) ? '-' : record.headers.sequence)).join('')).toBe(
          '1234--5-6-',
        );
        expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(records.length);
      });

      it('that returned is live again, for any crash of the publisher and any batches', async () => {
        await foldFindings(['back', 'gone']);
        await deleteAsset();
        await foldFindings(['back']);
        const tooLate = start(FindingOutbox, { note: () => Promise.reject(new Error('the process died')) });
        await until('a death', () => tooLate.errors.length > 0);
        await tooLate.publisher.stop();
        await foldFindings(['new']);
        const { publisher } = start(FindingOutbox);
        await untilPublished(FINDINGS_TOPIC, 6);
        await publisher.stop();
        const states = await compacted(FINDINGS_TOPIC);
        expect(states.get(idOf('gone'))).toBeNull();
        for (const name of ['back', 'new']) {
          expect(decodeChange(states.get(idOf(name))!.value)).toMatchObject({ changed: { state: 'Failed' } });
        }
        expect(await sequences(FINDINGS_TOPIC)).toEqual(upTo(6));
        const tombstones = (await published(FINDINGS_TOPIC)).filter(isTombstone);
        expect(tombstones.map(({ key }) => key).sort()).toEqual([idOf('back'), idOf('gone')].sort());
      });

      it('is published in batches within the bound, alone if it has more findings', async () => {
        const sizes = [400, 100, 1, 700, 200];
        for (const [i, size] of sizes.entries()) {
          await foldFindings(
            Array.from({ length: size }, (_, n) => `finding ${n}`),
            host(i),
          );
        }
        for (const i of sizes.keys()) await deleteAsset(host(i));
        const outbox = new FindingOutbox(database.db, fixedIds);
        await outbox.ready();
        const tombstones: number[] = [];
        for (let position = { sequence: 2_802, deletion: 0 }; ; ) {
          const batch = await outbox.next(partition, position);
          if (!batch) break;
          tombstones.push(batch.records.length);
          position = batch.position;
        }
        expect(tombstones).toEqual([500, 1, 700, 200]);
      });

      it('has its tombstones once, after restarts too', async () => {
        for (let i = 0; i < 45; i += 1) {
          await foldFindings(['a', 'b'], host(i));
          await deleteAsset(host(i));
        }
        for (let restart = 0; restart < 3; restart += 1) {
          const { publisher } = start(FindingOutbox);
          await until('the tombstones', async () => (await published(FINDINGS_TOPIC)).length >= 270);
          await publisher.stop();
        }
        const records = await published(FINDINGS_TOPIC);
        expect(records).toHaveLength(45 * 6);
        expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(45 * 6);
        // Of each asset: two created, two retired, two tombstones.
        const kinds = records.map((record) =>
          isTombstone(record) ? '-' : record.headers.ce_type!.split('.').at(-1)![0],
        );
        expect(kinds.join('')).toBe('ccrr--'.repeat(45));
      });
    });

    describe('the quarantine', () => {
      const position = () => `posture.intake/${partition}`;

      async function foldCorrupt(key: string): Promise<void> {
        const value = Buffer.from(encodeIntake(upload(1, T0, [signal('a')])[0]!).subarray(0, 40));
        const record = { partition, offset: nextOffset, key, value, headers: {}, storedAt: T0 };
        nextOffset = await projector.project([record]);
      }

      it('is published once and in order, each record unchanged, with its position and reason', async () => {
        await foldFindings(['a']);
        await foldCorrupt('one');
        const first = start(QuarantineOutbox);
        await until('the first', async () => (await published(QUARANTINE_TOPIC)).length === 1);
        await foldCorrupt('two');
        first.publisher.wake();
        await until('the second', async () => (await published(QUARANTINE_TOPIC)).length === 2);
        await first.publisher.stop();
        await foldCorrupt('three');
        start(QuarantineOutbox, { publish: failOnceAfterwards() });
        await until('the third', async () => (await published(QUARANTINE_TOPIC)).length === 3);
        const records = await published(QUARANTINE_TOPIC);
        const end = nextOffset;
        expect(records.map(({ key, headers }) => [key, headers.position])).toEqual([
          ['one', `${position()}/${end - 3}`],
          ['two', `${position()}/${end - 2}`],
          ['three', `${position()}/${end - 1}`],
        ]);
        for (const { value, headers } of records) {
          expect(value).toHaveLength(40);
          expect(headers).toMatchObject({
            ce_type: 'posture.intake.quarantined',
            reason: expect.stringContaining('does not decode as'),
          });
        }
      });

      /** The first batch is stored, but its answer is lost. */
      function failOnceAfterwards(): NonNullable<Faults['publish']> {
        let calls = 0;
        return async (publish) => {
          await publish();
          calls += 1;
          if (calls === 1) throw new LogUnavailableError('the answer was lost');
        };
      }

      it('takes no publisher if nothing was ever corrupt', async () => {
        await foldFindings(['a']);
        const none: EventLog = new Proxy(log, {
          get: (target, property) =>
            property === 'publisher'
              ? () => Promise.reject(new Error('a publisher was opened'))
              : Reflect.get(target, property).bind?.(target),
        });
        const errors: Error[] = [];
        const outbox = new QuarantineOutbox(database.db);
        const isInUse = outbox.isInUse.bind(outbox);
        const answered = new Promise<boolean>((resolve) => {
          outbox.isInUse = async (asked) => {
            const answer = await isInUse(asked);
            resolve(answer);
            return answer;
          };
        });
        const publisher = new PartitionPublisher({
          log: none,
          outbox,
          partition,
          slots: pLimit(1),
          restAfter: () => 0,
          onFailed: (error) => errors.push(error),
        });
        publisher.wake();
        expect(await answered).toBe(false);
        await publisher.stop();
        expect(errors).toEqual([]);
      });
    });

    describe('the publishers of a process', () => {
      const codecs = () => new ChangeCodecs(null, new RegisteredSchemas(database.db, null));
      const backlog = () => new FoldBacklog(Date.now);
      it('begin with an assignment, wake with the projection, and end with the revocation', async () => {
        await foldFindings(['left over']);
        const publishers = new ChangePublishers(log, database.db, codecs(), backlog());
        publishers.hold(partition);
        await untilPublished(FINDINGS_TOPIC, 1);
        await untilPublished(ASSETS_TOPIC, 1);
        await foldFindings(['new']);
        publishers.wake(partition);
        await untilPublished(FINDINGS_TOPIC, 2);
        await publishers.release(partition);
        await foldFindings(['not ours']);
        publishers.wake(partition);
        publishers.hold(partition + 1);
        await publishers.release(partition + 1);
        expect(await sequences(FINDINGS_TOPIC)).toEqual([1, 2]);
      });

      it('publish all of it also while the fold is behind, and end at once while they rest', async () => {
        await foldFindings(['a', 'b', 'c']);
        const behind = new FoldBacklog(() => Number.MAX_SAFE_INTEGER);
        behind.folded([{ storedAt: 0 } as StoredRecord]);
        behind.restAfter = (workedMs) => {
          rests.push(workedMs);
          return rests.length < 3 ? 1 : 600_000;
        };
        const rests: number[] = [];
        const publishers = new ChangePublishers(log, database.db, codecs(), behind);
        publishers.hold(partition);
        await untilPublished(FINDINGS_TOPIC, 3);
        await until('a long rest', () => rests.length >= 3);
        await publishers.release(partition);
        expect(await sequences(FINDINGS_TOPIC)).toEqual([1, 2, 3]);
      });

      it('end at once, also while they wait for a log that is away', async () => {
        await foldFindings(['a']);
        const away: EventLog = new Proxy(log as EventLog, {
          get: (target, property) =>
            property === 'publisher'
              ? () => Promise.reject(new LogUnavailableError('away'))
              : Reflect.get(target, property),
        });
        const publishers = new ChangePublishers(away, database.db, codecs(), backlog());
        publishers.hold(partition);
        await publishers.release(partition);
        expect(await published(FINDINGS_TOPIC)).toEqual([]);
      });
    });
  });
}
