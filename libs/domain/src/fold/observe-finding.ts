import type { Envelope, Observation, ObservedInstance, SignalReceived } from '../events.ts';
import { findingId } from '../signal/event-ids.ts';
import type {
  AssetState,
  Finding,
  FindingSeen,
  FindingState,
  Stamp,
  TrackedFinding,
  UnreadFinding,
  UploadState,
} from '../state.ts';
import { stateOf } from './finding-state.ts';
import { eventTime } from './partition-clock.ts';
import { sameContent } from './same-content.ts';
import { latest } from './stamp.ts';
import { changeFinding, type Moment, retireFinding, trackFinding } from './track-finding.ts';
import { trackUnread, unreadWithDigest } from './unread-findings.ts';
import { countIgnored } from './upload-progress.ts';

/** The first rules under which a revocation that names instances, also all of them at once, removes only these. */
const REVOKED_BY_KEY = 7;

/** The first rules under which an observation leaves instances of uploads that were received later (ADR-0151). */
const LATER_STAY = 8;

/** The first rules under which a late signal moves no end of a finding back (ADR-0161). */
const LATER_ENDS = 11;

/** The first rules under which a revocation leaves no stamps of the instances that it removes (ADR-0161). */
const STAMPS_REVOKED = 11;

/** The first rules under which stamps of instances that the finding did not get stay (ADR-0161). */
const STAMPS_STAY = 11;

/** A signal that is being folded into an asset. */
export interface Sighting {
  envelope: Envelope;
  signal: SignalReceived;
  upload: UploadState;
}

/**
 * Applies the data of a signal about one finding: it creates the finding, or moves it to the latest status (R-FIND-13),
 * or only extends its times if it is accepted or held (R-ACC-2, R-ACC-6).
 */
export function observeFinding(
  moment: Moment,
  asset: AssetState,
  sighting: Sighting,
  observation: Observation,
): void {
  const { signal } = sighting;
  const digest = moment.digestOf(observation);
  const unread = unreadWithDigest(asset, observation, digest);
  if (unread) {
    seeUnread(moment, asset, sighting, observation, unread);
    return;
  }
  const id = findingId(asset.asset.id, observation.type, signal.name);
  const known = knownFinding(asset, id);
  const standing = known && standingState(known.finding, observation, signal.overrideAccepted, moment.clock);
  if (!known) createFinding(moment, asset, sighting, observation, id);
  else if (standing) seeStanding(moment, asset, sighting, observation, known, standing);
  else updateFinding(moment, asset, sighting, observation, known);
}

/** A revoked signal removes its instances, and retires the finding with the last of them (R-FIND-12). */
export function revokeFinding(
  moment: Moment,
  asset: AssetState,
  sighting: Sighting,
  observation: Observation,
): void {
  const { signal, upload } = sighting;
  const known = knownFinding(asset, findingId(asset.asset.id, observation.type, signal.name));
  const standing = known && standingState(known.finding, observation, false, moment.clock);
  const left = known && instancesLeft(known.finding, observation, moment.rules);
  if (!known || known.finding.state === 'Retired' || left?.length === known.finding.instances.length) {
    countIgnored(upload, 'revoked');
  } else if (standing) {
    countIgnored(upload, reasonOf(standing));
  } else if (left!.length > 0) {
    const seen = moment.rules < STAMPS_REVOKED ? known.seen : withoutStamps(known.seen, observation);
    keepInstances(moment, asset, { ...known, seen }, left!);
    upload.counts.updated += 1;
  } else {
    retireFinding(moment, asset, known, 'revoked');
    upload.counts.retired += 1;
  }
}

/** @throws if it was not looked up whether the asset has it: folding on would create it twice */
function knownFinding({ findings, unread }: AssetState, id: string): TrackedFinding | undefined {
  const known = findings.get(id);
  if (!known && unread && !unread.absent.has(id)) throw new Error(`finding ${id} has not been read`);
  return known;
}

