import {
  type Observation,
  readSignal,
  type Signal,
  type SignalContext,
  type SignalReading,
  type Tags,
} from '#libs/domain';

/**
 * Reads a signal that a connector made. A pull sets the instances that it names and leaves the others (D9: it keys by
 * detection id and merges), and a detection that does not fail neither counts nor counts as a pass (D30). A custom
 * field that it names without values loses those it has: a pull knows all of what it fills, other senders need not.
 */
export function readPulledSignal(signal: Signal, context: Omit<SignalContext, 'route'>): SignalReading {
  const reading = readSignal(signal, { ...context, route: 'zip' });
  if (!reading.ok) return reading;
  const { payload } = reading;
  if (payload.type === 'SignalReceived') {
    return { ...reading, payload: { ...payload, observations: payload.observations.map(merging) } };
  }
  const customFields = { ...payload.entity.customFields, ...emptied(signal, context) };
  return { ...reading, payload: { ...payload, entity: { ...payload.entity, customFields } } };
}

/** The custom fields that are recognised (D7) and that the signal names without a value. */
function emptied(
  { entity: { entityAttributes } }: Signal,
  { settings, receivedAt }: Omit<SignalContext, 'route'>,
): Tags {
  const tags = entityAttributes?.tags ?? {};
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  return Object.fromEntries(
    settings.customFields
      .filter(({ name, recognisedAt }) => recognisedAt <= receivedAt && isEmpty(tags[name]))
      .map(({ name }) => [name, []]),
  );
}

const merging = (observation: Observation): Observation => ({
  ...observation,
  mode: 'merge',
  instances: observation.instances.map((instance) => ({ ...instance, counted: instance.status === 'fail' })),
});
