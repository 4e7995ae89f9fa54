import { checkSignal } from '#libs/contracts';
import {
  type AssetDescribed,
  DEFAULT_SETTINGS,
  type Settings,
  type Signal,
  type SignalReceived,
} from '#libs/domain';
import { readPulledSignal } from '../read-pulled-signal.ts';

/** Signals of connectors for tests, taken through everything that the service asks of one. */

export const RECEIVED_AT = Date.parse('2026-03-01T12:00:00.000Z');

/** A custom field that every tag of this name fills. */
export const customField = (name: string) => ({
  id: name,
  name,
  type: 'Any' as const,
  multiValued: true,
  options: [],
  createdAt: 0,
  recognisedAt: 0,
});

export const settingsWith = (...fields: string[]): Settings => ({
  ...DEFAULT_SETTINGS,
  customFields: fields.map(customField),
});

/** The reading of a signal that passes the schema and the rules. */
export function readingOf(signal: Signal, settings: Settings = DEFAULT_SETTINGS) {
  const problems = checkSignal(JSON.parse(JSON.stringify(signal)));
  if (problems.length > 0) throw new Error(`refused by the schema: ${JSON.stringify(problems)}`);
  const reading = readPulledSignal(signal, {
    receivedAt: RECEIVED_AT,
    rules: { importAssets: true, updateMetadata: true, overrideAccepted: false },
    settings,
  });
  if (!reading.ok) throw new Error(`refused by the rules: ${JSON.stringify(reading.problems)}`);
  return reading;
}

/** The event of a signal about an asset alone. */
export function describedBy(signal: Signal, settings?: Settings): AssetDescribed {
  const { payload } = readingOf(signal, settings);
  if (payload.type !== 'AssetDescribed') throw new Error(`read as ${payload.type}`);
  return payload;
}

/** The event of a signal about a finding. */
export function receivedBy(signal: Signal, settings?: Settings): SignalReceived {
  const { payload } = readingOf(signal, settings);
  if (payload.type !== 'SignalReceived') throw new Error(`read as ${payload.type}`);
  return payload;
}
