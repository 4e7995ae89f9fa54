import { Skeleton } from '@mantine/core';
import { api } from '../api/client.ts';
import { StepLine } from '../parts/step-line.tsx';
import { REACHES, type Reach } from './reach.ts';

const HEIGHT = 44;

/** How the organization's score went within the slider's reach; nothing where that cannot be told. */
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
  const steps = data.items.map(({ at, score }) => ({ at: Date.parse(at), value: score }));
  const scores = steps.flatMap(({ value }) => (value === null ? [] : [value]));
  const words =
    scores.length === 0
      ? 'Nothing was scored'
      : `From ${scores[0]!.toFixed(1)} to ${scores.at(-1)!.toFixed(1)}, between ` +
        `${Math.min(...scores).toFixed(1)} and ${Math.max(...scores).toFixed(1)}`;
  return (
    <StepLine
      label={`The organization’s score since ${ago}. ${words}.`}
      steps={steps}
      from={from}
      to={now}
      height={HEIGHT}
      isBare
    />
  );
}
