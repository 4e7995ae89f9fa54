import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DAY_MS,
  entity,
  event,
  instance,
  observation,
  Scenario,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import type { InstanceStatus, IntakeEvent, IntakePayload } from '../events.ts';
import { entityKey } from '../signal/entity-key.ts';
import type { EntityState } from '../state.ts';
import { noEffects } from './effects.ts';
import { evolve, initialEntity, initialPartition } from './fold.ts';

const names = fc.constantFrom('a', 'b', 'c', 'd');
const statuses = fc.constantFrom<InstanceStatus>('pass', 'fail', 'unknown');
const keys = fc.constantFrom('22/tcp', '443/tcp', '80/tcp');
const observations = fc.oneof(
  statuses.map((status) => observation('va', [instance(status)])),
  fc
    .tuple(statuses, keys)
    .map(([status, key]) => observation('va', [instance(status, { key })], { mode: 'merge' })),
  fc.uniqueArray(fc.tuple(statuses, keys), { selector: ([, key]) => key, minLength: 1 }).map((set) =>
    observation(
      'va',
      set.map(([status, key]) => instance(status, { key })),
    ),
  ),
);

const signals = fc
  .record({ name: names, observation: observations })
  .map(({ name, observation }) => signal(name, 'fail', { observations: [observation] }));

/** Every order of two sequences that keeps the order of each. */
function interleavings<T>(a: T[], b: T[]): T[][] {
  if (a.length === 0) return [b];
  if (b.length === 0) return [a];
  return [
    ...interleavings(a.slice(1), b).map((rest) => [a[0]!, ...rest]),
    ...interleavings(a, b.slice(1)).map((rest) => [b[0]!, ...rest]),
  ];
}

const closed: IntakePayload = { type: 'AssessmentClosed', types: ['va'], names: ['web01'], matching: 'name' };

const activeNames = (run: Scenario) =>
  Object.entries(run.states)
    .filter(([, state]) => state !== 'Retired')
    .map(([name]) => name);

/** Name and key of every instance. */
const instancesOf = (run: Scenario) =>
  run.entity.assets.flatMap(({ findings }) =>
    [...findings.values()].flatMap(({ finding: { name, instances } }) =>
      instances.map(({ key }) => `${name} ${key}`),
    ),
  );

/** The state without the fields that every signal updates. */
const withoutVersions = ({ assets }: EntityState) =>
  assets.map(({ asset, findings }) => ({
    asset: { ...asset, number: 0, version: 0, updatedAt: 0 },
    findings: [...findings.values()].map(({ finding }) => ({
      ...finding,
      version: 0,
      updatedAt: 0,
      firstSeen: 0,
    })),
  }));

describe('replacing ZIPs of one host (R-FOLD-4)', () => {
  it('never lose a finding of the ZIP that was received last, in any order of their events', () => {
    const first = upload(1, T0, [signal('a'), signal('b'), closed]);
    const second = upload(2, T0 + 1, [signal('b'), signal('c'), closed]);
    const orders = interleavings(first, second);
    expect(orders).toHaveLength(20);
    for (const order of orders) {
      const run = new Scenario().fold(...order);
      expect(activeNames(run)).toEqual(expect.arrayContaining(['b', 'c']));
    }
  });

  it('nor when each of them was retried and its events are in the log twice', () => {
    fc.assert(
      fc.property(
        fc.array(signals, { minLength: 1, maxLength: 4 }),
        fc.array(signals, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat(3)),
        (a, b, picks) => {
          const uploads = [upload(1, T0, [...a, closed]), upload(2, T0 + 1, [...b, closed])];
          const queues = [uploads[0]!, uploads[1]!, uploads[0]!, uploads[1]!].map((events) => [...events]);
          const order: IntakeEvent[] = [];
          while (queues.some((queue) => queue.length > 0)) {
            const queue = queues[picks.next().value]!;
            if (queue.length > 0) order.push(queue.shift()!);
          }
          const run = new Scenario().fold(...order);
          const alone = new Scenario().fold(...uploads[1]!);
          expect(activeNames(run)).toEqual(expect.arrayContaining(activeNames(alone)));
          expect(instancesOf(run)).toEqual(expect.arrayContaining(instancesOf(alone)));
          expect(run.partition.uploads.size).toBe(2);
        },
      ),
    );
  });

  it('leave exactly the second one’s findings if they do not overlap', () => {
    fc.assert(
      fc.property(
        fc.array(signals, { minLength: 1, maxLength: 6 }),
        fc.array(signals, { minLength: 1, maxLength: 6 }),
        (a, b) => {
          const run = new Scenario().fold(
            ...upload(1, T0, [...a, closed]),
            ...upload(2, T0 + 1, [...b, closed]),
          );
          expect(new Set(activeNames(run))).toEqual(new Set(b.map(({ name }) => name)));
        },
      ),
    );
  });
});

