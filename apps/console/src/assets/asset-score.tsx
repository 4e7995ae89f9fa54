import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { Panel } from '../parts/panel.tsx';
import { bandOf, percent } from '../parts/score.tsx';
import { Answered } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { AssetContributions } from './asset-contributions.tsx';
import classes from './asset-score.module.css';

/** The score of an asset with all that makes it. */
export function AssetScore({ id }: { id: string }) {
  const asOf = useAsOf();
  const query = api.useQuery(
    'get',
    '/api/v3/assets/{id}/score',
    { params: { path: { id }, query: asOf.query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Panel title="Risk">
      <Answered query={query} waiting={<Skeleton height={180} />}>
        {(score) => (
          <Stack>
            <Numbers score={score} />
            {score.contributions.length > 0 && <AssetContributions contributions={score.contributions} />}
            {score.malformedVectors > 0 && (
              <Text size="xs" c="dimmed">
                {score.malformedVectors.toLocaleString()} CVSS vectors could not be read: the severity as sent
                stands in.
              </Text>
            )}
            <Text size="xs" c="dimmed">
              Model {score.model}, catalogues: {score.catalogue}
            </Text>
          </Stack>
        )}
      </Answered>
    </Panel>
  );
}

function Numbers({ score: { score, breachLikelihood } }: { score: Api['AssetScoreDto'] }) {
  if (score === null) {
    return (
      <Text size="sm">
        <b>Not scored.</b> No active finding of it names a valid CVE or ATT&CK technique.
      </Text>
    );
  }
  return (
    <Group gap="xl" align="flex-end">
      <div>
        <div className={classes.score} data-level={bandOf(score)}>
          <span>{score.toFixed(1)}</span>
          <small>of 100</small>
        </div>
        <Text size="sm" c="dimmed">
          Risk score, {bandOf(score)}
        </Text>
      </div>
      <div>
        <div className={classes.likelihood}>{percent(breachLikelihood)}</div>
        <Text size="sm" c="dimmed">
          Likely to be breached within 30 days
        </Text>
      </div>
    </Group>
  );
}
