import fc from 'fast-check';
import {
  decodeIntake,
  type EncodableEvent,
  encodeIntake,
  type PersonalKind,
  replaceInPayload,
} from '#libs/contracts';
import {
  actEnvelope,
  assetId,
  DEFAULT_SETTINGS,
  findingId,
  type IntakeEvent,
  readSignal,
  type Signal,
  type SignalContext,
} from '#libs/domain';
import { type Seals, sealedMachines } from '#libs/sealing';
import { type UploadContext, UploadEvents, UploadPlanner } from '#libs/uploads';
import { type DomainFold, foldByDomain } from './domain-fold.ts';
import { DAY_MS, T0, uploadId } from './scenario.ts';
import { signalArbitrary } from './signal-arbitrary.ts';

const USERS = ['Ana@Acme.com', 'ana@acme.com', 'ana.smith', 'ANA.Smith', ' ana.smith.', '~ana', 'ana'];
const MACHINES = ['web01', 'web01.corp', 'WEB01.other', '10.0.0.5'];

export interface Step {
  signals: Signal[];
  matching: 'name' | 'fqdn';
  replaces: boolean;
  passed: number;
  /** Of the first signal's finding. */
  accepts: boolean;
}

const named = fc
  .tuple(
    signalArbitrary,
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...USERS).map((name) => ({ type: 'user', name })) },
      { weight: 1, arbitrary: fc.constantFrom(...MACHINES).map((name) => ({ type: 'machine', name })) },
    ),
    fc.constantFrom('leaked password', 'Leaked  Password', 'open port'),
  )
  .map(([signal, entity, name]): Signal => ({ ...signal, name, entity: { ...signal.entity, ...entity } }));

/** Uploads and acts about users and machines. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    signals: fc.array(named, { minLength: 1, maxLength: 6 }),
    matching: fc.constantFrom<'name' | 'fqdn'>('name', 'fqdn'),
    replaces: fc.boolean(),
    passed: fc.nat(3 * DAY_MS),
    accepts: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Entity keys of the users. */
export const USER_KEYS = ['ana@acme.com', 'ana.smith', '~ana', 'ana'].map((name) => `user:${name}`);

/** Entity keys of the machines. */
export const MACHINE_KEYS = ['machine:web01', 'machine:10.0.0.5'];

/** Names of sealed machines are in lower case. @param machines patterns of the sealed ones, as `sealedMachines` */
export function withLowerNames(events: IntakeEvent[], machines: string): IntakeEvent[] {
  const isSealed = sealedMachines(machines);
  const replaced = (text: string, kind: PersonalKind) => (kind === 'name' ? text.toLowerCase() : text);
  return events.map(({ envelope, payload }) => ({
    envelope,
    payload: isSealed(envelope.entityKey) ? replaceInPayload(payload, replaced) : payload,
  }));
}

/** The events of a history, as an edge with these seals appends them. */
export function eventsOf(history: Step[], seals: Seals): IntakeEvent[] {
  let at = T0;
  return history.flatMap((step, n) => {
    at += step.passed;
    const settings = { ...DEFAULT_SETTINGS, assetMatching: step.matching };
    const rules = { importAssets: true, updateMetadata: true, overrideAccepted: false };
    const reading: SignalContext = { route: 'zip', receivedAt: at, rules, settings };
    const read = step.signals.flatMap((signal, i) => {
      const one = readSignal(signal, reading);
      return one.ok ? [{ ...one, entry: `${i}.json` }] : [];
    });
    const planner = new UploadPlanner({
      partitions: 1,
      fullAssessmentForTypes: step.replaces ? ['va', 'edr'] : [],
      assetMatchingCriteria: [],
    });
    for (const one of read) planner.add(one);
    const plan = planner.finish([], undefined, seals.entityKeyOf);
    const context: UploadContext = {
      uploadId: uploadId(n),
      kind: 'zip',
      at,
      receivedAt: at,
      user: 'ben',
      requestId: null,
      settingsVersion: 0,
      partitions: 1,
    };
    const events = new UploadEvents(context, plan);
    const uploaded = read.flatMap((one) =>
      events.of({ ...one, entityKey: seals.entityKeyOf(one.entityKey) }),
    );
    const [first] = read;
    const accepted = step.accepts && first ? [acceptance(first, at, seals)] : [];
    return [...uploaded, ...accepted].map((event) => decodeIntake(encodeIntake(seals.seal(event))));
  });
}

export function acceptance(
  { entityKey, payload }: { entityKey: string; payload: IntakeEvent['payload'] },
  at: number,
  seals: Seals,
): EncodableEvent {
  const key = seals.entityKeyOf(entityKey);
  const name = 'name' in payload && typeof payload.name === 'string' ? payload.name : 'none';
  const type = payload.type === 'SignalReceived' ? payload.observations[0]!.type : 'va';
  const origin = {
    entityKey: key,
    at,
    receivedAt: at,
    settingsVersion: 0,
    by: { user: 'ben', requestId: 'r' },
  };
  return {
    envelope: actEnvelope({ ...origin, id: uploadId(900) }),
    payload: {
      type: 'FindingAccepted',
      findingId: findingId(assetId(key), type, name),
      seenVersion: null,
      rationale: 'Ana said so',
      until: null,
    },
  };
}

export const foldOf = (events: IntakeEvent[]) =>
  foldByDomain(events.map((event) => ({ partition: 0, event })));

const byText = <T>(list: T[], text: (one: T) => string) =>
  list.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));

/** What a reader could see of it: ids are of keys, and sealed instances have another order. */
export const seen = ({ entities, partitions, changes, acts }: DomainFold) => ({
  assets: [...entities.values()].flatMap(({ assets }) =>
    assets.map(({ asset, lastSeen, findings }) => ({
      asset: { ...asset, id: '' },
      lastSeen,
      findings: [...findings.values()].map(({ finding, seen }) => ({
        finding: { ...finding, id: '' },
        seen,
      })),
    })),
  ),
  uploads: [...partitions.values()].flatMap(({ uploads }) =>
    [...uploads.values()].map((upload) => ({ ...upload, merged: upload.merged.map(({ name }) => name) })),
  ),
  changes: changes.map(({ change }) => ({ kind: change.kind, change: change.change, at: change.at })),
  acts: acts.map(({ act }) => ({ ...act, target: '' })),
});

/** In the order of the opened keys and names. */
export const ordered = (view: ReturnType<typeof seen>) => ({
  ...view,
  assets: view.assets.map(({ asset, findings, ...rest }) => ({
    ...rest,
    asset: { ...asset, aliases: asset.aliases.toSorted() },
    findings: byText(
      findings.map(({ finding, seen }) => ({
        finding: { ...finding, instances: byText(finding.instances, ({ key }) => key) },
        seen,
      })),
      ({ finding }) => `${finding.type} ${finding.number}`,
    ),
  })),
});
