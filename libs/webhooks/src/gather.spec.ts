import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChangeCursor, HistoryGapError, parseCursor, type StreamTopic } from '#libs/changes';
import type { ChangeEvent } from '#libs/contracts';
import { runs } from '../../../test/support/long-run.ts';
import { type ChangeFilter, matchesFilter } from './change-filter.ts';
import { deliveryBody, placed } from './delivery-body.ts';
import {
  DELIVERY_BOUNDS,
  type DeliveryBounds,
  type Gathering,
  gather,
  type ReadChanges,
  WITHOUT_BOUNDS,
} from './gather.ts';

const KINDS = { assets: 'asset', findings: 'finding', scores: 'score' } as const;
const STATES = ['Failed', 'Passed'];

/** A change of a made-up history: severity and states follow from its place. */
function changeAt(topic: StreamTopic, partition: number, sequence: number, characters = 10): ChangeEvent {
  const id = `${topic}-${partition}-${sequence}`;
  const change = { name: 'updated', at: 1_000 + sequence, sequence, partition, from: STATES[sequence % 2] };
  return {
    kind: KINDS[topic],
    changed: {
      id,
      assetId: id,
      name: 'x'.repeat(characters),
      severity: { value: (sequence * 3) % 11 },
      state: STATES[(sequence + 1) % 2],
      score: 1,
      change: {
        ...change,
        cause: { eventId: `event-${partition}-${sequence}` },
        position: { topic: 'posture.intake', partition, offset: sequence },
      },
    },
  } as unknown as ChangeEvent;
}

/** Reads as the tables do; `sizes` are characters by sequence. */
const reader = (heads: ChangeCursor, filter: ChangeFilter = {}, characters?: number) => {
  const asked: number[] = [];
  const read = async (
    topic: StreamTopic,
    { partition, after }: { partition: number; after: number },
    { changesMax }: { changesMax: number },
  ) => {
    asked.push(changesMax);
    const count = Math.min(changesMax, heads[topic]![partition]! - after);
    return Array.from({ length: count }, (_, i) => {
      const sequence = after + i + 1;
      const event = changeAt(topic, partition, sequence, characters);
      return { sequence, change: matchesFilter(filter, event) ? placed(topic, partition, event) : null };
    });
  };
  return { read, asked };
};

const gathering = (given: Partial<Gathering> & Pick<Gathering, 'from' | 'heads'>): Gathering => ({
  bounds: DELIVERY_BOUNDS,
  first: 0,
  ...given,
});

/** Every delivery from a place to the end, as a deliverer makes them. */
async function deliver(given: Gathering, filter?: ChangeFilter, characters?: number) {
  const { read } = reader(given.heads, filter, characters);
  const deliveries = [];
  for (let { from } = given, first = given.first; ; first += 1) {
    const { changes, to } = await gather(read, { ...given, from, first });
    if (JSON.stringify(to) === JSON.stringify(from)) return { deliveries, reached: from };
    deliveries.push({ from, to, changes, body: deliveryBody(from, changes) });
    from = to;
  }
}

const PARTITIONS = 3;
const sequences = fc.array(fc.nat({ max: 12 }), { minLength: PARTITIONS, maxLength: PARTITIONS });
const vector = fc.record({ assets: sequences, findings: sequences, scores: sequences });
const bounds: fc.Arbitrary<DeliveryBounds> = fc.record({
  changesMax: fc.integer({ min: 1, max: 9 }),
  bytesMax: fc.integer({ min: 1, max: 6_000 }),
  readMax: fc.integer({ min: 1, max: 30 }),
});
const filter = fc.record(
  {
    severityMin: fc.nat({ max: 10 }),
    states: fc.constantFrom(['Failed'], ['Passed'], ['Retired'], STATES),
  },
  { requiredKeys: [] },
);

