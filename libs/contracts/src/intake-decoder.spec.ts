import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type IntakeEvent, RETIRED_DIGEST, type SignalReceived } from '#libs/domain';
import { histories } from '../../../test/support/histories.ts';
import { DAY_MS, entity, instance, observation, signal, T0, upload } from '../../../test/support/scenario.ts';
import { decodeIntake, encodeIntake } from './intake-codec.ts';
import { IntakeDecoder } from './intake-decoder.ts';

const resultOf = (decode: () => unknown) => {
  try {
    return plain(decode());
  } catch (error) {
    return `${error}`;
  }
};
/** Without the classes of the schemas. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('decoding in parts', () => {
  it('gives the same events and the same errors, also of records that are cut or too long', () => {
    const damages = fc.infiniteStream(fc.tuple(fc.nat(9), fc.nat(5_000)));
    fc.assert(
      fc.property(histories, damages, (events, damage) => {
        const decoder = new IntakeDecoder();
        for (const { event } of events) {
          const [kind, place] = damage.next().value!;
          const bytes = encodeIntake(event);
          const cut = kind === 0 ? bytes.subarray(0, place % bytes.length) : bytes;
          const value = kind === 1 ? Buffer.concat([bytes, bytes.subarray(0, 1 + (place % 9))]) : cut;
          expect(resultOf(() => decoder.decode(value).event)).toEqual(resultOf(() => decodeIntake(value)));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('shares the description of an entity among consecutive signals, not of another one', () => {
    const of = (name: string, n: number) =>
      encodeIntake(upload(n, T0, [signal(`s${n}`, 'fail', { entity: entity({ name }) })])[0]!);
    const decoder = new IntakeDecoder();
    const [a, again, b] = [of('web01', 1), of('web01', 2), of('web02', 3)].map(
      (value) => decoder.decode(value).event.payload as SignalReceived,
    );
    expect(again!.entity).toBe(a!.entity);
    expect([again!.name, b!.entity.name]).toEqual(['s2', 'web02']);
  });
});

describe('the digest of a signal', () => {
  const eventOf = (given: Partial<SignalReceived> = {}, rules?: number): IntakeEvent => {
    const [event] = upload(1, T0, [signal('a', 'fail', given)]);
    return rules === undefined ? event! : { ...event!, envelope: { ...event!.envelope, rules } };
  };
  const digestOf = (event: IntakeEvent, place = 0) => {
    const decoded = new IntakeDecoder().decode(encodeIntake(event));
    return decoded.bytes!.digestOf((decoded.event.payload as SignalReceived).observations[place]!);
  };
  const whole = (given = {}) => ({ observations: [observation('va', [instance('fail')], given)] });

  it.each<[string, Partial<SignalReceived>]>([
    ['name', { name: 'b' }],
    ['description', { description: 'other' }],
    ['source', { source: { name: 'other', nextSubmissionIntervalInMins: null } }],
    ['confidence', { confidence: 7 }],
    ['unknown properties', { extra: '{"a":1}' }],
    ['type', { observations: [observation('edr', [instance('fail')])] }],
    ['subtype', whole({ subtype: 'other' })],
    ['technical text', whole({ technical: 'other' })],
    ['business impact', whole({ businessImpact: 'other' })],
    ['control type', whole({ controlType: 'other' })],
    ['remediation', whole({ remediation: { description: 'other', reference: null, impact: null } })],
    ['mode', whole({ mode: 'merge' })],
    ['status', { observations: [observation('va', [instance('pass')])] }],
    ['evidence', { observations: [observation('va', [instance('fail', { evidence: 'other' })])] }],
    [
      'instances',
      { observations: [observation('va', [instance('fail'), instance('fail', { key: '22/tcp' })])] },
    ],
  ])('differs by its %s', (_, given) => {
    expect(digestOf(eventOf(given))).not.toBe(digestOf(eventOf()));
  });

  it('differs by the rules of its event, so that new rules compare every finding', () => {
    expect(digestOf(eventOf({}, 5))).not.toBe(digestOf(eventOf({}, 6)));
  });

  it('differs by the place of the data in the signal', () => {
    const twice = eventOf({ observations: [...whole().observations, ...whole().observations] });
    expect(digestOf(twice, 0)).not.toBe(digestOf(twice, 1));
  });

  it('is the same for other times, another id and another description of the entity', () => {
    const later = eventOf({
      signalId: 'other',
      entity: entity({ name: 'web02', department: 'Sales' }),
      firstSeen: T0 - DAY_MS,
      lastSeen: T0,
      expiresAt: T0 + DAY_MS,
      retainUntil: T0 + 2 * DAY_MS,
      overrideAccepted: true,
    });
    expect(digestOf(later)).toBe(digestOf(eventOf()));
  });

  it("is a UUID that is no Retired finding's, also of a large signal", () => {
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    expect(digestOf(eventOf())).toMatch(uuid);
    expect(digestOf(eventOf())).not.toBe(RETIRED_DIGEST);
    const [one, other] = ['a', 'b'].map((end) => digestOf(eventOf({ extra: 'x'.repeat(100_000) + end })));
    expect(one).toMatch(uuid);
    expect(one).not.toBe(other);
  });

  it('is unknown of an event that is no signal', () => {
    const [event] = upload(1, T0, [
      { type: 'AssessmentClosed', types: ['va'], names: ['web01'], matching: 'name' },
    ]);
    expect(new IntakeDecoder().decode(encodeIntake(event!)).bytes).toBeNull();
  });
});
