import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AssessmentClosed,
  assetId,
  CURRENT_RULES,
  type EntityState,
  findingId,
  type IntakeEvent,
  type IntakePayload,
  type SignalReceived,
} from '#libs/domain';
import { MemoryFold } from '#libs/fold';
import {
  DAY_MS,
  described,
  entity,
  event,
  instance,
  observation,
  signal,
  T0,
  uploadId,
} from '../../../../test/support/scenario.ts';
import { mendsOf } from './mends-of.ts';
import { TwoFolds } from './two-folds.ts';

const HOSTS = ['web01', 'web02'];
/** The program with the wrong clock was this far ahead. */
const AHEAD_MS = 120 * DAY_MS;

interface Step {
  host: string;
  payload: IntakePayload;
  /** Since the event before it. */
  afterMs: number;
  /** The sweep of a program with a wrong clock. */
  isPoison: boolean;
}

const named = (host: string, payload: SignalReceived): SignalReceived => ({
  ...payload,
  entity: entity({ name: host }),
});

const payloadOf = (host: string): fc.Arbitrary<IntakePayload> => {
  const asset = assetId(`machine:${host}`);
  const finding = fc.constantFrom('a', 'b').map((name) => findingId(asset, 'va', name));
  const port = fc.option(fc.constantFrom('22/tcp', '443/tcp'), { nil: null });
  const signals = fc
    .record({
      name: fc.constantFrom('a', 'b', 'c'),
      status: fc.constantFrom('pass' as const, 'fail' as const),
      port,
      importAssets: fc.boolean(),
      days: fc.integer({ min: 2, max: 200 }),
      revoked: fc.constantFrom(false, false, false, true),
    })
    .map(({ name, status, port, importAssets, days, revoked }): IntakePayload => {
      const one = instance(status, { key: port ?? '' });
      return named(host, {
        ...signal(name, status, { revoked, expiresAt: T0 + days * DAY_MS, retainUntil: T0 + 400 * DAY_MS }),
        assetRules: { matching: 'name', importAssets, updateMetadata: true },
        observations: [observation('va', [one], { mode: port === null ? 'whole' : 'merge' })],
      });
    });
  const closed: AssessmentClosed = {
    type: 'AssessmentClosed',
    types: ['va'],
    names: [host],
    matching: 'name',
  };
  return fc.oneof(
    { weight: 8, arbitrary: signals },
    fc.constantFrom<IntakePayload>(closed, described({ entity: entity({ name: host, os: 'Debian' }) })),
    finding.map(
      (id): IntakePayload => ({
        type: 'FindingReverted',
        findingId: id,
        seenVersion: null,
        to: 'NotAssessed',
        rationale: null,
      }),
    ),
    fc.tuple(finding, fc.constantFrom('ana', null)).map(
      ([id, user]): IntakePayload => ({
        type: 'FindingAssigned',
        findingId: id,
        seenVersion: null,
        user,
        team: null,
      }),
    ),
    fc.constant<IntakePayload>({ type: 'AssetDeleted', assetId: asset, seenVersion: null }),
    fc.constant<IntakePayload>({ type: 'EntitySwept', deleteIdleSince: T0 }),
  );
};

/** At most one acceptance of a finding: a second one means something else once the first was ended by mistake. */
const acceptances = fc.uniqueArray(
  fc.record({ host: fc.constantFrom(...HOSTS), name: fc.constantFrom('a', 'b'), place: fc.nat(20) }),
  { selector: ({ host, name }) => `${host} ${name}`, maxLength: 3 },
);

const steps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(
      fc.constantFrom(...HOSTS).chain((host) =>
        fc.record({
          host: fc.constant(host),
          payload: payloadOf(host),
          afterMs: fc.integer({ min: 1, max: 2 * DAY_MS }),
          isPoison: fc.constant(false),
        }),
      ),
      { minLength: 1, maxLength: 20 },
    ),
    acceptances,
    fc.array(fc.record({ host: fc.constantFrom(...HOSTS), place: fc.nat(20) }), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([history, accepted, poison]) => {
    const all: Step[] = [...history];
    for (const { host, name, place } of accepted) {
      const id = findingId(assetId(`machine:${host}`), 'va', name);
      const until = T0 + 60 * DAY_MS;
      const payload = {
        type: 'FindingAccepted',
        findingId: id,
        seenVersion: null,
        rationale: 'r',
        until,
      } as const;
      all.splice(place % (all.length + 1), 0, { host, payload, afterMs: 1, isPoison: false });
    }
    for (const { host, place } of poison) {
      const payload = { type: 'EntitySwept', deleteIdleSince: T0 + 100 * DAY_MS } as const;
      all.splice(place % (all.length + 1), 0, { host, payload, afterMs: 0, isPoison: true });
    }
    return all;
  });

