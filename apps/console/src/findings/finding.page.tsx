import { t } from '@lingui/core/macro';
import { Grid, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api } from '../api/client.ts';
import { isMissing, Missing } from '../parts/missing.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { FindingDecision } from './finding-decision.tsx';
import { FindingFacts } from './finding-facts.tsx';
import { FindingHead } from './finding-head.tsx';
import { FindingHistory } from './finding-history.tsx';
import { FindingInstances } from './finding-instances.tsx';
import { FindingMappings } from './finding-mappings.tsx';
import { FindingStatus } from './finding-status.tsx';
import { FindingTexts } from './finding-texts.tsx';
import { FindingComments } from './triage/finding-comments.tsx';
import { FindingTriage } from './triage/finding-triage.tsx';

/** A finding: status, description, evidence and history. */
export function Component() {
  const id = useParams().id!;
  return <FindingPage key={id} id={id} />;
}

function FindingPage({ id }: { id: string }) {
  const asOf = useAsOf();
  const query = api.useQuery(
    'get',
    '/api/v3/findings/{id}',
    { params: { path: { id }, query: asOf.query } },
    { placeholderData: keepPreviousData },
  );
  if (isMissing(query.error)) {
    return <Missing what="finding" />;
  }
  return (
    <Answered query={query} waiting={<Waiting />}>
      {(finding) => (
        <>
          <FindingHead finding={finding} />
          <Grid aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.55 : 1}>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack>
                <FindingStatus finding={finding} />
                <FindingTexts finding={finding} />
                <FindingInstances finding={finding} />
                <FindingComments finding={finding} />
                <FindingHistory id={id} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Stack>
                <FindingTriage finding={finding} />
                {finding.ssvc && <FindingDecision ssvc={finding.ssvc} kev={finding.kev} />}
                <FindingMappings mappings={finding.mappings} />
                <FindingFacts finding={finding} />
              </Stack>
            </Grid.Col>
          </Grid>
        </>
      )}
    </Answered>
  );
}

const Waiting = () => (
  <>
    <PageTitle>{t`Finding`}</PageTitle>
    <Stack role="status" aria-label={t`Loading`}>
      {[120, 220, 180].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  </>
);
