import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';
import type { Place } from '../parts/plot-path.ts';

export type BurnDownPoint = Api['BurnDownPointDto'];

/** The upper edges of the areas of a burn-down that are stacked: open below, then accepted; the rest is fixed. */
export function stackedEdges(points: readonly BurnDownPoint[]): { open: Place[]; accepted: Place[] } {
  const most = Math.max(1, ...points.map(({ open, accepted, fixed }) => open + accepted + fixed));
  const times = points.map(({ at }) => Date.parse(at));
  const [begin = 0, end = begin] = [times[0], times.at(-1)];
  const edge = (heightOf: (point: BurnDownPoint) => number) =>
    points.map((point, i): Place => {
      const x = end === begin ? 0 : (times[i]! - begin) / (end - begin);
      return [x, 1 - heightOf(point) / most];
    });
  return { open: edge(({ open }) => open), accepted: edge(({ open, accepted }) => open + accepted) };
}

/** The burn-down in words. */
export function burnDownText(points: readonly BurnDownPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return t`No data`;
  const [open, fixed, accepted] = amountsOf(first);
  const [openNow, fixedNow, acceptedNow] = amountsOf(last);
  return t`At first ${open} open, ${fixed} fixed, ${accepted} accepted; at the end ${openNow} open, ${fixedNow} fixed, ${acceptedNow} accepted`;
}

const amountsOf = ({
  open,
  fixed,
  accepted,
}: BurnDownPoint): [open: string, fixed: string, accepted: string] => [
  number(open),
  number(fixed),
  number(accepted),
];
