import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { Api } from '../api/client.ts';
import { CellLink } from '../app/links.tsx';
import { number } from '../language/format.ts';
import type { Column } from '../parts/data-table-props.ts';
import { Decision } from '../parts/decision.tsx';
import { typeNames } from '../parts/finding-type.ts';
import { Instant } from '../parts/instant.tsx';
import { Severity } from '../parts/severity.tsx';
import { State } from '../parts/state.tsx';
import { useSla } from '../parts/use-sla.ts';
import classes from './findings.module.css';
import { Assignee, Due, Tags } from './triage/cells.tsx';

export type Finding = Api['FindingItemDto'];

const IDS_SHOWN = 2;

const dueColumn = (): Column<Finding> => ({
  id: 'due',
  header: t`Due`,
  cell: (finding) => (finding.due || finding.sla ? <Due of={finding} /> : '–'),
  sort: 'due',
  firstSort: 'ascending',
  isExtra: true,
});

const findingColumns = (): readonly Column<Finding>[] => [
  {
    id: 'severity',
    header: t`Severity`,
    cell: ({ severity }) => <Severity value={severity.value} />,
    sort: 'severity',
    firstSort: 'descending',
  },
  {
    id: 'name',
    header: t`Finding`,
    isTitle: true,
    cell: ({ id, name }) => (
      <span className={classes.name} title={name}>
        <CellLink to={`/findings/${id}`}>
          <bdi>{name}</bdi>
        </CellLink>
      </span>
    ),
    sort: 'name',
  },
  {
    id: 'asset',
    header: t`Asset`,
    cell: ({ assetId, assetName }) => (
      <span className={classes.asset} title={assetName}>
        <CellLink to={`/assets/${assetId}`}>
          <bdi>{assetName}</bdi>
        </CellLink>
      </span>
    ),
    sort: 'assetName',
  },
  {
    id: 'decision',
    header: t`Decision`,
    cell: ({ ssvc }) => (ssvc ? <Decision of={ssvc.decision} /> : '–'),
  },
  {
    id: 'remedyDue',
    header: t`Remedy due`,
    cell: ({ kev }) => kev?.due ?? '–',
    isExtra: true,
  },
  { id: 'type', header: t`Type`, cell: ({ type }) => typeNames()[type] },
  { id: 'state', header: t`State`, cell: ({ state }) => <State of={state} /> },
  { id: 'cves', header: t`CVEs`, cell: ({ cves }) => <Ids of={cves} /> },
  { id: 'techniques', header: 'ATT&CK', cell: ({ techniques }) => <Ids of={techniques} /> },
  { id: 'source', header: t`Source`, cell: ({ source }) => source ?? '–', isExtra: true },
  {
    id: 'assignee',
    header: t`Assignee`,
    cell: ({ assignee, assigneeBy }) => (assignee ? <Assignee of={assignee} by={assigneeBy} /> : '–'),
    isExtra: true,
  },
  dueColumn(),
  {
    id: 'tags',
    header: t`Tags`,
    cell: ({ tags }) => (tags.length > 0 ? <Tags of={tags} /> : '–'),
    isExtra: true,
  },
  {
    id: 'tickets',
    header: t`Tickets`,
    cell: ({ tickets }) => tickets.map(({ label }) => label).join(', ') || '–',
    isExtra: true,
  },
  { id: 'comments', header: t`Comments`, cell: ({ comments }) => number(comments), isExtra: true },
  {
    id: 'overdue',
    header: t`Report overdue`,
    cell: ({ overdueSince }) => (overdueSince ? <ReportOverdue since={overdueSince} /> : '–'),
    isExtra: true,
  },
  {
    id: 'firstSeen',
    header: t`First seen`,
    cell: ({ firstSeen }) => <Instant at={firstSeen} />,
    isExtra: true,
  },
  { id: 'lastSeen', header: t`Last seen`, cell: ({ lastSeen }) => <Instant at={lastSeen} />, isExtra: true },
  {
    id: 'updatedAt',
    header: t`Updated`,
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
    sort: 'updatedAt',
    firstSort: 'descending',
    isExtra: true,
  },
];

/** The due date is visible without scrolling. */
const columnsWithSla = (): readonly Column<Finding>[] =>
  findingColumns().flatMap((column) => {
    if (column.id === 'decision') return [{ ...dueColumn(), isExtra: false }, column];
    return column.id === 'due' ? [] : [column];
  });

/** While there is an SLA, the due date is shown unless the user has selected columns. */
export function useFindingColumns(): readonly Column<Finding>[] {
  const hasSla = Boolean(useSla());
  return useMemo(() => (hasSla ? columnsWithSla() : findingColumns()), [hasSla]);
}

/** The first IDs; the others in the tooltip. */
function Ids({ of: ids }: { of: readonly string[] }) {
  if (ids.length === 0) return '–';
  const more = ids.slice(IDS_SHOWN);
  const count = number(more.length);
  return (
    <span className={classes.ids}>
      {ids.slice(0, IDS_SHOWN).map((id) => (
        <span key={id}>{id}</span>
      ))}
      {more.length > 0 && (
        <span className={classes.more} title={more.join(', ')}>
          <Trans>and {count} more</Trans>
        </span>
      )}
    </span>
  );
}

function ReportOverdue({ since }: { since: string }) {
  return (
    <span title={t`The source has not reported in time`}>
      <Trans>
        since <Instant at={since} />
      </Trans>
    </span>
  );
}