function instancesLeft({ instances }: Finding, revoked: Observation, rules: number): ObservedInstance[] {
  const keys = new Set(revoked.instances.map(({ key }) => key));
  const isOfAll = revoked.mode === 'whole' && (rules < REVOKED_BY_KEY || keys.has(''));
  return isOfAll ? [] : instances.filter(({ key }) => !keys.has(key));
}

function withoutStamps(seen: FindingSeen, revoked: Observation): FindingSeen {
  if (!seen.instanceStamps) return seen;
  const keys = new Set(revoked.instances.map(({ key }) => key));
  const left = Object.entries(seen.instanceStamps).filter(([key]) => !keys.has(key));
  return { ...seen, instanceStamps: Object.fromEntries(left) };
}

/** Leaves a finding with some of its instances, in the state that they give. */
export function keepInstances(
  moment: Moment,
  asset: AssetState,
  { finding, seen }: TrackedFinding,
  instances: ObservedInstance[],
): void {
  const state = stateOf(instances);
  const kept: Finding = { ...finding, instances, state };
  changeFinding(moment, asset, { finding: kept, seen }, changeTo(finding, state), finding.state);
}

function createFinding(
  moment: Moment,
  asset: AssetState,
  sighting: Sighting,
  observation: Observation,
  id: string,
): void {
  const { envelope, signal, upload } = sighting;
  const digest = moment.digestOf(observation);
  asset.findingCounter += 1;
  const instances = sortedByKey(observation.instances);
  const finding: Finding = {
    number: asset.findingCounter,
    id,
    ...contentOf(signal, observation),
    instances,
    state: stateOf(instances),
    retiredReason: null,
    accepted: null,
    heldFailed: null,
    firstSeen: signal.firstSeen ?? Math.min(eventTime(envelope), lastSeenOf(sighting)),
    version: 0,
    updatedAt: moment.clock,
  };
  const tracked = { finding, seen: firstSeen(moment, sighting, observation), digest };
  changeFinding(moment, asset, tracked, 'created', null);
  upload.counts.created += 1;
}

function updateFinding(
  moment: Moment,
  asset: AssetState,
  sighting: Sighting,
  observation: Observation,
  known: TrackedFinding,
): void {
  const { finding } = known;
  const { signal, upload } = sighting;
  const { counts } = upload;
  const others = otherInstances(moment, known, sighting, observation);
  const instances = sortedByKey([...others, ...observation.instances]);
  // An upload that is received later would remove what this observation left only because it is late.
  const digest = others.some(({ key }) => isReplaced(observation, key)) ? null : moment.digestOf(observation);
  const seen = seenAgain(moment, known, sighting, observation, () =>
    moment.rules < LATER_STAY ? keptInstanceStamps(known) : stampsBefore(moment, known, instances),
  );
  const next: Finding = {
    ...finding,
    ...contentOf(signal, observation),
    instances,
    state: stateOf(instances),
    retiredReason: null,
    accepted: null,
  };
  if (sameContent(finding, next)) {
    trackFinding(moment, asset, { finding, seen, digest });
    counts.unchanged += 1;
    return;
  }
  const reason = finding.state === 'AcceptedFailed' ? 'acceptanceOverridden' : null;
  const tracked = { finding: next, seen, digest };
  changeFinding(moment, asset, tracked, changeTo(finding, next.state), finding.state, reason);
  counts.updated += 1;
}

/** The finding is as the last signal left it, and this one says the same: only its times change. */
function seeUnread(
  moment: Moment,
  asset: AssetState,
  sighting: Sighting,
  observation: Observation,
  unread: UnreadFinding,
): void {
  const { seen } = unread;
  unread.seen = seenAgain(moment, unread, sighting, observation, () =>
    moment.rules < LATER_STAY ? storedInstanceStamps(seen) : stampsOfUnread(moment, seen, observation),
  );
  trackUnread(moment, asset, unread);
  sighting.upload.counts.unchanged += 1;
}

