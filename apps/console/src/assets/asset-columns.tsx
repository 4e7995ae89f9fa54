import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { CellLink } from '../app/links.tsx';
import { Criticality } from '../parts/criticality.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { ResponsibleLink } from '../parts/responsible.tsx';
import { Score } from '../parts/score.tsx';
import classes from './assets.module.css';

export type Asset = Api['AssetDto'];

export const ASSET_COLUMNS: readonly Column<Asset>[] = [
  {
    id: 'score',
    header: 'Score',
    cell: ({ score }) => <Score value={score} />,
    sort: 'score',
    firstSort: 'descending',
  },
  {
    id: 'name',
    header: 'Asset',
    isTitle: true,
    cell: ({ id, name }) => (
      <span className={classes.name} title={name}>
        <CellLink to={`/assets/${id}`}>{name}</CellLink>
      </span>
    ),
    sort: 'name',
  },
  { id: 'findings', header: 'Failed findings', cell: (asset) => <FailedOf asset={asset} /> },
  {
    id: 'criticality',
    header: 'Criticality',
    cell: ({ criticality }) => <Criticality of={criticality} />,
    sort: 'criticality',
    firstSort: 'descending',
  },
  { id: 'type', header: 'Type', cell: ({ type }) => type },
  { id: 'department', header: 'Department', cell: ({ department }) => department },
  { id: 'location', header: 'Location', cell: ({ location }) => location },
  {
    id: 'owner',
    header: 'Owner',
    cell: ({ owner }) => (owner ? <ResponsibleLink of={owner} /> : '–'),
    isExtra: true,
  },
  {
    id: 'attackSurface',
    header: 'Attack surface',
    cell: ({ attackSurface }) => attackSurface,
    isExtra: true,
  },
  { id: 'os', header: 'Operating system', cell: ({ os }) => os ?? '–', isExtra: true },
  {
    id: 'addresses',
    header: 'Addresses',
    cell: ({ ipAddresses }) => ipAddresses.join(', ') || '–',
    isExtra: true,
  },
  { id: 'sources', header: 'Sources', cell: ({ sources }) => sources.join(', ') || '–', isExtra: true },
  {
    id: 'firstSeen',
    header: 'First seen',
    cell: ({ firstSeen }) => <Instant at={firstSeen} />,
    isExtra: true,
  },
  { id: 'lastSeen', header: 'Last seen', cell: ({ lastSeen }) => <Instant at={lastSeen} /> },
  {
    id: 'updatedAt',
    header: 'Updated',
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
    sort: 'updatedAt',
    firstSort: 'descending',
    isExtra: true,
  },
];

/** Failed and total findings; the count links to the failed ones. */
function FailedOf({ asset: { id, name, findings } }: { asset: Asset }) {
  const { failed, qualified, accepted, notAssessed } = findings;
  const all = failed + qualified + accepted + notAssessed;
  if (all === 0) return '–';
  const details = t`${accepted} accepted, ${qualified} qualified, ${notAssessed} not assessed`;
  return (
    <span className={classes.failed} title={details}>
      {failed === 0 ? (
        '0'
      ) : (
        <CellLink
          to={`/findings?assetId=${id}&state=Failed`}
          aria-label={t`${failed} failed findings of ${name}`}
        >
          {failed.toLocaleString()}
        </CellLink>
      )}
      <span className={classes.all}> of {all.toLocaleString()}</span>
    </span>
  );
}
