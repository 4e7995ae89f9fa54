import { isoTime } from '#libs/domain';
import type { Verification } from '#libs/replay';
import { printable } from '../printable.ts';

/** What wrong clocks did to the log, a line each; none if there was none. */
export function clockLines({ ahead, corrected, setAside }: Verification['clocks']): string[] {
  return [
    ...corrected.map(
      ({ partition, from, to, reason }) =>
        `Corrected  partition ${partition}: clock from ${from} back to ${to} (${printable(reason)})`,
    ),
    ...ahead.map(
      ({ partition, clock }) =>
        `Ahead      partition ${partition}: its clock is at ${isoTime(clock)}; run \`posture clock mend\``,
    ),
    ...(setAside > 0 ? [`Ignored    events stamped by a wrong clock: ${setAside}`] : []),
  ];
}
