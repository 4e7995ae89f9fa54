import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeChange, SCORES_TOPIC } from '#libs/contracts';
import { type EventLog, FencedError, LogUnavailableError, type StoredRecord } from '#libs/event-log';
import { ChangeCodecs, RegisteredSchemas } from '#libs/schema-registry';
import { ScoreOutbox } from '../../apps/scorer/src/publish/score-outbox.ts';
import { ScorePublishers } from '../../apps/scorer/src/publish/score-publishers.ts';
import { type Faults, type StartedPublisher, startFaulty } from '../fixtures/publish/faulty-publisher.ts';
import { PARTITIONS, type PublishFixture } from '../fixtures/publish/publish-fixture.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { T0 } from '../support/scenario.ts';
import { type ScoreChangeFacts, ScoreRows } from '../support/score-rows.ts';
import { until } from '../support/until.ts';

/** What publishing scores promises on every log; a spec of an adapter only supplies the fixture. */
export function describeScorePublishing(
  name: string,
  makeFixture: (database: TestDatabase) => Promise<PublishFixture>,
): void {
  describe(`publishing scores on ${name}`, () => {
    let database: TestDatabase;
    let fixture: PublishFixture;
    let log: EventLog;
    let scores: ScoreRows;
    let partition = -1;
    /** First offset of the output. */
    let begin: number;
    const running: StartedPublisher[] = [];

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
      expect(partition).toBeLessThan(PARTITIONS);
      begin = 0;
      scores = new ScoreRows(database.db, partition);
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map(({ publisher }) => publisher.stop()));
    });

    const codecs = () => new ChangeCodecs(null, new RegisteredSchemas(database.db, null));

    function start(faults?: Faults): StartedPublisher {
      const started = startFaulty(log, new ScoreOutbox(database.db, codecs()), partition, faults);
      running.push(started);
      return started;
    }

    async function published(): Promise<StoredRecord[]> {
      const records: StoredRecord[] = [];
      for await (const batch of log.read(SCORES_TOPIC, partition, begin, Number.MAX_SAFE_INTEGER))
        records.push(...batch);
      return records;
    }

    const untilPublished = (count: number) =>
      until(`${count} records`, async () => (await published()).length >= count);
    const sequences = async () => (await published()).map(({ headers }) => Number(headers.sequence));
    const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
    const manyChanges = (count: number): ScoreChangeFacts[] =>
      Array.from({ length: count }, (_, i) => ({ asset: i % 7, score: i % 10_001, at: T0 + i }));

    it('publishes a complete change, keyed by the asset, as a CloudEvent with its sequence', async () => {
      const [assetId] = await scores.assets(1);
      await scores.change([
        { asset: 0, score: 821, likelihood: 109_400, at: T0 },
        { asset: 0, score: null, likelihood: null, at: T0 + 1 },
      ]);
      start();
      await untilPublished(2);
      const [first, second] = await published();
      expect(first).toMatchObject({
        key: assetId,
        headers: {
          ce_specversion: '1.0',
          ce_type: 'posture.score.changed',
          ce_source: `/posture.intake/${partition}`,
          ce_subject: assetId,
          ce_time: new Date(T0).toISOString(),
          'content-type': 'application/avro',
          sequence: '1',
        },
      });
      expect(first!.value.readInt32BE(1)).toBe(1003);
      const facts = { assetId, assetName: 'host0', model: 'posture-1', catalogue: 'none' };
      expect([first, second].map((record) => decodeChange(record!.value))).toEqual([
        {
          kind: 'score',
          changed: {
            ...facts,
            score: 8.21,
            breachLikelihood: 0.1094,
            previousScore: null,
            previousBreachLikelihood: null,
            at: T0,
            change: { name: 'changed', at: T0, sequence: 1, partition },
          },
        },
        {
          kind: 'score',
          changed: {
            ...facts,
            score: null,
            breachLikelihood: null,
            previousScore: 8.21,
            previousBreachLikelihood: 0.1094,
            at: T0 + 1,
            change: { name: 'changed', at: T0 + 1, sequence: 2, partition },
          },
        },
      ]);
    });

    it('ends a deleted asset in a tombstone, and begins again when it returns', async () => {
      const [assetId, other] = await scores.assets(2);
      await scores.change([
        { asset: 0, score: 5_000, at: T0 },
        { asset: 1, score: 100, at: T0 },
        { asset: 0, score: null, isGone: true, at: T0 + 1 },
      ]);
      const { publisher } = start();
      await untilPublished(3);
      const [, , tombstone] = await published();
      expect(tombstone).toMatchObject({
        key: assetId,
        headers: { ce_type: 'posture.score.tombstone', ce_subject: assetId, sequence: '3' },
      });
      expect(tombstone!.value).toHaveLength(0);
      await publisher.stop();
      await scores.change([{ asset: 0, score: 200, at: T0 + 2 }]);
      start();
      await untilPublished(4);
      const records = await published();
      expect(records.map(({ key }) => key)).toEqual([assetId, other, assetId, assetId]);
      expect(decodeChange(records[3]!.value)).toMatchObject({
        changed: { score: 2, change: { sequence: 4 } },
      });
      expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(4);
    });

    it('has the same CloudEvents id however often a change is published', async () => {
      await scores.assets(1);
      await scores.change([
        { asset: 0, score: 1, at: T0 },
        { asset: 0, score: null, isGone: true, at: T0 + 1 },
      ]);
      const { publisher } = start();
      await untilPublished(2);
      await publisher.stop();
      const before = await published();
      begin = await fixture.forget(SCORES_TOPIC, partition);
      await database.db.deleteFrom('published_changes').where('partition', '=', partition).execute();
      start();
      await untilPublished(2);
      expect((await published()).map(({ headers }) => headers)).toEqual(before.map(({ headers }) => headers));
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
    ])('publishes every change exactly once, in order, after a crash %s', async (_, faults) => {
      await scores.assets(7);
      await scores.change(manyChanges(1_203));
      for (let deaths = 1; deaths <= 2; deaths += 1) {
        const { publisher, errors } = start(faults());
        await until('a death', () => errors.length > 0);
        await publisher.stop();
      }
      start();
      await untilPublished(1_203);
      expect(await sequences()).toEqual(upTo(1_203));
    });

    it('continues after a tombstone that was published and not noted', async () => {
      await scores.assets(1);
      await scores.change([{ asset: 0, score: null, isGone: true, at: T0 }]);
      const { publisher, errors } = start({ note: died });
      await until('a death', () => errors.length > 0);
      await publisher.stop();
      await scores.change([{ asset: 0, score: 100, at: T0 + 1 }]);
      start();
      await untilPublished(2);
      expect(await sequences()).toEqual([1, 2]);
    });

    it('continues if the database was restored to an earlier time and scores the same again', async () => {
      await scores.assets(1);
      await scores.change(manyChanges(3).map((change) => ({ ...change, asset: 0 })));
      const { publisher } = start();
      await untilPublished(3);
      await publisher.stop();
      await scores.restoreTo(1);
      const early = start();
      await early.publisher.stop();
      expect(early.errors).toEqual([]);
      await scores.change([
        { asset: 0, score: 2, at: T0 + 1 },
        { asset: 0, score: 3, at: T0 + 2 },
        { asset: 0, score: 4, at: T0 + 3 },
      ]);
      start();
      await untilPublished(4);
      expect(await sequences()).toEqual([1, 2, 3, 4]);
    });

    it('publishes scores again as new events if a restored database scores differently', async () => {
      await scores.assets(2);
      await scores.change([
        { asset: 0, score: 100, at: T0 },
        { asset: 1, score: 200, at: T0 },
        { asset: 0, score: 300, at: T0 + 1 },
      ]);
      const { publisher } = start();
      await untilPublished(3);
      await publisher.stop();
      await scores.restoreTo(1);
      await scores.change([
        { asset: 0, score: 300, at: T0 + 1 },
        { asset: 1, score: 400, at: T0 + 2 },
      ]);
      start();
      await untilPublished(5);
      const records = await published();
      expect(await sequences()).toEqual([1, 2, 3, 2, 3]);
      expect(records.slice(3).map(({ value }) => decodeChange(value))).toMatchObject([
        { changed: { score: 3 } },
        { changed: { score: 4 } },
      ]);
      expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(5);
    });

    it('is published by one at a time: the later one fences the earlier in the midst of its work', async () => {
      await scores.assets(7);
      await scores.change(manyChanges(1_600));
      let isPaused = false;
      let resume = () => {};
      const paused = new Promise<void>((resolve) => {
        resume = resolve;
      });
      const first = start({
        publish: async (publish) => {
          if ((await published()).length > 0) {
            isPaused = true;
            await paused;
          }
          return publish();
        },
      });
      await until('the first one in its second batch', () => isPaused);
      start();
      await untilPublished(1_600);
      resume();
      await until('the first one fenced', () => first.errors.length > 0);
      expect(first.errors[0]).toBeInstanceOf(FencedError);
      expect(await sequences()).toEqual(upTo(1_600));
    });

    it('reports the position of missing changes, and publishes nothing after the gap', async () => {
      await scores.assets(1);
      await scores.change(manyChanges(3).map((change) => ({ ...change, asset: 0 })));
      await database.db
        .deleteFrom('score_changes')
        .where('partition', '=', partition)
        .where('sequence', '=', 2)
        .execute();
      const { errors } = start();
      await until('an error', () => errors.length > 0);
      expect(errors[0]!.message).toBe(
        `score_changes of partition ${partition} continues at 3, but 2 is next`,
      );
      expect(await published()).toEqual([]);
    });

    describe('the publishers of a scorer', () => {
      it('begin with an assignment, wake with each batch, and end with the revocation', async () => {
        await scores.assets(1);
        await scores.change([{ asset: 0, score: 1, at: T0 }]);
        const publishers = new ScorePublishers(log, database.db, codecs());
        publishers.hold(partition);
        await untilPublished(1);
        await scores.change([{ asset: 0, score: 2, at: T0 + 1 }]);
        publishers.wake(partition);
        await untilPublished(2);
        await publishers.release(partition);
        await scores.change([{ asset: 0, score: 3, at: T0 + 2 }]);
        publishers.wake(partition);
        publishers.hold(partition + 1);
        await publishers.release(partition + 1);
        expect(await sequences()).toEqual([1, 2]);
      });

      it('take no name of a partition if nothing was ever scored', async () => {
        const asked: string[] = [];
        const watched: EventLog = new Proxy(log, {
          get: (target, property) => {
            asked.push(String(property));
            return Reflect.get(target, property).bind?.(target);
          },
        });
        const outbox = new ScoreOutbox(database.db, codecs());
        const isInUse = outbox.isInUse.bind(outbox);
        const answered = new Promise<boolean>((resolve) => {
          outbox.isInUse = async (one) => {
            const answer = await isInUse(one);
            resolve(answer);
            return answer;
          };
        });
        const started = startFaulty(watched, outbox, partition);
        expect(await answered).toBe(false);
        await started.publisher.stop();
        expect([asked, started.errors]).toEqual([[], []]);
      });
    });
  });
}
