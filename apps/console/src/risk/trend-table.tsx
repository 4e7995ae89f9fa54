import { Trans } from '@lingui/react/macro';
import { fixed } from '../language/format.ts';
import { fullInstant } from '../parts/instant.tsx';
import { probabilityText } from '../parts/score.tsx';
import { type Point, thinned } from './points.ts';

const ROWS_MAX = 31;

/** The chart as a table, latest first. */
export function TrendTable({ points, caption }: { points: readonly Point[]; caption: string }) {
  const scored = thinned(points, ROWS_MAX).filter(({ score }) => score !== null);
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Time</Trans>
          </th>
          <th scope="col">
            <Trans>Risk score</Trans>
          </th>
          <th scope="col">
            <Trans>Breach likelihood</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {scored.reverse().map(({ at, score, likelihood }) => (
          <tr key={at}>
            <th scope="row">{fullInstant(new Date(at).toISOString())}</th>
            <td>{score === null ? '–' : fixed(score)}</td>
            <td>{probabilityText((likelihood ?? 0) / 100)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
