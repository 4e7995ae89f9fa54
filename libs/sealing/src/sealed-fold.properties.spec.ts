import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeIntake, type EncodableEvent, encodeIntake, partitionOf } from '#libs/contracts';
import {
  actEnvelope,
  assetId,
  CURRENT_RULES,
  DEFAULT_SETTINGS,
  findingId,
  type IntakeEvent,
  readSignal,
  type Signal,
  type SignalContext,
} from '#libs/domain';
import { type UploadContext, UploadEvents, UploadPlanner } from '#libs/uploads';
import { type DomainFold, foldByDomain } from '../../../test/support/domain-fold.ts';
import { runs } from '../../../test/support/long-run.ts';
import { DAY_MS, T0, uploadId } from '../../../test/support/scenario.ts';
import { signalArbitrary } from '../../../test/support/signal-arbitrary.ts';
import { SubjectKeysInMemory } from '../../../test/support/subject-keys-in-memory.ts';
import { EventSealer } from './event-sealer.ts';
import { personName, Seals } from './seals.ts';
import { TextOpener } from './text-opener.ts';

const USERS = ['Ana@Acme.com', 'ana@acme.com', 'ana.smith', 'ANA.Smith', ' ana.smith.', '~ana', 'ana'];
const MACHINES = ['web01', 'web01.corp', 'WEB01.other', '10.0.0.5'];

interface Step {
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

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    signals: fc.array(named, { minLength: 1, maxLength: 6 }),
    matching: fc.constantFrom<'name' | 'fqdn'>('name', 'fqdn'),
    replaces: fc.boolean(),
    passed: fc.nat(3 * DAY_MS),
    accepts: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** The events of a history, as an edge with these seals appends them. */
function eventsOf(history: Step[], seals: Seals): IntakeEvent[] {
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

function acceptance(
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

const foldOf = (events: IntakeEvent[]) => foldByDomain(events.map((event) => ({ partition: 0, event })));

const byText = <T>(list: T[], text: (one: T) => string) =>
  list.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));

/** What a reader could see of it: ids are of keys, and sealed instances have another order. */
const seen = ({ entities, partitions, changes, acts }: DomainFold) => ({
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

/** In the order of the opened keys. */
const ordered = (view: ReturnType<typeof seen>) => ({
  ...view,
  assets: view.assets.map(({ findings, ...rest }) => ({
    ...rest,
    findings: byText(
      findings.map(({ finding, seen }) => ({
        finding: { ...finding, instances: byText(finding.instances, ({ key }) => key) },
        seen,
      })),
      ({ finding }) => `${finding.type} ${finding.number}`,
    ),
  })),
});

describe('a site that seals', () => {
  it('answers as one that does not, for any sequence of signals', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const keys = new SubjectKeysInMemory();
        const names = ['ana@acme.com', 'ana.smith', '~ana', 'ana'].map((name) => `user:${name}`);
        const seals = await new EventSealer(keys).sealsFor([...names, personName('ben')]);
        const plain = eventsOf(history, new Seals(new Map()));
        const sealed = eventsOf(history, seals);
        expect(JSON.stringify(sealed)).not.toMatch(/"(ana@acme\.com|ana\.smith|~ana|ben)"/i);
        const opener = new TextOpener(keys, (error) => {
          throw error;
        });
        expect(ordered(await opener.value(seen(foldOf(sealed))))).toEqual(
          ordered(JSON.parse(JSON.stringify(seen(foldOf(plain))))),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  it('gives each user a key of the log that does not contain the name, in its own partition', async () => {
    const seals = await new EventSealer(new SubjectKeysInMemory()).sealsFor(['user:ana', 'machine:web01']);
    const key = seals.entityKeyOf('user:ana');
    expect(key).toMatch(/^user:~[\w-]{22}$/);
    expect(partitionOf(key, 12)).toBeLessThan(12);
    expect(seals.entityKeyOf('machine:web01')).toBe('machine:web01');
  });

  it('seals acts on entities in the log by their keys, and names of users by the declaration alone', async () => {
    const keys = new SubjectKeysInMemory();
    const { subject } = keys.keyOf('user:ana');
    const origin = {
      id: uploadId(1),
      entityKey: `user:~${subject}`,
      at: T0,
      receivedAt: T0,
      settingsVersion: 0,
      by: { user: 'ben', requestId: 'r' },
    };
    const events: EncodableEvent[] = [
      acceptance(
        { entityKey: `user:~${subject}`, payload: { name: 'x' } as never },
        T0,
        new Seals(new Map()),
      ),
      {
        envelope: actEnvelope({ ...origin, entityKey: 'organization' }),
        payload: {
          type: 'CredentialChanged',
          act: 'created',
          credentialId: 'c',
          username: 'eve',
          role: 'viewer',
        },
      },
      { envelope: actEnvelope(origin), payload: { type: 'ClockCorrected', reason: 'ben set it' } },
    ];
    const sealed = await new EventSealer(keys).seal(events);
    expect(JSON.stringify(sealed)).not.toMatch(/Ana said so|ben|eve/);
    const opener = new TextOpener(keys, (error) => {
      throw error;
    });
    expect(await opener.value(sealed)).toEqual(JSON.parse(JSON.stringify(events)));
    expect(await new EventSealer(null).seal(events)).toBe(events);
    expect(sealed[0]!.envelope.rules).toBe(CURRENT_RULES);
  });
});
