import {
  type AssetState,
  actEnvelope,
  type EntityMended,
  type Finding,
  fold,
  type IntakeEvent,
  type MendedAsset,
  type MendedFinding,
  type PartitionState,
  readingAt,
  sameContent,
  type TrackedFinding,
} from '#libs/domain';
import type { TwoFolds } from './two-folds.ts';

/** An entity that differs from its state without a wrong clock. */
export interface Mend {
  entityKey: string;
  payload: EntityMended;
}

/** Fields that each fold computes independently. */
const OWN = new Set(['id', 'number', 'version', 'updatedAt']);
const OWN_OF_SEEN = new Set(['seenAt']);

/** Size limit of a mend: an event is a record of the log. */
const FINDINGS_MAX = 200;
const CHARACTERS_MAX = 500_000;

/** The mends after both folds, entity by entity; a large one in several pieces. */
export function* mendsOf({ actual, right }: TwoFolds): Generator<Mend> {
  const { state } = actual;
  const [ours, theirs] = [withoutUploads(state), withoutUploads(right.state)];
  for (const [entityKey, entity] of actual.entities) {
    const rightly = right.entities.get(entityKey);
    if (!rightly || entity.assets.length === 0) continue;
    const tick = tickOf(entityKey, state.clock);
    const [now, should] = [fold(ours, entity, tick).entity, fold(theirs, rightly, tick).entity];
    const pairs = entity.assets.flatMap((is, i) => {
      const right = should.assets.find(({ asset }) => asset.id === is.asset.id);
      return right ? [{ is, now: now.assets[i]!, should: right }] : [];
    });
    for (const payload of piecesOf(pairs, state.clock)) yield { entityKey, payload };
  }
}

/** For events of no upload: each `fold` copies the state. */
const withoutUploads = (state: PartitionState): PartitionState => ({ ...state, uploads: new Map() });

/** An asset: current, with due transitions, and with due transitions without the wrong clock. */
interface Pair {
  is: AssetState;
  now: AssetState;
  should: AssetState;
}

/** The result of a sweep: a correct end is not mended. */
const tickOf = (entityKey: string, clock: number): IntakeEvent => ({
  envelope: actEnvelope({ id: '', entityKey, ...readingAt(clock), settingsVersion: 0, by: null }),
  payload: { type: 'EntitySwept', deleteIdleSince: null },
});

function* piecesOf(pairs: Pair[], clock: number): Generator<EntityMended> {
  const assets = pairs.flatMap((pair) => mendedAsset(pair, clock) ?? []);
  let piece: EntityMended = { type: 'EntityMended', assets, findings: [] };
  let characters = 0;
  for (const finding of pairs.flatMap((pair) => [...mendedFindings(pair, clock)])) {
    characters += JSON.stringify(finding).length;
    piece.findings.push(finding);
    if (piece.findings.length < FINDINGS_MAX && characters < CHARACTERS_MAX) continue;
    yield piece;
    piece = { type: 'EntityMended', assets: [], findings: [] };
    characters = 0;
  }
  if (piece.assets.length + piece.findings.length > 0) yield piece;
}

function mendedAsset({ is, now, should }: Pair, clock: number): MendedAsset | null {
  const isAhead = is.asset.updatedAt > clock || is.lastSeen > clock;
  if (!isAhead && isEmpty(differing(contentOf(now), contentOf(should), OWN))) return null;
  return {
    assetId: is.asset.id,
    seenVersion: is.asset.version,
    seenAt: is.lastSeen,
    fields: differing(contentOf(is), contentOf(should), OWN),
  };
}

/** An optional field is compared by what it means: a mend sets fields and removes none. */
const contentOf = ({ asset }: AssetState) => ({
  edrSources: [],
  erasedAt: null,
  statements: [],
  trustedSources: [],
  ...asset,
});

/** Both with null for an optional field that only the other has. */
function contentsOf(one: Finding, other: Finding): [Finding, Finding] {
  const none = Object.fromEntries(Object.keys({ ...one, ...other }).map((name) => [name, null]));
  return [
    { ...none, ...one },
    { ...none, ...other },
  ];
}

function* mendedFindings({ is, now, should }: Pair, clock: number): Generator<MendedFinding> {
  for (const [findingId, right] of should.findings) {
    const [known, due] = [is.findings.get(findingId), now.findings.get(findingId)];
    if (known && due && !isAhead(known, clock) && isSame(due, right)) continue;
    yield {
      assetId: is.asset.id,
      findingId,
      seenVersion: known?.finding.version ?? 0,
      seenAt: known?.seen.seenAt ?? 0,
      fields: known
        ? differing(...contentsOf(known.finding, right.finding), OWN)
        : differing({}, right.finding, OWN),
      seen: differing(known?.seen ?? {}, right.seen, OWN_OF_SEEN),
    };
  }
}

const isAhead = ({ finding, seen }: TrackedFinding, clock: number): boolean =>
  finding.updatedAt > clock || seen.seenAt > clock;

const isSame = (one: TrackedFinding, other: TrackedFinding): boolean =>
  isEmpty(differing(...contentsOf(one.finding, other.finding), OWN)) &&
  isEmpty(differing(one.seen, other.seen, OWN_OF_SEEN));

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Fields of what should be that are otherwise, each with its value as JSON. */
function differing(is: object, should: object, own: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(should)
      .filter(([name, value]) => !own.has(name) && !sameContent((is as Record<string, unknown>)[name], value))
      .map(([name, value]) => [name, JSON.stringify(value)]),
  );
}
