import {
  type Observation,
  readSignal,
  type Signal,
  type SignalContext,
  type SignalReading,
  type Tags,
} from '#libs/domain';
import type { PulledSignal } from './connector.ts';

interface PulledContext extends Omit<SignalContext, 'route'> {
  /** The described entities are the inventory of an EDR platform (`Connector`). */
  isEdrInventory: boolean;
}

/**
 * Reads a signal that a connector made. A pull sets the instances that it names and leaves the others (R-FIND-6), and a
 * detection that does not fail is an uncounted instance (R-EDR-1). A custom field that it names without values loses
 * its values: a pull knows all values of its fields, other senders may not.
 */
export function readPulledSignal(
  { deviceId, onlyKnown, ...signal }: PulledSignal,
  { isEdrInventory, ...context }: PulledContext,
): SignalReading {
  const rules = { ...context.rules, importAssets: context.rules.importAssets && !onlyKnown };
  const reading = readSignal(signal, { ...context, rules, route: 'zip' });
  if (!reading.ok) return reading;
  const { payload } = reading;
  if (payload.type === 'SignalReceived') {
    return { ...reading, payload: { ...payload, observations: payload.observations.map(merging) } };
  }
  const customFields = { ...payload.entity.customFields, ...emptied(signal, context) };
  const entity = { ...payload.entity, customFields };
  return {
    ...reading,
    payload: { ...payload, entity, isEdrManaged: isEdrInventory, deviceId: deviceId ?? null },
  };
}

/** The custom fields that are recognised and that the signal names without a value. */
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
