import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { api } from '../api/client.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { AddCard } from './add-card.tsx';
import { AddIntegration } from './add-integration.tsx';
import { EgressNote } from './egress-note.tsx';
import { IntegrationCard } from './integration-card.tsx';
import { kindNamed, kinds } from './kinds.ts';
import { PresentNote } from './present-note.tsx';

/** Above the maximum number of integrations. */
const ALL = 100;

export function Component() {
  const mayChange = useMay('integrations:write');
  const { asOf } = useAsOf();
  const mayAdd = mayChange && asOf === null;
  const kind = kindNamed(useSearch().get('add'));
  return (
    <>
      {kind && mayChange && <AddIntegration kind={kind} isHidden={!mayAdd} />}
      {!(kind && mayAdd) && <Integrations mayAdd={mayAdd} />}
    </>
  );
}

function Integrations({ mayAdd }: { mayAdd: boolean }) {
  const query = api.useQuery('get', '/integrations', { params: { query: { limit: ALL } } });
  return (
    <>
      <PageTitle>{t`Integrations`}</PageTitle>
      <PresentNote>
        <Trans>Integrations always show the current state.</Trans>
      </PresentNote>
      <Stack gap="xl">
        <Answered query={query} waiting={<WaitingCards />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t`No integrations yet`}>
                {mayAdd
                  ? t`An integration pulls assets and findings from another platform, daily or on request. Select a type below.`
                  : t`An integration pulls assets and findings from another platform. An admin can add one.`}
              </Empty>
            ) : (
              <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} component="ul" p={0} m={0}>
                {items.map((integration) => (
                  <IntegrationCard key={integration.id} integration={integration} />
                ))}
              </SimpleGrid>
            )
          }
        </Answered>
        {mayAdd && (
          <Stack component="section" aria-labelledby="to-add" gap="sm">
            <Title order={2} size="h4" id="to-add">
              <Trans>Add an integration</Trans>
            </Title>
            <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
              {Object.values(kinds()).map((kind) => (
                <AddCard key={kind.subType} kind={kind} />
              ))}
            </SimpleGrid>
            <EgressNote />
          </Stack>
        )}
      </Stack>
    </>
  );
}

function WaitingCards() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} role="status" aria-label={t`Loading`}>
      <Skeleton h={190} radius="md" />
      <Skeleton h={190} radius="md" />
    </SimpleGrid>
  );
}
