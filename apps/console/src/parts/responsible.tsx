import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';

type Responsible = Pick<Api['AssigneeDto'], 'type' | 'name'>;

/** A user or a team by name. */
export const responsibleText = ({ type, name }: Responsible): string =>
  type === 'team' ? t`${name} (team)` : name;

/** A user or a team, as a link to the findings that it is responsible for. */
export const ResponsibleLink = ({ of }: { of: Responsible }) => (
  <AppLink to={`/findings?${new URLSearchParams({ assignee: of.name })}`} inherit underline="always">
    <bdi>{responsibleText(of)}</bdi>
  </AppLink>
);
