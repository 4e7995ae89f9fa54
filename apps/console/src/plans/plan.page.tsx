import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { api } from '../api/client.ts';
import { alsoEachMinute } from '../api/live.ts';
import { queryClient } from '../api/query-client.ts';
import { AppLink, useGo } from '../app/links.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { Instant } from '../parts/instant.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered, Loading } from '../parts/states.tsx';
import { Section } from '../risk/section.tsx';
import { useMay } from '../session/session.ts';
import { refreshIfStale, settled, useMayChange } from '../settings/act.ts';
import { useAsOf } from '../time/as-of.ts';
import { BurnDown } from './burn-down-chart.tsx';
import { EditPlan } from './edit-plan.tsx';
import { ownerText, type Plan, progressText, stepsFrom } from './plan.ts';
import { planErrorText } from './plan-conflict.ts';
import { PlanFindings } from './plan-findings.tsx';
import { PlanOutcome } from './plan-outcome.tsx';
import { PlanStateBadge } from './plan-state.tsx';

/** Descriptions mention nobody. */
const NOBODY: readonly string[] = [];

/** One remediation plan: progress, promised and brought score, findings. */
export function Component() {
  const { id = '' } = useParams();
  const { asOf, query } = useAsOf();
  const plan = api.useQuery(
    'get',
    '/api/v3/plans/{id}',
    { params: { path: { id }, query } },
    alsoEachMinute(asOf),
  );
  return (
    <Answered query={plan} waiting={<Loading />}>
      {(found) => <PlanPage plan={found} />}
    </Answered>
  );
}

function PlanPage({ plan }: { plan: Plan }) {
  const mayReadScores = useMay('scores:read');
  return (
    <>
      <PageTitle
        name={plan.name}
        above={
          <Text size="sm" c="dimmed">
            <AppLink to="/plans" inherit>
              <Trans>Plans</Trans>
            </AppLink>
          </Text>
        }
        actions={<PlanActs plan={plan} />}
      >
        <bdi>{plan.name}</bdi>
      </PageTitle>
      <Stack>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Section title={t`Plan`}>
            <Stack gap="md">
              <Facts
                of={[
                  [t`State`, <PlanStateBadge key="state" plan={plan} />],
                  [t`Progress`, progressText(plan.findings)],
                  [t`Owner`, ownerText(plan)],
                  [t({ message: 'Due', context: 'time' }), plan.due && <Instant key="due" at={plan.due} />],
                  [
                    t({ message: 'Started', context: 'time' }),
                    plan.startedAt && <Instant key="started" at={plan.startedAt} />,
                  ],
                  [
                    t({ message: 'Ended', context: 'time' }),
                    plan.finishedAt && <Instant key="ended" at={plan.finishedAt} />,
                  ],
                  [t({ message: 'Changed', context: 'time' }), <Instant key="changed" at={plan.updatedAt} />],
                ]}
              />
              {plan.description && <Markdown text={plan.description} mentions={NOBODY} />}
            </Stack>
          </Section>
          {mayReadScores && <PlanOutcome plan={plan} />}
        </SimpleGrid>
        <BurnDown id={plan.id} />
        <PlanFindings plan={plan} />
      </Stack>
    </>
  );
}

function PlanActs({ plan }: { plan: Plan }) {
  const mayChange = useMayChange('findings:triage');
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const change = api.useMutation('patch', '/api/v3/plans/{id}', {
    onSuccess: (done) => void settled(done, t`The plan was changed.`),
    onError: refreshIfStale,
  });
  if (!mayChange || !plan.changeable) return null;
  const close = () => setOpen(null);
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        {stepsFrom(plan.state).map(({ to, label }) => (
          <Button
            key={to}
            size="xs"
            variant={to === 'cancelled' ? 'default' : 'filled'}
            loading={change.isPending}
            onClick={() =>
              change.mutate({
                params: { path: { id: plan.id } },
                body: { state: to, version: plan.version },
              })
            }
          >
            {label}
          </Button>
        ))}
        <Button size="xs" variant="default" onClick={() => setOpen('edit')}>
          <Trans>Edit …</Trans>
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpen('remove')}>
          <Trans>Remove …</Trans>
        </Button>
      </Group>
      {change.error && (
        <Alert color="red" role="alert" title={t`The plan is unchanged`}>
          {planErrorText(change.error)}
        </Alert>
      )}
      {open === 'edit' && <EditPlan plan={plan} onClose={close} />}
      {open === 'remove' && <RemovePlan plan={plan} onClose={close} />}
    </Stack>
  );
}

function RemovePlan({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const go = useGo();
  const remove = api.useMutation('delete', '/api/v3/plans/{id}', {
    onSuccess: (done) => {
      onClose();
      go('/plans');
      // The page may still be there when all queries are sent again: these would get a 404.
      queryClient.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(plan.id) });
      const { name } = plan;
      void settled(done, t`${name} was removed.`);
    },
    onError: refreshIfStale,
  });
  return (
    <Dialog onClose={onClose} title={t`Remove the plan?`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          remove.mutate({ params: { path: { id: plan.id }, query: { version: plan.version } } });
        }}
      >
        <Stack>
          <Text size="sm">
            <Trans>Its findings stay as they are. The audit trail keeps the plan.</Trans>
          </Text>
          {remove.error && (
            <Alert color="red" role="alert" title={t`The plan was not removed`}>
              {planErrorText(remove.error)}
            </Alert>
          )}
          <FormButtons act={t`Remove`} color="red.9" isBusy={remove.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
