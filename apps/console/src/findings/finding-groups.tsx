import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { eachMinute } from '../api/live.ts';
import { CellLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { ListError } from '../parts/filters/list-error.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { LEVELS, levelNames, Severity } from '../parts/severity.tsx';
import { FINDING_STATES, type FindingState, stateNames } from '../parts/state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { type Search, useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import type { Grouping } from './filter-names.ts';
import { groupingLabels, statesOf, useFindingFilter } from './finding-filter.ts';
import classes from './findings.module.css';
import { addressOf } from './group-address.ts';

type FindingGroup = Api['FindingGroupDto'];

const SHOWN_FIRST = 50;
/** As many as the service returns at most. */
const SHOWN_MAX = 500;

/** The groups with most findings; each leads to the list of its findings. */
export function FindingGroups({ by }: { by: Grouping }) {
  const filter = useFindingFilter();
  const { asOf, query: instant } = useAsOf();
  const [limit, setLimit] = useState(SHOWN_FIRST);
  const groups = api.useQuery(
    'get',
    '/api/v3/findings/groups',
    { params: { query: { ...filter, by, limit, ...instant } } },
    { placeholderData: keepPreviousData, retry: false, ...eachMinute(asOf) },
  );
  const columns = useGroupColumns(by);
  if (groups.error && !groups.data) {
    return <ListError error={groups.error} onRetry={() => void groups.refetch()} />;
  }
  return (
    <Answered query={groups} waiting={<TableSkeleton />}>
      {(answer) => (
        <>
          <Group gap="md">
            <ListTotal total={answer.totalGroups} isCounting={false}>
              {(count) => (
                <Plural
                  value={count}
                  one={
                    <Trans>
                      <b>#</b> group
                    </Trans>
                  }
                  other={
                    <Trans>
                      <b>#</b> groups
                    </Trans>
                  }
                />
              )}
            </ListTotal>
            <WithoutGroup by={by} findings={answer.withoutGroup} />
          </Group>
          {answer.groups.length === 0 ? (
            <Empty title={t`No groups`}>
              <Trans>No finding of this list is in a group.</Trans>
            </Empty>
          ) : (
            <DataTable
              label={t`Groups of findings`}
              columns={columns}
              rows={answer.groups}
              idOf={({ key }) => key}
              isStale={groups.isPlaceholderData}
              hasCards
            />
          )}
          <MoreGroups
            shown={answer.groups.length}
            total={answer.totalGroups}
            onMore={() => setLimit(SHOWN_MAX)}
          />
        </>
      )}
    </Answered>
  );
}

function WithoutGroup({ by, findings }: { by: Grouping; findings: number }) {
  if (findings === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {by === 'cve' ? (
        <Plural value={findings} one="# finding without a CVE" other="# findings without a CVE" />
      ) : (
        <Plural
          value={findings}
          one="# finding without an ATT&CK technique"
          other="# findings without an ATT&CK technique"
        />
      )}
    </Text>
  );
}

function MoreGroups({ shown, total, onMore }: { shown: number; total: number; onMore: () => void }) {
  if (shown >= total) return null;
  const [some, all] = [number(shown), number(total)];
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        <Trans>
          {some} of {all} groups, those with most findings. Filter to see others.
        </Trans>
      </Text>
      {shown < SHOWN_MAX && (
        <Button size="xs" variant="default" onClick={onMore}>
          <Trans>Show more groups</Trans>
        </Button>
      )}
    </Group>
  );
}

function useGroupColumns(by: Grouping): readonly Column<FindingGroup>[] {
  const search = useSearch();
  return useMemo(() => {
    const levels = levelNames();
    const states = stateNames();
    return [
      {
        id: 'group',
        header: groupingLabels()[by],
        isTitle: true,
        cell: (group) => (
          <span className={classes.name} title={group.name ?? group.key}>
            <CellLink to={`/findings?${addressOf(search.all(), by, group.key)}`}>
              <bdi>{by === 'cve' || by === 'technique' ? group.key : (group.name ?? group.key)}</bdi>
            </CellLink>
            {by === 'technique' && group.name !== null && (
              <>
                {' '}
                <bdi>{group.name}</bdi>
              </>
            )}
          </span>
        ),
      },
      { id: 'findings', header: t`Findings`, align: 'end', cell: ({ findings }) => number(findings) },
      { id: 'worst', header: t`Worst severity`, cell: ({ severityMax }) => <Severity value={severityMax} /> },
      ...LEVELS.map(
        (level): Column<FindingGroup> => ({
          id: level,
          header: levels[level],
          align: 'end',
          cell: ({ severityLevel }) => number(severityLevel[level] ?? 0),
        }),
      ),
      ...shownStates(search).map(
        (state): Column<FindingGroup> => ({
          id: state,
          header: states[state],
          align: 'end',
          cell: (group) => number(group.state[state] ?? 0),
        }),
      ),
    ];
  }, [by, search]);
}

/** All findings of a group have the only state of a filter. */
function shownStates(search: Search): readonly FindingState[] {
  const chosen = statesOf(search);
  if (chosen.length === 1) return [];
  return FINDING_STATES.filter((state) =>
    chosen.length === 0 ? state !== 'Retired' : chosen.includes(state),
  );
}