describe('resending (R-UPL-7)', () => {
  it('is idempotent: the second time everything is unchanged and no history is written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(signals, { selector: ({ name }) => name, maxLength: 4 }), (payloads) => {
        const run = new Scenario().fold(...upload(1, T0, payloads));
        const before = withoutVersions(run.entity);
        run.fold(...upload(2, T0 + 1, payloads));
        expect(run.effects.changes).toEqual([]);
        expect(withoutVersions(run.entity)).toEqual(before);
        if (payloads.length > 0) expect(run.counts(2).unchanged).toBe(payloads.length);
      }),
    );
  });
});

describe('order of unrelated entities', () => {
  const key = (n: number) => `machine:host${n}`;
  const histories = fc.array(fc.tuple(fc.nat(2), signals), { maxLength: 12 });

  function foldAll(events: { key: string; event: IntakeEvent }[]) {
    const partition = initialPartition(0);
    const entities = new Map<string, EntityState>();
    for (const { key, event } of events) {
      if (!entities.has(key)) entities.set(key, initialEntity(key));
      evolve(partition, entities.get(key)!, event, noEffects());
    }
    return Object.fromEntries([...entities].sort().map(([key, state]) => [key, withoutVersions(state)]));
  }

  it('does not matter while event times do not run backwards', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.nat(2)), (history, picks) => {
        // Each entity has its own uploads at one time, so that any interleaving keeps times in order.
        const events = history.map(([n, payload], i) => {
          const named = { ...payload, entity: entity({ name: `host${n}` }) };
          const [one] = upload(i + 1, T0, [named], { entityKey: key(n) });
          return { key: key(n), event: one! };
        });
        const queues = [0, 1, 2].map((n) => events.filter((e) => e.key === key(n)));
        const shuffled: typeof events = [];
        while (queues.some((queue) => queue.length > 0)) {
          const queue = queues[picks.next().value]!;
          if (queue.length > 0) shuffled.push(queue.shift()!);
        }
        expect(foldAll(shuffled)).toEqual(foldAll(events));
      }),
    );
  });
});

describe('the fold as a function of the log (R-FOLD-2)', () => {
  const anyEvent = fc.oneof(
    { weight: 6, arbitrary: signals },
    fc.constant(closed),
    fc.constant<IntakePayload>({ type: 'EntitySwept', deleteIdleSince: null }),
  );
  const anyLog = fc.array(fc.tuple(anyEvent, fc.integer({ min: -5 * DAY_MS, max: 200 * DAY_MS })), {
    maxLength: 20,
  });

  it('gives the same states and changes for the same log, for all clock readings', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const events = log.flatMap(([payload, skew], i) =>
          payload.type === 'EntitySwept' ? [event(payload, T0 + skew)] : upload(i + 1, T0 + skew, [payload]),
        );
        const [one, two] = [new Scenario().fold(...events), new Scenario().fold(...events)];
        expect(two.entity).toEqual(one.entity);
        expect(two.effects.changes).toEqual(one.effects.changes);
        const times = one.effects.changes.map(({ at }) => at);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
    );
  });
});

describe('ids of assets (R-ASSET-7)', () => {
  const hosts = ['web01', 'web01.a.com', 'web01.b.com', 'web01.c.com'];
  const named = fc.record({
    name: fc.constantFrom(...hosts, ...hosts.map((host) => `web01|${host}`), 'web01|web01|web01'),
    fqdn: fc.option(fc.constantFrom(...hosts.slice(1)), { nil: null }),
    rules: fc.constantFrom(6, 7),
    importAssets: fc.boolean(),
  });

  it('are different for all assets, whatever they are called and in whatever order', () => {
    fc.assert(
      fc.property(fc.array(named, { minLength: 2, maxLength: 12 }), (sent) => {
        const entities = new Map<string, EntityState>();
        const partition = initialPartition(0);
        for (const [n, { name, fqdn, rules, importAssets }] of sent.entries()) {
          const key = entityKey('machine', name);
          const state = entities.get(key) ?? initialEntity(key);
          entities.set(key, state);
          const one = signal('a', 'fail', {
            entity: entity({ name, fqdn }),
            assetRules: { matching: 'fqdn', importAssets, updateMetadata: true },
          });
          for (const event of upload(n, T0 + n, [one], { entityKey: key, rules })) {
            evolve(partition, state, event, noEffects());
          }
        }
        const ids = [...entities.values()].flatMap(({ assets }) => assets.map(({ asset }) => asset.id));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
