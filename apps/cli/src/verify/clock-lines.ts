import type { Verification } from '#libs/replay';
import { printable } from '../printable.ts';

/** What wrong clocks did to the log, a line each; none where there was none. */
export function clockLines({ ahead, corrected, setAside }: Verification['clocks']): string[] {
  return [
    ...corrected.map(
      ({ partition, from, to, reason }) =>
        `Corrected  partition ${partition}: clock from ${from} back to ${to} (${printable(reason)})`,
    ),
    ...ahead.map(
      ({ partition, clock }) =>
        `Ahead      partition ${partition}: its clock is at ${new Date(clock).toISOString()}; run \`posture clock mend\``,
    ),
    ...(setAside > 0 ? [`Set aside  events that a wrong clock had stamped: ${setAside}`] : []),
  ];
}
