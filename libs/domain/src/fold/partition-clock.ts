import type { Envelope, IntakeEvent } from '../events.ts';

/**
 * Milliseconds by which the clock of the program that stamped an event may be ahead of the reference clock. It belongs to
 * rules 3: programs stop stamping at `clockSkewSecondsMax`, which is never more.
 */
export const STAMP_AHEAD_MS_MAX = 3_600_000;

/** The first rules under which `cause.receivedAt` is a reading of the reference clock. */
const TWO_CLOCKS = 3;

/** When an event happened, in epoch ms: the earlier of the stamping program's clock and the reference clock. */
export const eventTime = ({ rules, at, cause }: Envelope): number =>
  rules < TWO_CLOCKS ? at : Math.min(at, cause.receivedAt);

/** The receipt time of an upload, in epoch ms: by one reference clock for all programs, not by the program's own. */
export const receiptTime = ({ rules, at, cause }: Envelope): number =>
  rules < TWO_CLOCKS ? cause.receivedAt : Math.min(cause.receivedAt, at + STAMP_AHEAD_MS_MAX);

/** Whether an event was stamped by a wrong clock: the fold obeys it in nothing. */
export const isStampedAhead = ({ rules, at, cause }: Envelope): boolean =>
  rules >= TWO_CLOCKS && at - cause.receivedAt > STAMP_AHEAD_MS_MAX;

/** A partition's clock after an event, in epoch ms: the running maximum of event times, since it was last corrected. */
export function clockAfter(clock: number, { envelope, payload }: IntakeEvent): number {
  if (isStampedAhead(envelope)) return clock;
  const time = eventTime(envelope);
  return payload.type === 'ClockCorrected' ? time : Math.max(clock, time);
}
