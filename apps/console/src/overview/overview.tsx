import { SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Answered, Empty } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { BestFixes } from './best-fixes.tsx';
import { FailedFindings } from './failed-findings.tsx';
import { Moved } from './moved.tsx';
import { Posture } from './posture.tsx';
import { RiskBy } from './risk-by.tsx';
import { Waiting } from './section.tsx';

const POSTURE_HEIGHT = 352;

/** The score with its course first, then why and what to do about it, then where the risk lies. */
export function Overview() {
  const { asOf, query } = useAsOf();
  const score = api.useQuery(
    'get',
    '/api/v3/scores/organization',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Answered query={score} waiting={<Waiting height={POSTURE_HEIGHT} />}>
      {(organization) =>
        asOf !== null && organization.assets === 0 ? (
          <Empty title="Nothing was known yet">No asset had been reported at this instant.</Empty>
        ) : (
          <Stack>
            <Posture organization={organization} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Moved score={organization.score} />
              <BestFixes score={organization.score} />
              <RiskBy />
              <FailedFindings />
            </SimpleGrid>
          </Stack>
        )
      }
    </Answered>
  );
}
