import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { api } from '../api/client.ts';
import { fixed } from '../language/format.ts';
import { modelChangesOf, modelChangeText } from '../parts/model-change.tsx';
import { StepLine } from '../parts/step-line.tsx';
import { REACHES, type Reach } from './reach.ts';

const HEIGHT = 44;

/** Organization score within the range of the slider; hidden after an error. */
export function ScoreLine({ reach, now }: { reach: Reach; now: number }) {
  const { ms, step, ago } = REACHES[reach];
  const from = now - ms;
  const { data, error } = api.useQuery(
    'get',
    '/api/v3/scores/organization/history',
    {
      params: {
        query: { from: new Date(from).toISOString(), to: new Date(now).toISOString(), step },
      },
    },
    { meta: { live: false } },
  );
  if (error) return null;
  if (!data) return <Skeleton height={HEIGHT} />;
  const changes = modelChangesOf(data.modelChanges, data.items[0]!.model);
  const marks = changes.map(({ at }) => at);
  const steps = data.items
    .map(({ at, score }) => ({ at: Date.parse(at), value: score }))
    .concat(marks.map((at) => ({ at: at - 1, value: null })))
    .sort((a, b) => a.at - b.at);
  const comparable = steps.filter(({ at }) => at >= (marks.at(-1) ?? from));
  const scores = comparable.flatMap(({ value }) => (value === null ? [] : [value]));
  return (
    <StepLine
      label={[scoresText(i18n._(ago), scores), ...changes.map(modelChangeText)].join(' ')}
      steps={steps}
      marks={marks}
      from={from}
      to={now}
      height={HEIGHT}
      isBare
    />
  );
}

function scoresText(ago: string, scores: readonly number[]): string {
  if (scores.length === 0) return t`Organization score since ${ago}. No scores.`;
  const [first, last, least, most] = [
    scores[0]!,
    scores.at(-1)!,
    Math.min(...scores),
    Math.max(...scores),
  ].map((score) => fixed(score)) as [string, string, string, string];
  return t`Organization score since ${ago}. From ${first} to ${last}, between ${least} and ${most}.`;
}
