import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { Severity } from '../parts/severity.tsx';
import { State } from '../parts/state.tsx';

type Finding = Api['FindingItemDto'];

export const FINDING_COLUMNS: readonly Column<Finding>[] = [
  {
    id: 'severity',
    header: 'Severity',
    sort: 'severity',
    firstSort: 'descending',
    cell: ({ severity }) => <Severity value={severity.value} />,
  },
  {
    id: 'name',
    header: 'Finding',
    sort: 'name',
    cell: ({ id, name }) => (
      <AppLink to={`/findings/${id}`} size="sm">
        {name}
      </AppLink>
    ),
  },
  {
    id: 'asset',
    header: 'Asset',
    sort: 'assetName',
    cell: ({ assetId, assetName }) => (
      <AppLink to={`/assets/${assetId}`} size="sm">
        {assetName}
      </AppLink>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <State of={state} /> },
  { id: 'techniques', header: 'Techniques', cell: ({ techniques }) => techniques.join(', ') || '–' },
  {
    id: 'instances',
    header: 'Instances',
    align: 'end',
    cell: ({ instanceCount }) => instanceCount.toLocaleString(),
  },
  {
    id: 'counted',
    header: 'Counted',
    cell: ({ counted, notCountedBecause }) => (
      <span title={notCountedBecause ?? undefined}>{counted ? t`Yes` : t`No`}</span>
    ),
  },
  {
    id: 'updated',
    header: 'Changed',
    sort: 'updatedAt',
    firstSort: 'descending',
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
  },
];
