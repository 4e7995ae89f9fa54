import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { useFindingColumns } from '../findings/finding-columns.tsx';
import { number } from '../language/format.ts';
import { useColumns } from '../parts/columns.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { FINDING_STATES, type FindingState } from '../parts/state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { Section } from '../risk/section.tsx';
import { useAsOf } from '../time/as-of.ts';
import { type Plan, sizeOf } from './plan.ts';

const SHOWN_MAX = 25;

/** The first findings of a plan, and a link to all of them in the list. */
export function PlanFindings({ plan }: { plan: Plan }) {
  const { query } = useAsOf();
  const { columns } = useColumns('findings', useFindingColumns());
  const list = api.useQuery(
    'get',
    '/api/v3/findings',
    { params: { query: { plan: plan.id, state: [...FINDING_STATES], limit: SHOWN_MAX, ...query } } },
    { placeholderData: keepPreviousData },
  );
  const [size, open] = [number(sizeOf(plan.findings)), number(plan.findings.open)];
  const states = (of: readonly FindingState[]) => `/findings?plan=${plan.id}&state=${of.join(',')}`;
  return (
    <Section
      title={t`Findings`}
      control={
        <Group gap="md">
          <AppLink to={states(FINDING_STATES)} size="sm">
            <Trans>All {size} in the list</Trans>
          </AppLink>
          {plan.findings.open > 0 && (
            <AppLink to={states(['Failed', 'NotAssessed'])} size="sm">
              <Trans context="number of findings">{open} open</Trans>
            </AppLink>
          )}
        </Group>
      }
    >
      <Answered query={list} waiting={<TableSkeleton />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t`No findings at this time`} />
          ) : (
            <DataTable
              label={t`Findings of the plan`}
              columns={columns}
              rows={items}
              idOf={({ id }) => id}
              isStale={list.isPlaceholderData}
              hasCards
            />
          )
        }
      </Answered>
    </Section>
  );
}
