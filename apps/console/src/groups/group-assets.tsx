import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
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

const COLUMNS: readonly Column<Asset>[] = [
  { id: 'score', header: 'Score', cell: ({ score }) => <Score value={score} /> },
  {
    id: 'name',
    header: 'Asset',
    isTitle: true,
    cell: ({ assetId, name }) => <CellLink to={`/assets/${assetId}`}>{name}</CellLink>,
  },
  {
    id: 'likelihood',
    header: 'Breach likelihood',
    cell: ({ breachLikelihood, likelihood }) => (
      <LikelihoodCell best={breachLikelihood} interval={likelihood} />
    ),
  },
  {
    id: 'criticality',
    header: 'Criticality',
    cell: ({ criticality }) => <Criticality of={criticality} />,
  },
  { id: 'type', header: 'Type', cell: ({ type }) => type },
  { id: 'department', header: 'Department', cell: ({ department }) => department },
];

/** The assets with the highest scores, and a link to all. @param total number of assets of the group */
export function GroupAssets({ group, total }: { group: Group; total: number }) {
  const { query: instant } = useAsOf();
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
          <Trans>All {total.toLocaleString()} assets</Trans>
        </AppLink>
      }
    >
      <Answered query={assets} waiting={<Skeleton height={300} />}>
        {({ items }) => (
          <DataTable
            label={t`Assets of the group`}
            columns={COLUMNS.filter(({ id }) => id !== group.kind)}
            rows={items}
            idOf={({ assetId }) => assetId}
            isStale={assets.isPlaceholderData}
          />
        )}
      </Answered>
    </Panel>
  );
}
