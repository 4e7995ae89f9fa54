import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { type Api, api } from '../api/client.ts';
import { PAGES } from '../api/pages.ts';
import { fixed } from '../language/format.ts';
import { LikelihoodParts } from '../parts/likelihood-parts.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Band, bandOf, percentRange, probabilityText } from '../parts/score.tsx';
import { Answered } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { AssetContributions } from './asset-contributions.tsx';
import classes from './asset-score.module.css';

const CONTRIBUTIONS_AT_ONCE = 50;

/** Score of an asset with its contributions, which are loaded in pages. */
export function AssetScore({ id }: { id: string }) {
  const asOf = useAsOf();
  const query = api.useInfiniteQuery(
    'get',
    '/api/v3/assets/{id}/score',
    { params: { path: { id }, query: { ...asOf.query, limit: CONTRIBUTIONS_AT_ONCE } } },
    PAGES,
  );
  return (
    <Panel title={t`Risk`}>
      <Answered query={query} waiting={<Skeleton height={180} />}>
        {({ pages }) => <Score pages={pages} query={query} />}
      </Answered>
    </Panel>
  );
}

interface ScoreProps {
  pages: Api['AssetScoreDto'][];
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

function Score({ pages, query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ScoreProps) {
  const score = pages[0]!;
  const { model, catalogue } = score;
  return (
    <Stack>
      <Numbers score={score} />
      {score.score !== null && <LikelihoodParts of={score} />}
      {score.contributions.length > 0 && (
        <AssetContributions
          contributions={pages.flatMap(({ contributions }) => contributions)}
          total={score.contributionCount}
          onMore={hasNextPage ? () => void fetchNextPage() : null}
          isLoading={isFetchingNextPage}
        />
      )}
      {score.malformedVectors > 0 && (
        <Text size="xs" c="dimmed">
          <Plural
            value={score.malformedVectors}
            one="# CVSS vector is invalid. The severity from the source is used instead."
            other="# CVSS vectors are invalid. The severity from the source is used instead."
          />
        </Text>
      )}
      <Text size="xs" c="dimmed">
        <Trans>
          Model {model}, catalogues: {catalogue}
        </Trans>
      </Text>
    </Stack>
  );
}

function Numbers({ score: { score, band, breachLikelihood, likelihood } }: { score: Api['AssetScoreDto'] }) {
  if (score === null) {
    return (
      <Text size="sm">
        <Trans>
          <b>Not scored.</b> No active finding of this asset has a valid CVE or ATT&CK technique.
        </Trans>
      </Text>
    );
  }
  const range = likelihood && percentRange(likelihood);
  return (
    <Group gap="xl" align="flex-end">
      <div>
        <div className={classes.score} data-level={bandOf(score)}>
          <span>{fixed(score)}</span>
          <small>
            <Trans>of 100</Trans>
          </small>
        </div>
        <Text size="sm" c="dimmed">
          {band ? rangeNames()[band] : bandNames()[bandOf(score)]}
        </Text>
      </div>
      <div>
        <div className={classes.likelihood}>{probabilityText(breachLikelihood)}</div>
        <Text size="sm" c="dimmed">
          {range
            ? t`Likelihood of a compromise within 30 days, ${range}`
            : t`Probability of a breach within 30 days`}
        </Text>
      </div>
    </Group>
  );
}

/** Ranges of a score of posture-2 (docs/scoring.md "Score of posture-2"), by their typical content. */
const rangeNames = (): Record<NonNullable<Api['AssetScoreDto']['band']>, string> => ({
  evidence: t`Risk score, from 80: evidence, such as an active detection on an important asset`,
  exposed: t`Risk score, 55 to 80: exposed, such as exploited weaknesses that can be reached from outside`,
  likely: t`Risk score, 35 to 55: likely, such as exploited or likely weaknesses inside`,
  hygiene: t`Risk score, below 35: hygiene`,
});

/** Of posture-1, whose scores have no ranges. */
const bandNames = (): Record<Band, string> => ({
  critical: t`Risk score, critical`,
  high: t`Risk score, high`,
  medium: t`Risk score, medium`,
  low: t`Risk score, low`,
});
