import fc from 'fast-check';
import type { Envelope, SignalReceived } from '#libs/domain';
import { histories, type LoggedEvent } from './histories.ts';
import { uploadId } from './scenario.ts';

/** After the uploads of a history. */
const FIRST_UPLOAD = 100_000;

const resends = fc.array(fc.record({ place: fc.nat(1_000), of: fc.nat(1_000) }), {
  minLength: 3,
  maxLength: 40,
});

/** Histories in which signals arrive again later, unchanged but for their times, as in the scan of the next day. */
export const resentHistories: fc.Arbitrary<LoggedEvent[]> = fc
  .tuple(histories, resends)
  .map(([events, given]) => {
    const logged = [...events];
    for (const [n, { place, of }] of given.entries()) {
      const until = 1 + (place % logged.length);
      const before = logged.slice(0, until).filter(({ event }) => event.payload.type === 'SignalReceived');
      if (before.length === 0) continue;
      const { envelope } = logged[until - 1]!.event;
      logged.splice(until, 0, resent(before[of % before.length]!, envelope, FIRST_UPLOAD + n));
    }
    return logged;
  });

function resent({ partition, event }: LoggedEvent, { at, cause }: Envelope, n: number): LoggedEvent {
  const signal = event.payload as SignalReceived;
  const later = at - event.envelope.at;
  return {
    partition,
    event: {
      envelope: {
        ...event.envelope,
        at,
        cause: {
          ...event.envelope.cause,
          uploadId: uploadId(n),
          receivedAt: cause.receivedAt,
          ordinal: 1,
          count: 1,
        },
      },
      payload: {
        ...signal,
        signalId: `resent-${n}`,
        expiresAt: signal.expiresAt + later,
        retainUntil: signal.retainUntil + later,
      },
    },
  };
}