/** Accepted or held: neither status nor observation changes, but its times do; a retired one returns in that state (R-ACC-7). */
function seeStanding(
  moment: Moment,
  asset: AssetState,
  sighting: Sighting,
  observation: Observation,
  known: TrackedFinding,
  standing: 'AcceptedFailed' | 'Failed',
): void {
  const { finding } = known;
  const seen = seenAgain(moment, known, sighting, observation, () =>
    moment.rules < LATER_STAY ? keptInstanceStamps(known) : stampsBefore(moment, known, finding.instances),
  );
  if (finding.state === 'Retired') {
    const returned: Finding = { ...finding, state: standing, retiredReason: null };
    changeFinding(moment, asset, { finding: returned, seen }, 'returned', finding.state);
    sighting.upload.counts.updated += 1;
    return;
  }
  trackFinding(moment, asset, { finding, seen });
  countIgnored(sighting.upload, reasonOf(standing));
}

/** The state that a user gave the finding and that this signal does not change; null if it does. */
function standingState(
  { accepted, heldFailed }: Finding,
  { instances }: Observation,
  overrideAccepted: boolean,
  clock: number,
): 'AcceptedFailed' | 'Failed' | null {
  if (heldFailed) return 'Failed';
  const isAccepted = accepted !== null && (accepted.until === null || accepted.until > clock);
  if (!isAccepted) return null;
  return overrideAccepted && stateOf(instances) === 'Failed' ? null : 'AcceptedFailed';
}

const reasonOf = (standing: 'AcceptedFailed' | 'Failed') =>
  standing === 'AcceptedFailed' ? 'accepted' : 'heldFailed';

function changeTo(finding: Finding, state: FindingState) {
  if (finding.state === 'Retired') return 'returned';
  return finding.state === state ? 'updated' : 'stateChanged';
}

/** The order of the fields is that of stored findings: `posture verify` compares their JSON as text. */
const contentOf = (signal: SignalReceived, { mode, instances, type, subtype, ...content }: Observation) => ({
  type,
  subtype,
  name: signal.name,
  description: signal.description,
  ...content,
  source: signal.source,
  confidence: signal.confidence,
  extra: signal.extra,
});

/** Whether the form of an observation removes an instance that it does not name (R-FIND-3, R-FIND-4). */
const isReplaced = ({ mode }: Observation, key: string): boolean => mode === 'whole' || key === '';

/**
 * The instances that an observation leaves as they are. Of uploads that were received in one millisecond the last one in
 * the log decides: their ids have no order that a sender knows.
 */
function otherInstances(
  moment: Moment,
  { finding, seen }: TrackedFinding,
  { upload }: Sighting,
  observation: Observation,
): ObservedInstance[] {
  const isLate = isReceivedLater(moment, seen.stamp, upload.stamp);
  if (finding.state === 'Retired' || (observation.mode === 'whole' && !isLate)) return [];
  const given = new Set(observation.instances.map(({ key }) => key));
  return finding.instances.filter(
    ({ key }) =>
      !given.has(key) &&
      (!isReplaced(observation, key) || isReceivedLater(moment, stampOf(seen, key), upload.stamp)),
  );
}

const isReceivedLater = ({ rules }: Moment, known: Stamp, { at }: Stamp): boolean =>
  rules >= LATER_STAY && known.at > at;

const sortedByKey = (instances: ObservedInstance[]) =>
  instances.length < 2 ? instances : [...instances].sort((a, b) => (a.key < b.key ? -1 : 1));

const lastSeenOf = ({ envelope, signal }: Sighting) => signal.lastSeen ?? eventTime(envelope);

const stampsOf = ({ instances }: Observation, stamp: Stamp): Record<string, Stamp> =>
  Object.fromEntries(instances.map(({ key }) => [key, stamp]));

const firstSeen = ({ clock }: Moment, sighting: Sighting, observation: Observation): FindingSeen => ({
  seenAt: clock,
  signalId: sighting.signal.signalId,
  lastSeen: lastSeenOf(sighting),
  expiresAt: sighting.signal.expiresAt,
  retainUntil: sighting.signal.retainUntil,
  stamp: sighting.upload.stamp,
  instanceStamps: observation.mode === 'merge' ? stampsOf(observation, sighting.upload.stamp) : null,
});

/**
 * Keeps the greatest stamp that touched the finding, and moves no end back if the event is late, so an earlier upload
 * undoes nothing (R-FOLD-4, R-EXP-1). Content that is not read is not Retired.
 */
