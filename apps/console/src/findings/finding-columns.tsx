import type { Api } from '../api/client.ts';
import { CellLink } from '../app/links.tsx';
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

const DUE: Column<Finding> = {
  id: 'due',
  header: 'Due',
  cell: (finding) => (finding.due || finding.sla ? <Due of={finding} /> : '–'),
  sort: 'due',
  firstSort: 'ascending',
  isExtra: true,
};

const FINDING_COLUMNS: readonly Column<Finding>[] = [
  {
    id: 'severity',
    header: 'Severity',
    cell: ({ severity }) => <Severity value={severity.value} />,
    sort: 'severity',
    firstSort: 'descending',
  },
  {
    id: 'name',
    header: 'Finding',
    isTitle: true,
    cell: ({ id, name }) => (
      <span className={classes.name} title={name}>
        <CellLink to={`/findings/${id}`}>{name}</CellLink>
      </span>
    ),
    sort: 'name',
  },
  {
    id: 'asset',
    header: 'Asset',
    cell: ({ assetId, assetName }) => (
      <span className={classes.asset} title={assetName}>
        <CellLink to={`/assets/${assetId}`}>{assetName}</CellLink>
      </span>
    ),
    sort: 'assetName',
  },
  {
    id: 'decision',
    header: 'Decision',
    cell: ({ ssvc }) => (ssvc ? <Decision of={ssvc.decision} /> : '–'),
  },
  {
    id: 'remedyDue',
    header: 'Remedy due',
    cell: ({ ssvc }) => ssvc?.kev?.dueDate ?? '–',
    isExtra: true,
  },
  { id: 'type', header: 'Type', cell: ({ type }) => typeNames()[type] },
  { id: 'state', header: 'State', cell: ({ state }) => <State of={state} /> },
  { id: 'cves', header: 'CVEs', cell: ({ cves }) => <Ids of={cves} /> },
  { id: 'techniques', header: 'ATT&CK', cell: ({ techniques }) => <Ids of={techniques} /> },
  { id: 'source', header: 'Source', cell: ({ source }) => source ?? '–', isExtra: true },
  {
    id: 'assignee',
    header: 'Assignee',
    cell: ({ assignee, assigneeBy }) => (assignee ? <Assignee of={assignee} by={assigneeBy} /> : '–'),
    isExtra: true,
  },
  DUE,
  {
    id: 'tags',
    header: 'Tags',
    cell: ({ tags }) => (tags.length > 0 ? <Tags of={tags} /> : '–'),
    isExtra: true,
  },
  {
    id: 'tickets',
    header: 'Tickets',
    cell: ({ tickets }) => tickets.map(({ label }) => label).join(', ') || '–',
    isExtra: true,
  },
  { id: 'comments', header: 'Comments', cell: ({ comments }) => comments.toLocaleString(), isExtra: true },
  {
    id: 'overdue',
    header: 'Report overdue',
    cell: ({ overdueSince }) => (overdueSince ? <ReportOverdue since={overdueSince} /> : '–'),
    isExtra: true,
  },
  {
    id: 'firstSeen',
    header: 'First seen',
    cell: ({ firstSeen }) => <Instant at={firstSeen} />,
    isExtra: true,
  },
  { id: 'lastSeen', header: 'Last seen', cell: ({ lastSeen }) => <Instant at={lastSeen} />, isExtra: true },
  {
    id: 'updatedAt',
    header: 'Updated',
    cell: ({ updatedAt }) => <Instant at={updatedAt} />,
    sort: 'updatedAt',
    firstSort: 'descending',
    isExtra: true,
  },
];

/** The due date is visible without scrolling. */
const COLUMNS_WITH_SLA: readonly Column<Finding>[] = FINDING_COLUMNS.flatMap((column) => {
  if (column.id === 'decision') return [{ ...DUE, isExtra: false }, column];
  return column === DUE ? [] : [column];
});

/** While there is an SLA, the due date is shown unless the user has selected columns. */
export const useFindingColumns = (): readonly Column<Finding>[] =>
  useSla() ? COLUMNS_WITH_SLA : FINDING_COLUMNS;

/** The first IDs; the others in the tooltip. */
function Ids({ of: ids }: { of: readonly string[] }) {
  if (ids.length === 0) return '–';
  const more = ids.slice(IDS_SHOWN);
  return (
    <span className={classes.ids}>
      {ids.slice(0, IDS_SHOWN).map((id) => (
        <span key={id}>{id}</span>
      ))}
      {more.length > 0 && (
        <span className={classes.more} title={more.join(', ')}>
          and {more.length} more
        </span>
      )}
    </span>
  );
}

function ReportOverdue({ since }: { since: string }) {
  return (
    <span title="The source has not reported in time">
      since <Instant at={since} />
    </span>
  );
}