describe('deliveries one after another', () => {
  it('hold every change that the filter lets through, once, in order, and reach the end (property)', async () => {
    await fc.assert(
      fc.asyncProperty(vector, bounds, filter, fc.nat({ max: 5 }), async (heads, bound, only, first) => {
        const none = () => new Array<number>(PARTITIONS).fill(0);
        const from = { assets: none(), findings: none(), scores: none() };
        const { deliveries, reached } = await deliver(gathering({ from, heads, bounds: bound, first }), only);
        expect(reached).toEqual(heads);
        const seen = new Map<string, number[]>();
        for (const { changes } of deliveries) {
          expect(changes.length).toBeLessThanOrEqual(bound.changesMax);
          for (const { topic, partition, sequence } of changes) {
            const place = `${topic}/${partition}`;
            seen.set(place, [...(seen.get(place) ?? []), sequence]);
          }
        }
        const { severityMin = 0, states } = only;
        for (const topic of ['assets', 'findings', 'scores'] as const) {
          for (let partition = 0; partition < PARTITIONS; partition += 1) {
            const all = Array.from({ length: heads[topic][partition]! }, (_, i) => i + 1);
            const told = all.filter(
              (sequence) =>
                topic !== 'findings' ||
                (states ?? ['Failed']).includes(STATES[sequence % 2]!) ||
                ((sequence * 3) % 11 >= severityMin &&
                  (!states || states.includes(STATES[(sequence + 1) % 2]!))),
            );
            expect(seen.get(`${topic}/${partition}`) ?? []).toEqual(told);
          }
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it('stay below their size limit unless a single change is larger (property)', async () => {
    await fc.assert(
      fc.asyncProperty(vector, bounds, async (heads, bound) => {
        const none = () => new Array<number>(PARTITIONS).fill(0);
        const from = { assets: none(), findings: none(), scores: none() };
        const { deliveries } = await deliver(gathering({ from, heads, bounds: bound }));
        for (const { changes, body } of deliveries) {
          if (changes.length > 1) expect(body.length).toBeLessThanOrEqual(bound.bytesMax);
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it('are built again from only their two ends: the same text (property)', async () => {
    await fc.assert(
      fc.asyncProperty(vector, bounds, filter, fc.nat({ max: 5 }), async (heads, bound, only, first) => {
        const none = () => new Array<number>(PARTITIONS).fill(0);
        const start = { assets: none(), findings: none(), scores: none() };
        const { deliveries } = await deliver(gathering({ from: start, heads, bounds: bound, first }), only);
        for (const { from, to, body } of deliveries) {
          const { read } = reader(heads, only);
          const again = await gather(read, gathering({ from, heads: to, bounds: WITHOUT_BOUNDS }));
          expect(again.to).toEqual(to);
          expect(deliveryBody(from, again.changes).equals(body)).toBe(true);
        }
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('a delivery', () => {
  const from = { assets: [0, 0], findings: [5, 0] };
  const heads = { assets: [1, 0], findings: [7, 1] };

  it('is a batch of CloudEvents, each with the position after it', async () => {
    const { changes, to } = await gather(reader(heads).read, gathering({ from, heads }));
    expect(to).toEqual(heads);
    const body = JSON.parse(`${deliveryBody(from, changes)}`);
    expect(
      body.map((event: { data: { id: string }; position: string }) => [
        event.data.id,
        parseCursor(event.position),
      ]),
    ).toEqual([
      ['assets-0-1', { assets: [1, 0], findings: [5, 0] }],
      ['findings-0-6', { assets: [1, 0], findings: [6, 0] }],
      ['findings-0-7', { assets: [1, 0], findings: [7, 0] }],
      ['findings-1-1', { assets: [1, 0], findings: [7, 1] }],
    ]);
    expect(body[1]).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'posture.finding.updated',
      source: '/posture.intake/0',
      subject: 'findings-0-6',
      time: '1970-01-01T00:00:01.006Z',
      datacontenttype: 'application/json',
      sequence: '6',
      position: 'a:1.0,f:6.0',
      data: expect.objectContaining({ change: expect.objectContaining({ at: '1970-01-01T00:00:01.006Z' }) }),
    });
  });

  it('reads no more than it may hold, and takes turns if a partition has more', async () => {
    const long = { findings: [1_000, 5] };
    const { read, asked } = reader(long);
    const one = await gather(read, gathering({ from: { findings: [0, 0] }, heads: long }));
    expect(one.to).toEqual({ findings: [100, 0] });
    expect(asked).toEqual([100]);
    const other = await gather(read, gathering({ from: one.to, heads: long, first: 1 }));
    expect(other.to).toEqual({ findings: [195, 5] });
  });

  it('skips changes without a subscriber in steps', async () => {
    const long = { findings: [5_000] };
    const { changes, to } = await gather(
      reader(long, { states: ['Retired'] }).read,
      gathering({ from: { findings: [0] }, heads: long }),
    );
    expect([changes.length, to]).toEqual([0, { findings: [2_000] }]);
  });

  it('has as many changes whatever is skipped between them, if it must not show that', async () => {
    const bounds = { ...DELIVERY_BOUNDS, isAlwaysFull: true };
    const sent = Array.from({ length: 120 }, (_, i) => ({ ...changeAt('findings', 0, i + 1) }));
    const sizesWith = async (skipped: number) => {
      const each = skipped + 1;
      const read: ReadChanges = async (_, { after }, { changesMax }) =>
        Array.from({ length: Math.min(changesMax, sent.length * each - after) }, (__, i) => {
          const sequence = after + i + 1;
          const event = sequence % each === 0 ? sent[sequence / each - 1]! : null;
          return { sequence, change: event && { ...placed('findings', 0, event), sequence } };
        });
      const heads = { findings: [sent.length * each] };
      const sizes = [];
      for (let from: ChangeCursor = { findings: [0] }; from.findings![0]! < heads.findings[0]!; ) {
        const { changes, to } = await gather(
          read,
          gathering({ from, heads, bounds, positionCharacters: 60 }),
        );
        if (changes.length > 0) sizes.push(changes.length);
        from = to;
      }
      return sizes;
    };
    expect(await sizesWith(0)).toEqual([100, 20]);
    expect(await sizesWith(70)).toEqual([100, 20]);
    expect(await sizesWith(2_500)).toEqual([100, 20]);
  });

  it('of one larger change has only this change', async () => {
    const [big, ends] = [300 * 1024, { findings: [3] }];
    const { deliveries } = await deliver(gathering({ from: { findings: [0] }, heads: ends }), {}, big);
    expect(deliveries.map(({ changes }) => changes.length)).toEqual([1, 1, 1]);
  });

  it('is null if the history has a gap', async () => {
    const missing = gather(async () => [], gathering({ from, heads }));
    await expect(missing).rejects.toThrow(HistoryGapError);
  });
});
