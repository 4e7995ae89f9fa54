import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStream, type StreamedEvent } from '../../../../test/support/event-stream.ts';
import { T0 } from '../../../../test/support/scenario.ts';
import { type ScoreChangeFacts, ScoreRows } from '../../../../test/support/score-rows.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const ASSETS = 3;

let gateway: StartedGateway;
let authorization: string;
let ids: string[];
const partitions: ScoreRows[] = [];
const open: EventStream[] = [];

beforeAll(async () => {
  gateway = await StartedGateway.start();
  const basic = `Basic ${Buffer.from(gateway.credentialsOf('viewer')).toString('base64')}`;
  const response = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: basic },
  });
  authorization = `Bearer ${((await response.json()) as { accessToken: string }).accessToken}`;
  for (const partition of [0, 1]) partitions.push(new ScoreRows(gateway.database.db, partition));
  ids = await partitions[0]!.assets(ASSETS);
  await partitions[1]!.assets(ASSETS);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => gateway.stop());

async function follow(query = '', headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = await EventStream.open(`${gateway.url}/api/v3/changes${query}`, {
    authorization,
    ...headers,
  });
  open.push(stream);
  return stream;
}

const rising = (count: number): ScoreChangeFacts[] =>
  Array.from({ length: count }, (_, i) => ({ asset: i % ASSETS, score: i, at: T0 + i }));
const placeOf = ({ data }: StreamedEvent) => `${data.change.partition}/${data.change.sequence}`;

/** Earlier changes of partitions 0 and 1. */
const heads = async () => {
  const rows = await gateway.database.db.selectFrom('scored_partitions').selectAll().execute();
  return [0, 1].map((partition) => rows.find((row) => row.partition === partition)?.sequence ?? 0);
};

describe('scores in the stream of changes', () => {
  it('come as they change, whole, among all changes unless topics are picked', async () => {
    const all = await follow();
    const scores = await follow('?topics=scores');
    await partitions[0]!.change([
      { asset: 0, score: 821, likelihood: 109_400, at: T0 },
      { asset: 0, score: 900, likelihood: 120_000, at: T0 + 1 },
    ]);
    const [first, second] = await scores.take(2);
    expect(first).toEqual({
      event: 'score',
      id: 's:1.0.0.0',
      data: {
        assetId: ids[0],
        assetName: 'host0',
        score: 8.21,
        breachLikelihood: 0.1094,
        previousScore: null,
        previousBreachLikelihood: null,
        at: '2026-01-01T00:00:00.000Z',
        model: 'posture-1',
        catalogue: 'none',
        change: { name: 'changed', at: '2026-01-01T00:00:00.000Z', sequence: 1, partition: 0 },
      },
    });
    expect(second).toMatchObject({ data: { score: 9, previousScore: 8.21, breachLikelihood: 0.12 } });
    expect((await all.take(2)).map(({ id }) => id)).toEqual([
      'a:0.0.0.0,f:0.0.0.0,s:1.0.0.0',
      'a:0.0.0.0,f:0.0.0.0,s:2.0.0.0',
    ]);
  });

  it('are no part of a stream of other topics', async () => {
    const stream = await follow('?topics=assets,findings');
    const ended = stream.next().catch(() => null);
    await until('where it begins', () => stream.others.length > 0);
    expect(stream.others[0]).toMatch(/^id: a:0.0.0.0,f:0.0.0.0$/m);
    stream.close();
    await ended;
  });

  it('are null of an asset that was deleted, which the change says', async () => {
    const stream = await follow('?topics=scores');
    await partitions[0]!.change([
      { asset: 1, score: 5_000, at: T0 },
      { asset: 1, score: null, isGone: true, at: T0 + 1 },
      { asset: 2, score: null, at: T0 + 2 },
    ]);
    const [, gone, unscored] = await stream.take(3);
    expect(gone).toMatchObject({
      event: 'score',
      data: {
        assetId: ids[1],
        score: null,
        breachLikelihood: null,
        previousScore: 50,
        change: { name: 'deleted' },
      },
    });
    expect(unscored).toMatchObject({ data: { assetId: ids[2], score: null, change: { name: 'changed' } } });
  });

  it('resume after the last received one, without gaps and repeats', async () => {
    const [from0, from1] = await heads();
    const before = await follow('?topics=scores');
    await partitions[0]!.change(rising(250));
    const events = await before.take(90);
    before.close();
    await partitions[1]!.change(rising(30));
    const byHeader = await follow('?topics=scores', { 'last-event-id': events.at(-1)!.id });
    events.push(...(await byHeader.take(100)));
    byHeader.close();
    const byQuery = await follow(`?topics=scores&lastEventId=${events.at(-1)!.id}`);
    events.push(...(await byQuery.take(90)));
    const expected = [
      ...Array.from({ length: 250 }, (_, i) => `0/${from0! + i + 1}`),
      ...Array.from({ length: 30 }, (_, i) => `1/${from1! + i + 1}`),
    ];
    expect(events.map(placeOf)).toEqual(expected);
  });

  it('continue at the current end for a client whose id is older than the first score', async () => {
    await partitions[0]!.change([{ asset: 0, score: 1, at: T0 }]);
    const [before] = await heads();
    const stream = await follow('', { 'last-event-id': 'a:0.0.0.0,f:0.0.0.0' });
    await partitions[0]!.change([{ asset: 0, score: 2, at: T0 + 1 }]);
    const [event] = await stream.take(1);
    expect([event!.event, placeOf(event!), event!.data.score]).toEqual(['score', `0/${before! + 1}`, 0.02]);
  });

  it.each([
    ['s:0.0.0', 'must be the id of an event of this stream'],
    ['s:0.0.0.zz', 'it is after the last change'],
  ])('do not begin at %s, which is no id of theirs', async (id, message) => {
    await expect(follow(`?topics=scores&lastEventId=${id}`)).rejects.toThrow(message);
  });
});
