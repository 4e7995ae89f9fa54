import { randomUUID } from 'node:crypto';
import { encodeIntake } from '#libs/contracts';
import { type ActOrigin, actEnvelope, type IntakePayload } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';

/** A new event without an upload, as a record for the intake log: a user's act, or a tick of the service. */
export const actRecord = (
  origin: Omit<ActOrigin, 'id'>,
  payload: IntakePayload,
): Pick<LogRecord, 'key' | 'value'> => ({
  key: origin.entityKey,
  value: encodeIntake({ envelope: actEnvelope({ ...origin, id: randomUUID() }), payload }),
});