const isUploaded = ({ type }: IntakePayload) =>
  type === 'SignalReceived' || type === 'AssetDescribed' || type === 'AssessmentClosed';

function eventsOf(history: Step[], rules: number): { event: IntakeEvent; isPoison: boolean }[] {
  let now = T0;
  return history.map(({ host, payload, afterMs, isPoison }, i) => {
    now += afterMs;
    const at = isPoison ? now + AHEAD_MS : now;
    const upload = isUploaded(payload) ? { uploadId: uploadId(i + 1) } : {};
    const cause = { kind: 'user' as const, ...upload, receivedAt: at };
    return { event: event(payload, at, cause, { entityKey: `machine:${host}`, rules }), isPoison };
  });
}

const corrected = (at: number): IntakeEvent =>
  event({ type: 'ClockCorrected', reason: 'NTP was off' }, at, { kind: 'user' }, { entityKey: 'log:0' });

const tick = (host: string, at: number): IntakeEvent =>
  event({ type: 'EntitySwept', deleteIdleSince: null }, at, {}, { entityKey: `machine:${host}` });

/** Of findings: missing means the same. */
const OPTIONAL = { triage: null, failedSince: null, settledAt: null };

/** State of entities without counters and times of changes. */
const shownStateOf = (entities: ReadonlyMap<string, EntityState>) =>
  HOSTS.map((host) =>
    (entities.get(`machine:${host}`)?.assets ?? []).map(({ asset, findings }) => ({
      asset: { ...asset, number: 0, version: 0, updatedAt: 0 },
      findings: [...findings.values()]
        .map(({ finding, seen }) => ({
          finding: { ...OPTIONAL, ...finding, number: 0, version: 0, updatedAt: 0 },
          seen: { ...seen, seenAt: 0 },
        }))
        .sort((a, b) => (a.finding.id < b.finding.id ? -1 : 1)),
    })),
  );

/** Folds a poisoned history, corrects its clock at an instant and mends it; returns how often it was mended. */
function mended(events: IntakeEvent[], at: number): { folds: TwoFolds; rounds: number } {
  const folds = new TwoFolds(0, [{ offset: events.length, at }]);
  for (const [offset, one] of events.entries()) folds.takeOne(one, offset);
  let offset = events.length;
  folds.takeOne(corrected(at), offset++);
  for (let rounds = 0; ; rounds += 1) {
    const mends = [...mendsOf(folds)];
    if (mends.length === 0) return { folds, rounds };
    for (const { entityKey, payload } of mends) {
      folds.takeOne(event(payload, at, { kind: 'user' }, { entityKey }), offset++);
    }
  }
}

const finding = (folds: TwoFolds, host = 'web01') =>
  [...folds.actual.entities.get(`machine:${host}`)!.assets[0]!.findings.values()][0]!.finding;

