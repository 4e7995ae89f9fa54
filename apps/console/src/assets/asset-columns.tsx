import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Api } from '../api/client.ts';
import { CellLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import { Criticality } from '../parts/criticality.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { ResponsibleLink } from '../parts/responsible.tsx';
import { Score } from '../parts/score.tsx';
import classes from './assets.module.css';

export type Asset = Api['AssetDto'];

export const assetColumns = (): readonly Column<Asset>[] => [
  {
    id: 'score',
    header: t`Score`,
    cell: ({ score }) => <Score value={score} />,
    sort: 'score',
    firstSort: 'descending',
  },
  {
    id: 'name',
    header: t`Asset`,
    isTitle: true,
    cell: ({ id, name }) => (
      <span className={classes.name} title={name}>
        <CellLink to={`/assets/${id}`}>
          <bdi>{name}</bdi>
        </CellLink>
      </span>
    ),
    sort: 'name',
  },
  { id: 'findings', header: t`Failed findings`, cell: (asset) => <FailedOf asset={asset} /> },
  {
    id: 'criticality',
    header: t`Criticality`,
    cell: ({ criticality }) => <Criticality of={criticality} />,
    sort: 'criticality',
    firstSort: 'descending',
  },
  { id: 'type', header: t`Type`, cell: ({ type }) => type },
  { id: 'department', header: t`Department`, cell: ({ department }) => department },
  { id: 'location', header: t`Location`, cell: ({ location }) => location },
  {
    id: 'owner',
    header: t`Owner`,
    cell: ({ owner }) => (owner ? <ResponsibleLink of={owner} /> : '–'),
    isExtra: true,
  },
  {
    id: 'attackSurface',
    header: t`Attack surface`,
    cell: ({ attackSurface }) => attackSurface,
    isExtra: true,
  },
  { id: 'os', header: t`Operating system`, cell: ({ os }) => os ?? '–', isExtra: true },
  {
    id: 'addresses',
    header: t`Addresses`,
    cell: ({ ipAddresses }) => ipAddresses.join(', ') || '–',
    isExtra: true,
  },
  { id: 'sources', header: t`Sources`, cell: ({ sources }) => sources.join(', ') || '–', isExtra: true },
  {
    id: 'firstSeen',
    header: t`First seen`,
    cell: ({ firstSeen }) => <Instant at={firstSeen} />,
    isExtra: true,
  },
  { id: 'lastSeen', header: t`Last seen`, cell: ({ lastSeen }) => <Instant at={lastSeen} /> },
  {
    id: 'updatedAt',
    header: t`Updated`,
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
  const total = number(all);
  const failedCount = failed === 0 ? '0' : <FailedLink id={id} name={name} failed={failed} />;
  return (
    <span className={classes.failed} title={detailsOf(findings)}>
      <Trans>
        {failedCount}
        <span className={classes.all}> of {total}</span>
      </Trans>
    </span>
  );
}

const FailedLink = ({ id, name, failed }: { id: string; name: string; failed: number }) => (
  <CellLink
    to={`/findings?assetId=${id}&state=Failed`}
    aria-label={plural(failed, {
      one: `# failed finding of ${name}`,
      other: `# failed findings of ${name}`,
    })}
  >
    {number(failed)}
  </CellLink>
);

function detailsOf(counts: Asset['findings']): string {
  const accepted = number(counts.accepted);
  const qualified = number(counts.qualified);
  const notAssessed = number(counts.notAssessed);
  return t`${accepted} accepted, ${qualified} qualified, ${notAssessed} not assessed`;
}
