import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Api, api } from '../api/client.ts';
import { AppLink, CellLink } from '../app/links.tsx';
import { Criticality } from '../parts/criticality.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Panel } from '../parts/panel.tsx';
import { Score } from '../parts/score.tsx';
import { Answered } from '../parts/states.tsx';
import { type Group, groupQuery } from '../risk/group.ts';
import { useAsOf } from '../time/as-of.ts';
import { LikelihoodCell } from './likelihood-cell.tsx';

type Asset = Api['AssetScoreItemDto'];

const SHOWN_MAX = 10;

const assetColumns = (): readonly Column<Asset>[] => [
  { id: 'score', header: t`Score`, cell: ({ score }) => <Score value={score} /> },
  {
    id: 'name',
    header: t`Asset`,
    isTitle: true,
    cell: ({ assetId, name }) => (
      <CellLink to={`/assets/${assetId}`}>
        <bdi>{name}</bdi>
      </CellLink>
    ),
  },
  {
    id: 'likelihood',
    header: t`Breach likelihood`,
    cell: ({ breachLikelihood, likelihood }) => (
      <LikelihoodCell best={breachLikelihood} interval={likelihood} />
    ),
  },
  {
    id: 'criticality',
    header: t`Criticality`,
    cell: ({ criticality }) => <Criticality of={criticality} />,
  },
  { id: 'type', header: t`Type`, cell: ({ type }) => type },
  { id: 'department', header: t`Department`, cell: ({ department }) => department },
];

/** The assets with the highest scores, and a link to all. @param total number of assets of the group */
export function GroupAssets({ group, total }: { group: Group; total: number }) {
  const { query: instant } = useAsOf();
  const columns = useMemo(() => assetColumns().filter(({ id }) => id !== group.kind), [group.kind]);
  const assets = api.useQuery(
    'get',
    '/api/v3/scores/assets',
    { params: { query: { ...groupQuery(group), limit: SHOWN_MAX, ...instant } } },
    { placeholderData: keepPreviousData },
  );
  const all = `/assets?${new URLSearchParams({ [group.kind]: group.name, sort: '-score' })}`;
  return (
    <Panel
      title={t`Assets, highest score first`}
      actions={
        <AppLink to={all} size="sm">
          <Plural value={total} one="All # asset" other="All # assets" />
        </AppLink>
      }
    >
      <Answered query={assets} waiting={<Skeleton height={300} />}>
        {({ items }) => (
          <DataTable
            label={t`Assets of the group`}
            columns={columns}
            rows={items}
            idOf={({ assetId }) => assetId}
            isStale={assets.isPlaceholderData}
          />
        )}
      </Answered>
    </Panel>
  );
}
