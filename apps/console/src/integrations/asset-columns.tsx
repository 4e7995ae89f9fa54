import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { Score } from '../parts/score.tsx';

type Asset = Api['AssetDto'];

export const ASSET_COLUMNS: readonly Column<Asset>[] = [
  {
    id: 'name',
    header: 'Asset',
    sort: 'name',
    cell: ({ id, name }) => (
      <AppLink to={`/assets/${id}`} size="sm">
        {name}
      </AppLink>
    ),
  },
  {
    id: 'score',
    header: 'Score',
    sort: 'score',
    firstSort: 'descending',
    cell: ({ score }) => <Score value={score} />,
  },
  {
    id: 'criticality',
    header: 'Criticality',
    sort: 'criticality',
    firstSort: 'descending',
    isExtra: true,
    cell: ({ criticality }) => criticality ?? '–',
  },
  { id: 'type', header: 'Type', cell: ({ type }) => type },
  { id: 'attackSurface', header: 'Attack surface', cell: ({ attackSurface }) => attackSurface },
  { id: 'os', header: 'Operating system', cell: ({ os }) => os ?? '–' },
  { id: 'fqdn', header: 'FQDN', isExtra: true, cell: ({ fqdn }) => fqdn ?? '–' },
  {
    id: 'addresses',
    header: 'IP addresses',
    isExtra: true,
    cell: ({ ipAddresses }) => ipAddresses.join(', ') || '–',
  },
  {
    id: 'edr',
    header: 'EDR findings',
    align: 'right',
    cell: ({ edr }) => (edr ? edr.findings.toLocaleString() : 'Not assessed'),
  },
  {
    id: 'updated',
    header: 'Changed',
    sort: 'updatedAt',
    firstSort: 'descending',
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
  },
];
