import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Grid, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api } from '../api/client.ts';
import { fullInstant } from '../parts/instant.tsx';
import { isMissing, Missing } from '../parts/missing.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { AssetFacts } from './asset-facts.tsx';
import { AssetFindings } from './asset-findings.tsx';
import { AssetHead } from './asset-head.tsx';
import { AssetScore } from './asset-score.tsx';
import { AssetScoreChanges } from './asset-score-changes.tsx';
import { AssetScoreHistory } from './asset-score-history.tsx';
import { AssetStatements } from './asset-statements.tsx';

/** An asset: score, contributions, history, findings and properties. */
export function Component() {
  const id = useParams().id!;
  return <AssetPage key={id} id={id} />;
}

function AssetPage({ id }: { id: string }) {
  const asOf = useAsOf();
  const query = api.useQuery(
    'get',
    '/api/v3/assets/{id}',
    { params: { path: { id }, query: asOf.query } },
    { placeholderData: keepPreviousData },
  );
  if (isMissing(query.error)) return <Missing what="asset" />;
  return (
    <Answered query={query} waiting={<Waiting />}>
      {(asset) => (
        <>
          <AssetHead asset={asset} />
          {asset.deletedAt && (
            <Alert color="gray" variant="outline" mb="md" title={deletedText(fullInstant(asset.deletedAt))}>
              <Trans>
                The asset had no active findings and no updates within the retention period. Its history
                remains available. If a source reports it again, it is restored as the same asset.
              </Trans>
            </Alert>
          )}
          <Grid aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.55 : 1}>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack>
                <AssetScore id={id} />
                <AssetScoreHistory asset={asset} />
                <AssetScoreChanges id={id} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 5 }}>
              <AssetFacts asset={asset} />
            </Grid.Col>
            <Grid.Col span={12}>
              <AssetFindings id={id} />
            </Grid.Col>
            <Grid.Col span={12}>
              <AssetStatements statements={asset.statements} />
            </Grid.Col>
          </Grid>
        </>
      )}
    </Answered>
  );
}

const deletedText = (time: string): string => t`Deleted on ${time}`;

const Waiting = () => (
  <>
    <PageTitle>{t`Asset`}</PageTitle>
    <Stack role="status" aria-label={t`Loading`}>
      {[220, 200, 320].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  </>
);
