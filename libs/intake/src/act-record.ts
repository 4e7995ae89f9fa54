import { randomUUID } from 'node:crypto';
import { type EncodableEvent, encodeIntake } from '#libs/contracts';
import { type ActOrigin, actEnvelope, type IntakeEvent, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';

/** A new event without an upload: a user's act, or a tick of the service. */
export const actEvent = (origin: Omit<ActOrigin, 'id'>, payload: IntakePayload): IntakeEvent => ({
  envelope: actEnvelope({ ...origin, id: randomUUID() }),
  payload,
});

/** An event as a record for the intake log. */
export const recordOf = (event: EncodableEvent): Pick<LogRecord, 'key' | 'value'> => ({
  key: event.envelope.entityKey,
  value: encodeIntake(event),
});

/** As a record, for an event without personal texts. */
export const actRecord = (origin: Omit<ActOrigin, 'id'>, payload: IntakePayload) =>
  recordOf(actEvent(origin, payload));
