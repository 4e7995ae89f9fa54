import {
  type Observation,
  readSignal,
  type Signal,
  type SignalContext,
  type SignalReading,
} from '#libs/domain';

/**
 * Reads a signal that a connector made. A pull sets the instances that it names and leaves the others (D9: it keys by
 * detection id and merges), and a detection that does not fail neither counts nor counts as a pass (D30).
 */
export function readPulledSignal(signal: Signal, context: Omit<SignalContext, 'route'>): SignalReading {
  const reading = readSignal(signal, { ...context, route: 'zip' });
  if (!reading.ok || reading.payload.type !== 'SignalReceived') return reading;
  const observations = reading.payload.observations.map(merging);
  return { ...reading, payload: { ...reading.payload, observations } };
}

const merging = (observation: Observation): Observation => ({
  ...observation,
  mode: 'merge',
  instances: observation.instances.map((instance) => ({ ...instance, counted: instance.status === 'fail' })),
});
