import { DEFAULT_SETTINGS } from '../../settings.ts';
import { readSignal, type SignalContext } from '../read-signal.ts';
import type { RawSecurityContext, Signal } from '../signal.ts';

/** Signals for tests, with everything that a test does not name left out or plain. */

export const RECEIVED_AT = Date.parse('2026-03-01T12:00:00.000Z');

export const context = (given: Partial<RawSecurityContext> = {}): RawSecurityContext => ({
  type: 'va',
  status: { complianceStatus: 'fail' },
  severity: { value: 7 },
  ...given,
});

export const signal = (given: Partial<Signal> = {}): Signal => ({
  id: '0a4f1f6e-7c3b-4a55-9d7e-1c2b3a4d5e6f',
  name: 'Outdated TLS',
  entity: { type: 'machine', name: 'web01.acme.com' },
  securityContext: context(),
  ...given,
});

/** A signal of several instances. */
export const plural = (securityContexts: RawSecurityContext[], given: Partial<Signal> = {}): Signal => {
  const { securityContext: _, ...rest } = signal(given);
  return { ...rest, securityContexts };
};

export const arrival = (given: Partial<SignalContext> = {}): SignalContext => ({
  route: 'zip',
  receivedAt: RECEIVED_AT,
  rules: { importAssets: true, updateMetadata: true, overrideAccepted: false },
  settings: DEFAULT_SETTINGS,
  ...given,
});

/** The reading of a signal that must be accepted. */
export function accepted(given: Signal, at: Partial<SignalContext> = {}) {
  const read = readSignal(given, arrival(at));
  if (!read.ok) throw new Error(`refused: ${JSON.stringify(read.problems)}`);
  return read;
}

/** The event of a signal that must be accepted as a finding. */
export function received(given: Signal, at: Partial<SignalContext> = {}) {
  const { payload } = accepted(given, at);
  if (payload.type !== 'SignalReceived') throw new Error(`read as ${payload.type}`);
  return payload;
}

/** Fields of the problems of a signal that must be refused. */
export function refusedFields(given: Signal, at: Partial<SignalContext> = {}): string[] {
  const read = readSignal(given, arrival(at));
  if (read.ok) throw new Error('accepted');
  return read.problems.map(({ field }) => field);
}
