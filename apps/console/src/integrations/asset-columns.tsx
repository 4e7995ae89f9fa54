import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { Score } from '../parts/score.tsx';
import { levelWord } from '../parts/severity.tsx';
import type { Integration } from './kinds.ts';

type Asset = Api['AssetDto'];

const columns = (): readonly Column<Asset>[] => [
  {
    id: 'name',
    header: t`Asset`,
    sort: 'name',
    cell: ({ id, name }) => (
      <AppLink to={`/assets/${id}`} size="sm">
        <bdi>{name}</bdi>
      </AppLink>
    ),
  },
  {
    id: 'score',
    header: t`Score`,
    sort: 'score',
    firstSort: 'descending',
    cell: ({ score }) => <Score value={score} />,
  },
  {
    id: 'criticality',
    header: t`Criticality`,
    sort: 'criticality',
    firstSort: 'descending',
    isExtra: true,
    cell: ({ criticality }) => (criticality === null ? '–' : levelWord(criticality)),
  },
  { id: 'type', header: t`Type`, cell: ({ type }) => type },
  { id: 'attackSurface', header: t`Attack surface`, cell: ({ attackSurface }) => attackSurface },
  { id: 'os', header: t`Operating system`, cell: ({ os }) => os ?? '–' },
  { id: 'fqdn', header: t`FQDN`, isExtra: true, cell: ({ fqdn }) => fqdn ?? '–' },
  {
    id: 'addresses',
    header: t`IP addresses`,
    isExtra: true,
    cell: ({ ipAddresses }) => ipAddresses.join(', ') || '–',
  },
  {
    id: 'updated',
    header: t`Changed`,
    sort: 'updatedAt',
    firstSort: 'descending',
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
  },
];

const edrFindings = (): Column<Asset> => ({
  id: 'edr',
  header: t`EDR findings`,
  align: 'end',
  cell: ({ edr }) => (edr ? number(edr.findings) : t`Not assessed`),
});

const failed = (): Column<Asset> => ({
  id: 'failed',
  header: t`Failed findings`,
  align: 'end',
  cell: ({ findings }) => number(findings.failed),
});

/** Columns of the Asset View. */
export const assetColumns = (type: Integration['type']): readonly Column<Asset>[] => [
  ...columns().slice(0, -1),
  type === 'edrplugin' ? edrFindings() : failed(),
  columns().at(-1)!,
];
