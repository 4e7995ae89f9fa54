import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { useFindingColumns } from '../findings/finding-columns.tsx';
import { useColumns } from '../parts/columns.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { Section } from '../risk/section.tsx';
import { useAsOf } from '../time/as-of.ts';
import { type Plan, sizeOf } from './plan.ts';

const SHOWN_MAX = 25;
const ALL_STATES = ['Failed', 'NotAssessed', 'AcceptedFailed', 'Qualified', 'Retired'] as const;

/** The first findings of a plan, and a link to all of them in the list. */
export function PlanFindings({ plan }: { plan: Plan }) {
  const { query } = useAsOf();
  const { columns } = useColumns('findings', useFindingColumns());
  const list = api.useQuery(
    'get',
    '/api/v3/findings',
    { params: { query: { plan: plan.id, state: [...ALL_STATES], limit: SHOWN_MAX, ...query } } },
    { placeholderData: keepPreviousData },
  );
  const size = sizeOf(plan.findings);
  const states = (of: readonly string[]) => `/findings?plan=${plan.id}&state=${of.join(',')}`;
  return (
    <Section
      title={t`Findings`}
      control={
        <Group gap="md">
          <AppLink to={states(ALL_STATES)} size="sm">
            {t`All ${size.toLocaleString()} in the list`}
          </AppLink>
          {plan.findings.open > 0 && (
            <AppLink to={states(['Failed', 'NotAssessed'])} size="sm">
              {`${plan.findings.open.toLocaleString()} open`}
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
