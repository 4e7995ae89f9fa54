import { SimpleGrid, Stack } from '@mantine/core';
import { Answered, Empty } from '../parts/states.tsx';
import { AnnualLoss } from '../risk/annual-loss.tsx';
import { BestFixes } from '../risk/best-fixes.tsx';
import { Posture } from '../risk/posture.tsx';
import { ScoreChanges } from '../risk/score-changes.tsx';
import { Waiting } from '../risk/section.tsx';
import { useRisk } from '../risk/use-risk.ts';
import { useAsOf } from '../time/as-of.ts';
import { FailedFindings } from './failed-findings.tsx';
import { RiskBy } from './risk-by.tsx';

const POSTURE_HEIGHT = 352;

/** The score with its trend, then causes and fixes, then risk by group. */
export function Overview() {
  const { asOf, query } = useAsOf();
  const score = useRisk(null, query);
  return (
    <Answered query={score} waiting={<Waiting height={POSTURE_HEIGHT} />}>
      {(organization) =>
        organization === null || (asOf !== null && organization.assets === 0) ? (
          <Empty title="No data at this time">No asset was reported before this time.</Empty>
        ) : (
          <Stack>
            <Posture subject={null} risk={organization} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <ScoreChanges subject={null} score={organization.score} />
              <BestFixes subject={null} score={organization.score} />
              <RiskBy />
              <FailedFindings />
              <AnnualLoss subject={null} score={organization.score} />
            </SimpleGrid>
          </Stack>
        )
      }
    </Answered>
  );
}
