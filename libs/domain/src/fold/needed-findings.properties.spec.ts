import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LoggedEvent } from '../../../../test/support/histories.ts';
import { resentHistories } from '../../../../test/support/resends.ts';
import type { IntakeEvent } from '../events.ts';
import type { AssetState, EntityState, TrackedFinding } from '../state.ts';
import { type Effects, noEffects } from './effects.ts';
import { evolve, initialEntity, initialPartition } from './fold.ts';
import { type NeededFindings, neededFindings } from './needed-findings.ts';
import { type DigestOf, RETIRED_DIGEST } from './signal-digest.ts';
import { addUnread, placeRead, unreadOf } from './unread-findings.ts';

/** The fold of a log, and how many findings were in memory before an event without their content having been read. */
function folded(events: LoggedEvent[], forgets: (event: number) => boolean) {
  const partitions = [initialPartition(0), initialPartition(1)];
  const entities = new Map<string, EntityState>();
  const told: unknown[] = [];
  let unread = 0;
  for (const [n, { partition: number, event }] of events.entries()) {
    const { entityKey } = event.envelope;
    const digestOf = digestsOf(event);
    const entity = entities.get(entityKey) ?? initialEntity(entityKey);
    entities.set(entityKey, entity);
    const stored = forgets(n) ? forget(entity) : new Map<AssetState, TrackedFinding[]>();
    for (const needed of neededFindings(partitions[number]!, entity, [{ event, digestOf }]))
      read(needed, stored);
    unread += entity.assets.reduce((sum, asset) => sum + [...unreadOf(asset)].length, 0);
    const effects = noEffects();
    evolve(partitions[number]!, entity, event, effects, digestOf);
    told.push([effects.changes, effects.acts, touched(effects)]);
    remember(entity, stored);
  }
  return {
    told,
    partitions,
    entities: [...entities].map(([key, { assets }]) => [key, assets.map(comparable)]),
    unread,
  };
}

/** All that signals say about a finding. */
const digestsOf =
  ({ envelope, payload }: IntakeEvent): DigestOf =>
  (observation) => {
    if (payload.type !== 'SignalReceived') return null;
    const { source, name, description, confidence, extra } = payload;
    return JSON.stringify([envelope.rules, source, name, description, confidence, observation, extra]);
  };

/** As a store keeps it: findings with a digest, and Retired ones, are not read. */
function forget({ assets }: EntityState): Map<AssetState, TrackedFinding[]> {
  const stored = new Map<AssetState, TrackedFinding[]>();
  for (const asset of assets) {
    const all = [...asset.findings.values()];
    stored.set(asset, all);
    asset.findings.clear();
    asset.unchanging = undefined;
    asset.nothingDueBefore = Number.POSITIVE_INFINITY;
    const isUnread = ({ finding, digest }: TrackedFinding) => finding.state === 'Retired' || digest;
    for (const { finding, seen, digest } of all.filter(isUnread)) {
      const stored = finding.state === 'Retired' ? RETIRED_DIGEST : digest!;
      addUnread(asset, { number: finding.number, digest: stored, seen, id: null });
    }
    placeRead(
      asset,
      all.filter((one) => !isUnread(one)),
    );
  }
  return stored;
}

const trackedOf = (stored: Map<AssetState, TrackedFinding[]>, asset: AssetState, numbers: Set<number>) =>
  (stored.get(asset) ?? []).filter(({ finding }) => numbers.has(finding.number));

function read({ asset, unread, ids }: NeededFindings, stored: Map<AssetState, TrackedFinding[]>): void {
  const numbers = new Set(unread.map(({ number }) => number));
  const named = (stored.get(asset) ?? []).filter(({ finding }) => ids.includes(finding.id));
  for (const { finding } of named)
    if (asset.unread!.byNumber.has(finding.number)) numbers.add(finding.number);
  placeRead(asset, trackedOf(stored, asset, numbers));
  for (const id of ids) if (!asset.findings.has(id)) asset.unread?.absent.add(id);
}

/** Reads all findings. Those that were not read keep their times. */
function remember({ assets }: EntityState, stored: Map<AssetState, TrackedFinding[]>): void {
  for (const asset of assets) {
    const left = new Map([...unreadOf(asset)].map((one) => [one.number, one]));
    const tracked = trackedOf(stored, asset, new Set(left.keys()));
    placeRead(
      asset,
      tracked.map(({ finding, digest }) => ({
        finding,
        seen: left.get(finding.number)!.seen,
        digest: digest ?? null,
      })),
    );
  }
}

const touched = ({ touchedAssets, touchedFindings, touchedUnread }: Effects) => [
  [...touchedAssets].map(({ asset }) => asset.number),
  [
    ...[...touchedFindings].map(([id, { findings }]) => findings.get(id)!.finding.number),
    ...[...touchedUnread.keys()].map(({ number }) => number),
  ].sort((a, b) => a - b),
];

const comparable = ({ asset, lastSeen, findings, findingCounter }: AssetState) => ({
  asset,
  lastSeen,
  findingCounter,
  findings: [...findings.values()].map(({ finding, seen, digest = null }) => ({ finding, seen, digest })),
});

it('findings that are not read, and descriptions that are not remembered, change no state, no change, no act and no outcome', () => {
  let unread = 0;
  fc.assert(
    fc.property(resentHistories, fc.infiniteStream(fc.boolean()), (events, forgets) => {
      const whole = folded(events, () => false);
      const partly = folded(events, () => forgets.next().value as boolean);
      unread += partly.unread;
      expect({ ...partly, unread: 0 }).toEqual(whole);
    }),
    { numRuns: 300 },
  );
  expect(unread).toBeGreaterThan(1_000);
});
