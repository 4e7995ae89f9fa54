import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { AppLink } from '../app/links.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { AnnualLoss } from '../risk/annual-loss.tsx';
import { BestFixes } from '../risk/best-fixes.tsx';
import { GROUPINGS, type Group } from '../risk/group.ts';
import { Posture } from '../risk/posture.tsx';
import { ScoreChanges } from '../risk/score-changes.tsx';
import { Waiting } from '../risk/section.tsx';
import { useRisk } from '../risk/use-risk.ts';
import { useAsOf } from '../time/as-of.ts';
import { GroupAssets } from './group-assets.tsx';

const POSTURE_HEIGHT = 352;

/** A department, location, attack surface or asset type: score with history, causes and fixes, loss, assets. */
export function GroupPage({ group }: { group: Group }) {
  const { asOf, query } = useAsOf();
  const risk = useRisk(group, query);
  const { many, none, noneThen } = GROUPINGS[group.kind];
  return (
    <>
      <PageTitle
        name={group.name}
        above={
          <Text size="sm" c="dimmed">
            <AppLink to={`/groups?by=${group.kind}`} inherit>
              {i18n._(many)}
            </AppLink>
          </Text>
        }
      >
        <bdi>{group.name}</bdi>
      </PageTitle>
      <Answered query={risk} waiting={<Waiting height={POSTURE_HEIGHT} />}>
        {(found) =>
          found === null ? (
            <Empty title={i18n._(asOf === null ? none : noneThen)}>
              {asOf === null
                ? t`The name must match exactly. The scores of new assets appear within seconds.`
                : t`No asset belonged to it at this time.`}
            </Empty>
          ) : (
            <Stack>
              <Posture subject={group} risk={found} />
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
                <ScoreChanges subject={group} score={found.score} />
                <BestFixes subject={group} score={found.score} />
                <AnnualLoss subject={group} score={found.score} />
              </SimpleGrid>
              <GroupAssets group={group} total={found.assets} />
            </Stack>
          )
        }
      </Answered>
    </>
  );
}
