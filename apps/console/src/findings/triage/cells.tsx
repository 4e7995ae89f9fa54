import type { Api } from '../../api/client.ts';
import { AppLink } from '../../app/links.tsx';
import badges from '../../parts/badges.module.css';
import classes from './triage.module.css';

type Finding = Api['FindingItemDto'];

/** The assigned user or team, as a link to their findings. */
export const Assignee = ({ of: { type, name } }: { of: NonNullable<Finding['assignee']> }) => (
  <AppLink to={`/findings?${new URLSearchParams({ assignee: name })}`} inherit underline="always">
    {type === 'team' ? `${name} (team)` : name}
  </AppLink>
);

export const Overdue = () => (
  <span className={badges.badge} data-state="Failed">
    Overdue
  </span>
);

export const Tags = ({ of: tags }: { of: readonly string[] }) => (
  <span className={classes.tags}>
    {tags.map((tag) => (
      <AppLink key={tag} to={`/findings?${new URLSearchParams({ tag })}`} inherit underline="always">
        {tag}
      </AppLink>
    ))}
  </span>
);
