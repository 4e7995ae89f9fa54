import { describe, expect, it } from '@jest/globals';
import { instance, observation, signal } from '../../../../test/support/scenario.ts';
import type { SignalReceived } from '../events.ts';
import { RETIRED_DIGEST, rememberedDigests, signalDigest } from './signal-digest.ts';

const digestOf = (given: Partial<SignalReceived> = {}, rules = 6) => {
  const one = signal('a', 'fail', given);
  return signalDigest(rules, one, one.observations[0]!);
};
const whole = (given = {}) => ({ observations: [observation('va', [instance('fail')], given)] });

describe('the digest of a signal', () => {
  it.each<[string, Partial<SignalReceived>]>([
    ['name', { name: 'b' }],
    ['description', { description: 'other' }],
    ['source', { source: { name: 'other', nextSubmissionIntervalInMins: null } }],
    ['confidence', { confidence: 7 }],
    ['unknown properties', { extra: '{"a":1}' }],
    ['type', { observations: [observation('edr', [instance('fail')])] }],
    ['subtype', whole({ subtype: 'other' })],
    ['technical text', whole({ technical: 'other' })],
    ['remediation', whole({ remediation: { description: 'other', reference: null, impact: null } })],
    ['mode', whole({ mode: 'merge' })],
    ['status', { observations: [observation('va', [instance('pass')])] }],
    ['evidence', { observations: [observation('va', [instance('fail', { evidence: 'other' })])] }],
    [
      'instances',
      { observations: [observation('va', [instance('fail'), instance('fail', { key: '22/tcp' })])] },
    ],
  ])('differs by its %s', (_, given) => {
    expect(digestOf(given)).not.toBe(digestOf());
  });

  it('differs by the rules of its event, so that new rules compare every finding', () => {
    expect(digestOf({}, 7)).not.toBe(digestOf({}, 6));
  });

  it('is the same for other times and another id, also of a decoded signal', () => {
    const later = { signalId: 'other', lastSeen: 5, expiresAt: 6, retainUntil: 7, overrideAccepted: true };
    expect(digestOf(later)).toBe(digestOf());
    expect(digestOf(structuredClone(whole()))).toBe(digestOf());
  });

  it('is a UUID, and not that of a Retired finding', () => {
    expect(digestOf()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(digestOf()).not.toBe(RETIRED_DIGEST);
  });

  it('is computed once for each observation', () => {
    const remembered = rememberedDigests();
    const one = signal('a');
    const [first] = one.observations;
    expect(remembered(6, one, first!)).toBe(digestOf());
    expect(remembered(6, { ...one, name: 'b' }, first!)).toBe(digestOf());
  });
});
