import type { Observation, SignalReceived } from '../events.ts';

/** The order of the fields is that of stored findings: `posture verify` compares their JSON as text. */
export const contentOf = (
  signal: SignalReceived,
  { mode, instances, type, subtype, ...content }: Observation,
) => ({
  type,
  subtype,
  name: signal.name,
  description: signal.description,
  ...content,
  source: signal.source,
  confidence: signal.confidence,
  extra: signal.extra,
});
