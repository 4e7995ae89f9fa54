import { type Envelope, eventTime, type IntakeEvent, type IntakePayload, isStampedAhead } from '#libs/domain';

/** From this version on an event has the reference clock, and the fold itself ignores other clocks that are wrong. */
const TWO_CLOCKS = 3;

/** Applies due transitions, and deletes nothing. */
const TICK: IntakePayload = { type: 'EntitySwept', deleteIdleSince: null };

/**
 * An event as it would have been without a wrong clock; null if it would not have been at all.
 * @param clock of the partition before the event, epoch ms, without the wrong clock
 * @param latest epoch ms: no right clock can have been later when the event was written
 */
export function withoutWrongClock(
  { envelope, payload }: IntakeEvent,
  clock: number,
  latest: number,
): IntakeEvent | null {
  if (payload.type === 'ClockCorrected' || payload.type === 'EntityMended')
    return { envelope, payload: TICK };
  const isWrong = isLate(envelope, latest);
  if (payload.type === 'EntitySwept' && isWrong) return null;
  return {
    envelope: isWrong ? { ...envelope, ...righted(envelope, clock, latest) } : envelope,
    // Whether the version was the one that the user saw has been decided.
    payload: 'seenVersion' in payload ? { ...payload, seenVersion: null } : payload,
  };
}

/** Under two clocks, both were ahead: such as of machines with one wrong time server. */
function isLate(envelope: Envelope, latest: number): boolean {
  if (envelope.rules < TWO_CLOCKS) return envelope.at > latest || envelope.cause.receivedAt > latest;
  return !isStampedAhead(envelope) && eventTime(envelope) > latest;
}

/** Behind what came before, so that uploads keep the order in which they were received. */
function righted({ cause }: Envelope, clock: number, latest: number): Pick<Envelope, 'at' | 'cause'> {
  const at = Math.min(clock + 1, latest);
  return { at, cause: { ...cause, receivedAt: at } };
}
