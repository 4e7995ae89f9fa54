import { eventTime, isoTime } from '#libs/domain';
import type { CausedAct } from '#libs/fold';

/** A row of `acts`. */
export const actRow = (partition: number, { act, envelope, offset }: CausedAct) => ({
  partition,
  log_offset: offset,
  at: isoTime(eventTime(envelope)),
  by_user: envelope.cause.user,
  action: act.action,
  target: act.target,
  detail: JSON.stringify(act.detail),
  refused: act.refused,
  request_id: envelope.cause.requestId,
});
