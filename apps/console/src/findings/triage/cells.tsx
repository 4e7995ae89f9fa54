import { Trans } from '@lingui/react/macro';
import type { Api } from '../../api/client.ts';
import { AppLink } from '../../app/links.tsx';
import { Instant } from '../../parts/instant.tsx';
import { ResponsibleLink } from '../../parts/responsible.tsx';
import { SlaBadge } from '../../parts/sla-state.tsx';
import classes from './triage.module.css';

type Finding = Api['FindingItemDto'];

/** The responsible user or team, as a link to their findings, and whether an owner rule says so. */
export const Assignee = ({ of, by }: { of: NonNullable<Finding['assignee']>; by: Finding['assigneeBy'] }) =>
  by === 'rule' ? (
    <Trans>
      <ResponsibleLink of={of} /> by rule
    </Trans>
  ) : (
    <ResponsibleLink of={of} />
  );

/** The due date, and whether the finding is remedied in its time; a remedied one has only the latter by the SLA. */
export const Due = ({ of: { due, sla } }: { of: Pick<Finding, 'due' | 'sla'> }) => (
  <span className={classes.due}>
    {due && <Instant at={due} />}
    {sla && <SlaBadge of={sla} />}
  </span>
);

export const Tags = ({ of: tags }: { of: readonly string[] }) => (
  <span className={classes.tags}>
    {tags.map((tag) => (
      <AppLink key={tag} to={`/findings?${new URLSearchParams({ tag })}`} inherit underline="always">
        <bdi>{tag}</bdi>
      </AppLink>
    ))}
  </span>
);