/** From rules 3 on the clock of the database was ahead too, as with one wrong time server. */
describe.each([2, CURRENT_RULES])('a partition that was poisoned under rules %i, 120 days ahead', (rules) => {
  const [first] = [
    event(
      named('web01', signal('a', 'fail', { expiresAt: T0 + 90 * DAY_MS })),
      T0,
      { uploadId: uploadId(1) },
      { rules },
    ),
  ];
  const poison = event(
    { type: 'EntitySwept', deleteIdleSince: T0 + 100 * DAY_MS },
    T0 + AHEAD_MS,
    {},
    { rules },
  );

  it('loses an optional field of a finding that it has only by mistake', () => {
    const folds = new TwoFolds(0, [{ offset: 2, at: T0 + 1 }]);
    for (const [offset, one] of [first, poison, corrected(T0 + 1)].entries()) folds.takeOne(one, offset);
    Object.assign(finding(folds), { addedLater: 'by mistake' });
    const [mend] = mendsOf(folds);
    expect(mend!.payload.findings[0]!.fields).toMatchObject({ addedLater: 'null', state: '"Failed"' });
  });

  it('stays poisoned until it is mended, for all later events', () => {
    const run = new MemoryFold(0);
    for (const one of [first, poison]) run.fold(one);
    for (const days of [1, 2]) {
      const name = `new${days}`;
      const expiresAt = T0 + 90 * DAY_MS;
      const at = T0 + days * DAY_MS;
      run.fold(
        event(named('web01', signal(name, 'fail', { expiresAt })), at, { uploadId: uploadId(days + 1) }),
      );
      run.fold(tick('web01', at));
    }
    const { findings } = run.entities.get('machine:web01')!.assets[0]!;
    expect([...findings.values()].map(({ finding: { state } }) => state)).toEqual([
      'Retired',
      'Retired',
      'Retired',
    ]);
    expect(run.state.clock).toBe(T0 + AHEAD_MS);
  });

  it('has its findings and assets again, with acceptance and hold, once it is mended', () => {
    const accepted = event(
      {
        type: 'FindingAccepted',
        findingId: findingId(assetId('machine:web01'), 'va', 'a'),
        seenVersion: null,
        rationale: 'known',
        until: T0 + 30 * DAY_MS,
      },
      T0 + 1,
      { kind: 'user' },
      { rules },
    );
    const { folds, rounds } = mended([first, accepted, poison], T0 + DAY_MS);
    expect(rounds).toBe(1);
    expect(folds.actual.state.clock).toBe(T0 + DAY_MS);
    expect(folds.actual.entities.get('machine:web01')!.assets[0]!.asset.deletedAt).toBeNull();
    expect(finding(folds)).toMatchObject({
      state: 'AcceptedFailed',
      accepted: { rationale: 'known', until: T0 + 30 * DAY_MS },
      updatedAt: T0 + DAY_MS,
    });
  });

  it('is replaced by later uploads again, if a gateway had a wrong clock', () => {
    const ahead = event(named('web01', signal('a')), T0 + AHEAD_MS, { uploadId: uploadId(1) }, { rules });
    const { folds } = mended([ahead], T0 + DAY_MS);
    const closed: IntakePayload = {
      type: 'AssessmentClosed',
      types: ['va'],
      names: ['web01'],
      matching: 'name',
    };
    folds.takeOne(event(closed, T0 + 2 * DAY_MS, { uploadId: uploadId(2) }));
    expect(finding(folds)).toMatchObject({ state: 'Retired', retiredReason: 'replaced' });
  });

  it('keeps an acceptance that a user has renewed since', () => {
    const accept = (rationale: string, at: number) =>
      event(
        {
          type: 'FindingAccepted',
          findingId: findingId(assetId('machine:web01'), 'va', 'a'),
          seenVersion: null,
          rationale,
          until: T0 + 150 * DAY_MS,
        },
        at,
        { kind: 'user' },
        { rules },
      );
    const again = event(
      named('web01', signal('a', 'fail', { expiresAt: T0 + 300 * DAY_MS, overrideAccepted: true })),
      T0 + 2,
      { uploadId: uploadId(2) },
      { rules },
    );
    const { folds } = mended(
      [first, accept('old', T0 + 1), poison, again, accept('new', T0 + 3)],
      T0 + DAY_MS,
    );
    expect(finding(folds)).toMatchObject({ state: 'AcceptedFailed', accepted: { rationale: 'new' } });
  });

  it('gives the same result as the log without the sweeps of the wrong clock, except versions', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const events = eventsOf(history, rules);
        const at = T0 + 50 * DAY_MS;
        const { folds, rounds } = mended(
          events.map((one) => one.event),
          at,
        );
        expect(rounds).toBeLessThanOrEqual(1);
        const refused = refusedActs(events.map((one) => one.event));
        const clean = new MemoryFold(0);
        for (const one of events) if (!one.isPoison && !refused.has(one.event)) clean.fold(one.event);
        for (const host of HOSTS) {
          clean.fold(tick(host, at));
          folds.actual.fold(tick(host, at));
        }
        expect(shownStateOf(folds.actual.entities)).toEqual(shownStateOf(clean.entities));
      }),
      { numRuns: 500 },
    );
  });
});

it('signals that were ignored because of the clock of their program stay ignored, also if the database was ahead', () => {
  const ahead = event(named('web01', signal('a')), T0 + 2 * DAY_MS, {
    uploadId: uploadId(1),
    receivedAt: T0 + DAY_MS,
  });
  const right = event(named('web01', signal('b')), T0, { uploadId: uploadId(2) });
  const { folds, rounds } = mended([right, ahead], T0 + DAY_MS / 2);
  expect([rounds, finding(folds).name]).toEqual([0, 'b']);
});

it('uploads are not copied for each entity', () => {
  const folds = new TwoFolds(0, []);
  folds.takeOne(event(named('web01', signal('a')), T0, { uploadId: uploadId(1) }));
  // Cannot be cloned.
  for (const { state } of [folds.actual, folds.right]) state.uploads.set(uploadId(2), (() => {}) as never);
  expect([...mendsOf(folds)]).toEqual([]);
});

/** The user was informed that they had no effect. */
function refusedActs(events: IntakeEvent[]): Set<IntakeEvent> {
  const fold = new MemoryFold(0);
  return new Set(events.filter((one) => fold.fold(one).acts.some(({ refused }) => refused !== null)));
}
