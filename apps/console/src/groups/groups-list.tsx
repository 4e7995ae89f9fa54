import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api } from '../api/client.ts';
import { alsoEachMinute } from '../api/live.ts';
import { AppLink, CellLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { EmptyList } from '../parts/empty-list.tsx';
import { ListError } from '../parts/filters/list-error.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Pager } from '../parts/pager.tsx';
import { Score } from '../parts/score.tsx';
import { Answered } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { GROUPINGS, type Grouping, groupAddress } from '../risk/group.ts';
import { GroupingControl, useGrouping } from '../risk/grouping-control.tsx';
import { useAsOf } from '../time/as-of.ts';
import classes from './groups.module.css';
import { LikelihoodCell } from './likelihood-cell.tsx';

type GroupScore = Api['GroupScoreDto'];

const ROWS = 50;

/** All groups of a kind, highest score first. */
export function GroupsList() {
  const search = useSearch();
  const { asOf, query: instant } = useAsOf();
  const kind = useGrouping();
  const cursor = search.get('cursor');
  const list = api.useQuery(
    'get',
    GROUPINGS[kind].path,
    { params: { query: { limit: ROWS, ...(cursor && { cursor }), ...instant } } },
    { placeholderData: keepPreviousData, ...alsoEachMinute(asOf) },
  );
  const pages = usePages(list);
  return (
    <>
      <PageTitle>{t`Groups`}</PageTitle>
      <Stack gap="sm" align="stretch">
        <GroupingControl
          aria-label={t`Kind of group`}
          style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
        />
        {list.error && !list.data ? (
          <ListError error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Answered query={list} waiting={<TableSkeleton />}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyList noMatch={t`No groups match`} none={t`No groups yet`} isFiltered={false}>
                  <Trans>
                    Groups appear after the first{' '}
                    <AppLink to="/uploads" underline="always">
                      upload
                    </AppLink>
                    .
                  </Trans>
                </EmptyList>
              ) : (
                <>
                  <DataTable
                    label={i18n._(GROUPINGS[kind].many)}
                    columns={columnsOf(kind, items)}
                    rows={items}
                    idOf={({ name }) => name}
                    isStale={list.isPlaceholderData}
                    hasCards
                  />
                  <Pager pages={pages} shown={items.length} />
                </>
              )
            }
          </Answered>
        )}
      </Stack>
    </>
  );
}

/** With the parts of the likelihood if the model has them. */
function columnsOf(kind: Grouping, [first]: readonly GroupScore[]): readonly Column<GroupScore>[] {
  return [
    { id: 'score', header: t`Score`, cell: ({ score }) => <Score value={score} /> },
    {
      id: 'name',
      header: i18n._(GROUPINGS[kind].label),
      isTitle: true,
      cell: ({ name }) => (
        <span className={classes.name} title={name}>
          <CellLink to={groupAddress({ kind, name })}>
            <bdi>{name}</bdi>
          </CellLink>
        </span>
      ),
    },
    {
      id: 'likelihood',
      header: t`Breach likelihood`,
      cell: ({ breachLikelihood, likelihood }) => (
        <LikelihoodCell best={breachLikelihood} interval={likelihood} />
      ),
    },
    ...(first?.likelihood === undefined ? [] : partColumns()),
    {
      id: 'assets',
      header: t`Assets`,
      cell: ({ assets, scoredAssets }) =>
        scoredAssets === assets ? number(assets) : scoredText(number(assets), scoredAssets),
    },
  ];
}

const scoredText = (all: string, scored: number): string =>
  plural(scored, { one: `${all}, # scored`, other: `${all}, # scored` });

const partCell = (part: Api['IntervalDto'] | undefined) => (
  <LikelihoodCell best={part?.best ?? null} interval={part} />
);

const partColumns = (): readonly Column<GroupScore>[] => [
  {
    id: 'forecast',
    header: t`Forecast, by weaknesses`,
    cell: ({ likelihood }) => partCell(likelihood?.forecast),
  },
  {
    id: 'evidence',
    header: t`Evidence, by detections`,
    cell: ({ likelihood }) => partCell(likelihood?.evidence),
  },
];