function seenAgain(
  moment: Moment,
  { seen, finding }: { seen: FindingSeen; finding?: Finding },
  sighting: Sighting,
  observation: Observation,
  keptStamps: () => Record<string, Stamp>,
): FindingSeen {
  const fresh = firstSeen(moment, sighting, observation);
  const { stamp } = fresh;
  const isLate = isReceivedLater(moment, seen.stamp, stamp);
  const isSingle = observation.mode === 'merge' || isLate;
  const isKept = isLate && finding?.state !== 'Retired' && moment.rules >= LATER_ENDS;
  const ends = isKept ? seen : fresh;
  return {
    ...fresh,
    expiresAt: Math.max(ends.expiresAt, fresh.expiresAt),
    retainUntil: Math.max(ends.retainUntil, fresh.retainUntil),
    lastSeen: Math.max(seen.lastSeen, fresh.lastSeen),
    stamp: latest(seen.stamp, stamp),
    instanceStamps: isSingle ? singleStamps(moment, seen, stampsOf(observation, stamp), keptStamps()) : null,
  };
}

/** Under rules 7 and earlier a late upload lowered the stamp of an instance that came as a part of a whole set. */
function singleStamps(
  { rules }: Moment,
  { instanceStamps }: FindingSeen,
  given: Record<string, Stamp>,
  kept: Record<string, Stamp>,
): Record<string, Stamp> {
  const before = rules < LATER_STAY ? instanceStamps : { ...instanceStamps, ...kept };
  return { ...kept, ...mapValues(given, (stamp, key) => latest(stamp, before?.[key] ?? stamp)) };
}

/** Instances that came as a whole set share the finding's stamp; once one is set singly, each needs its own. */
const stampOf = ({ stamp, instanceStamps }: FindingSeen, key: string): Stamp =>
  instanceStamps?.[key] ?? stamp;

/** Under rules 7 and earlier: the stamps of all instances but the unnamed one. */
const keptInstanceStamps = ({
  finding: { instances, state },
  seen,
}: TrackedFinding): Record<string, Stamp> =>
  state === 'Retired'
    ? {}
    : Object.fromEntries(instances.flatMap(({ key }) => (key === '' ? [] : [[key, stampOf(seen, key)]])));

/**
 * The stamps of the kept instances that the finding has already, and of the ones that it did not get: their upload
 * reported them while the finding was accepted or held.
 */
function stampsBefore(
  { rules }: Moment,
  { finding, seen }: TrackedFinding,
  kept: ObservedInstance[],
): Record<string, Stamp> {
  if (finding.state === 'Retired') return {};
  const known = new Set(finding.instances.map(({ key }) => key));
  const keys = kept.flatMap(({ key }) => (known.has(key) ? [key] : []));
  const stamped = rules < STAMPS_STAY ? [] : Object.keys(seen.instanceStamps ?? {});
  return stampsOfKeys(seen, [...keys, ...stamped.filter((key) => !known.has(key))]);
}

/** As `keptInstanceStamps`: a signal that set single instances was the last to change it, so each has a stamp. */
const storedInstanceStamps = ({ instanceStamps }: FindingSeen): Record<string, Stamp> =>
  Object.fromEntries(
    Object.entries(instanceStamps ?? {})
      .filter(([key]) => key !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** As `stampsBefore`: the observation is the last that changed the finding, so a whole one has all of its instances. */
function stampsOfUnread(
  { rules }: Moment,
  seen: FindingSeen,
  { mode, instances }: Observation,
): Record<string, Stamp> {
  const keys = mode === 'whole' ? instances.map(({ key }) => key) : [];
  const stamped = mode === 'whole' && rules < STAMPS_STAY ? [] : Object.keys(seen.instanceStamps ?? {});
  return stampsOfKeys(seen, [...keys, ...stamped]);
}

const stampsOfKeys = (seen: FindingSeen, keys: string[]): Record<string, Stamp> =>
  Object.fromEntries(keys.sort().map((key) => [key, stampOf(seen, key)]));

const mapValues = <T>(record: Record<string, T>, map: (value: T, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
