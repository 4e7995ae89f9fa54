import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partitionOf } from '#libs/contracts';
import { type AssessmentClosed, CURRENT_RULES, type IntakeEvent, type SignalReceived } from '#libs/domain';
import { type UploadContext, UploadEvents, type UploadedSignal } from './upload-events.ts';
import { type ExcludedEntities, type PlanOptions, UploadPlanner } from './upload-plan.ts';

const context: UploadContext = {
  uploadId: '5b1f7c9e-52a7-4a39-9a5c-8f3f0d1f7a10',
  kind: 'zip',
  at: 1_700_000_000_700,
  receivedAt: 1_700_000_000_000,
  user: 'ana',
  requestId: 'r-1',
  settingsVersion: 3,
  partitions: 4,
};
const append: PlanOptions = { partitions: 4, fullAssessmentForTypes: [], assetMatchingCriteria: [] };
const replaceVa: PlanOptions = { ...append, fullAssessmentForTypes: ['va'] };

/** Only the fields that the plan and the events use are real. */
type ReadSignal = UploadedSignal & { payload: SignalReceived };

const signal = (host: string, more: Partial<SignalReceived> = {}): ReadSignal => ({
  entityKey: `machine:${host.split('.')[0]}`,
  payload: {
    type: 'SignalReceived',
    entity: { name: host },
    assetRules: { matching: 'name' },
    ...more,
  } as SignalReceived,
  entry: `${host}.json`,
});

function eventsOf(signals: ReadSignal[], options: PlanOptions, excluded?: ExcludedEntities): IntakeEvent[] {
  const planner = new UploadPlanner(options);
  for (const each of signals) planner.add(each);
  const events = new UploadEvents(context, planner.finish([], excluded));
  return signals.flatMap((each) => events.of(each)) as IntakeEvent[];
}

const shape = (events: IntakeEvent[]) =>
  events.map(({ envelope, payload }) => `${payload.type} ${envelope.entityKey}`);

describe('UploadEvents', () => {
  it('ordinals and counts per partition, one stamp, the header on the first of each (R-FOLD-4, R-FOLD-5)', () => {
    const hosts = fc.array(fc.constantFrom('a', 'b', 'c', 'd.x', 'd.y', 'e', 'f'), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(hosts, fc.boolean(), (names, replaces) => {
        const signals = names.map((name) => signal(name));
        const events = eventsOf(signals, replaces ? replaceVa : append);
        for (const partition of [0, 1, 2, 3]) {
          const inPartition = events.filter(
            ({ envelope }) => partitionOf(envelope.entityKey, 4) === partition,
          );
          if (inPartition.length === 0) continue;
          expect(inPartition.map(({ envelope }) => envelope.cause.ordinal)).toEqual(
            inPartition.map((_, index) => index + 1),
          );
          expect(new Set(inPartition.map(({ envelope }) => envelope.cause.count))).toEqual(
            new Set([inPartition.length]),
          );
          expect(inPartition.map(({ envelope }) => envelope.upload !== null)).toEqual(
            inPartition.map((_, index) => index === 0),
          );
        }
        expect(events[0]!.envelope.upload).toMatchObject({ events: events.length, signals: names.length });
        expect(new Set(events.map(({ envelope }) => envelope.id)).size).toBe(events.length);
        expect(new Set(events.map(({ envelope }) => envelope.cause.receivedAt))).toEqual(
          new Set([context.receivedAt]),
        );
      }),
    );
  });

  it('says who, when, which entry and which settings', () => {
    const [event] = eventsOf([signal('web01')], append);
    expect(event!.envelope).toMatchObject({
      entityKey: 'machine:web01',
      at: context.at,
      rules: CURRENT_RULES,
      settingsVersion: 3,
      cause: {
        kind: 'zip',
        uploadId: context.uploadId,
        receivedAt: context.receivedAt,
        entry: 'web01.json',
        entryIndex: 0,
        user: 'ana',
        requestId: 'r-1',
      },
    });
  });

  it('the same upload gives the same event ids, another one others (R-UPL-2)', () => {
    const ids = (uploadId: string) => {
      const planner = new UploadPlanner(replaceVa);
      planner.add(signal('a'));
      return new UploadEvents({ ...context, uploadId }, planner.finish([]))
        .of(signal('a'))
        .map((e) => e.envelope.id);
    };
    expect(ids(context.uploadId)).toEqual(ids(context.uploadId));
    expect(ids(context.uploadId)).not.toEqual(ids('0b1f7c9e-52a7-4a39-9a5c-8f3f0d1f7a10'));
  });

  it('without fullAssessmentForTypes nothing is closed (R-ZIP-11)', () => {
    expect(shape(eventsOf([signal('a'), signal('b')], append))).toEqual([
      'SignalReceived machine:a',
      'SignalReceived machine:b',
    ]);
  });

  it('closes each named entity right after its last signal, with every name it was called (R-ZIP-14)', () => {
    const events = eventsOf([signal('a.x'), signal('b'), signal('a.y'), signal('a.x')], replaceVa);
    expect(shape(events)).toEqual([
      'SignalReceived machine:a',
      'SignalReceived machine:b',
      'AssessmentClosed machine:b',
      'SignalReceived machine:a',
      'SignalReceived machine:a',
      'AssessmentClosed machine:a',
    ]);
    expect(events.at(-1)!.payload).toEqual({
      type: 'AssessmentClosed',
      types: ['va'],
      names: ['a.x', 'a.y'],
      matching: 'name',
    });
  });

  it('closes an entity of many names with an event for each 1,000 of them', () => {
    const names = Array.from({ length: 2_001 }, (_, i) => `a.${i}`);
    const events = eventsOf([...names.map((name) => signal(name)), signal('a.0')], replaceVa);
    const closed = events.slice(2_002);
    expect(closed.map(({ payload }) => (payload as AssessmentClosed).names)).toEqual([
      names.slice(0, 1_000),
      names.slice(1_000, 2_000),
      names.slice(2_000),
    ]);
    expect(new Set(events.map(({ envelope }) => envelope.id)).size).toBe(2_005);
    expect(closed.map(({ envelope }) => envelope.cause)).toMatchObject(
      [2_003, 2_004, 2_005].map((ordinal) => ({ ordinal, count: 2_005 })),
    );
    expect(events[0]!.envelope.upload).toMatchObject({ events: 2_005, signals: 2_002 });
  });

  it('expired, revoked and entityOnly entries close their entity too (R-ZIP-10)', () => {
    const events = eventsOf(
      [
        signal('a', { ignored: 'expired' }),
        signal('b', { revoked: true }),
        { ...signal('c'), payload: { ...signal('c').payload, type: 'AssetDescribed' } as never },
      ],
      replaceVa,
    );
    expect(shape(events).filter((text) => text.startsWith('AssessmentClosed'))).toEqual([
      'AssessmentClosed machine:a',
      'AssessmentClosed machine:b',
      'AssessmentClosed machine:c',
    ]);
  });

  it('withholds the closing of entities with a rejected entry, or of all (R-ZIP-6)', () => {
    const signals = [signal('a'), signal('b')];
    const some = eventsOf(signals, replaceVa, { rejected: 1, entities: new Set(['machine:a']) });
    expect(shape(some)).toEqual([
      'SignalReceived machine:a',
      'SignalReceived machine:b',
      'AssessmentClosed machine:b',
    ]);
    const none = eventsOf(signals, replaceVa, { rejected: 1, entities: 'all' });
    expect(shape(none)).toHaveLength(2);
    expect(none[0]!.envelope.upload).toMatchObject({ rejected: 1, events: 2 });
  });
});
