import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { Severity } from '../parts/severity.tsx';
import { State } from '../parts/state.tsx';

type Finding = Api['FindingItemDto'];

export const findingColumns = (): readonly Column<Finding>[] => [
  {
    id: 'severity',
    header: t`Severity`,
    sort: 'severity',
    firstSort: 'descending',
    cell: ({ severity }) => <Severity value={severity.value} />,
  },
  {
    id: 'name',
    header: t`Finding`,
    sort: 'name',
    cell: ({ id, name }) => (
      <AppLink to={`/findings/${id}`} size="sm">
        <bdi>{name}</bdi>
      </AppLink>
    ),
  },
  {
    id: 'asset',
    header: t`Asset`,
    sort: 'assetName',
    cell: ({ assetId, assetName }) => (
      <AppLink to={`/assets/${assetId}`} size="sm">
        <bdi>{assetName}</bdi>
      </AppLink>
    ),
  },
  { id: 'state', header: t`State`, cell: ({ state }) => <State of={state} /> },
  { id: 'techniques', header: t`Techniques`, cell: ({ techniques }) => techniques.join(', ') || '–' },
  {
    id: 'instances',
    header: t`Instances`,
    align: 'end',
    cell: ({ instanceCount }) => number(instanceCount),
  },
  {
    id: 'counted',
    header: t`Counted`,
    cell: ({ counted, notCountedBecause }) => (
      <span title={notCountedBecause ?? undefined}>{counted ? t`Yes` : t`No`}</span>
    ),
  },
  {
    id: 'updated',
    header: t`Changed`,
    sort: 'updatedAt',
    firstSort: 'descending',
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
  },
];
