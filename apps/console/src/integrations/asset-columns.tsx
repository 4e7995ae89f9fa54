import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { Score } from '../parts/score.tsx';
import type { Integration } from './kinds.ts';

type Asset = Api['AssetDto'];

const COLUMNS: readonly Column<Asset>[] = [
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
    id: 'updated',
    header: 'Changed',
    sort: 'updatedAt',
    firstSort: 'descending',
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
  },
];

const EDR_FINDINGS: Column<Asset> = {
  id: 'edr',
  header: 'EDR findings',
  align: 'end',
  cell: ({ edr }) => (edr ? edr.findings.toLocaleString() : t`Not assessed`),
};

const FAILED: Column<Asset> = {
  id: 'failed',
  header: 'Failed findings',
  align: 'end',
  cell: ({ findings }) => findings.failed.toLocaleString(),
};

/** Columns of the Asset View. */
export const assetColumns = (type: Integration['type']): readonly Column<Asset>[] => [
  ...COLUMNS.slice(0, -1),
  type === 'edrplugin' ? EDR_FINDINGS : FAILED,
  COLUMNS.at(-1)!,
];
