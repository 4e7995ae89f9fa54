import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api, type Failure } from '../api/client.ts';
import { alsoEachMinute } from '../api/live.ts';
import { GROUPINGS, type Subject } from './group.ts';

/** Score and likelihoods of the organization or a group. */
export type Risk = Api['OrganizationScoreDto'];

interface Options {
  /** ISO 8601; omitted: now. */
  asOf?: string;
  /** Past values do not change, so they are kept forever. */
  isKept?: boolean;
}

/** The risk of a subject; null if the group has no assets. */
export function useRisk(subject: Subject, { asOf, isKept = false }: Options) {
  const options = isKept
    ? { staleTime: Number.POSITIVE_INFINITY, meta: { live: false } }
    : { placeholderData: keepPreviousData };
  const instant = asOf === undefined ? {} : { asOf };
  const organization = api.useQuery(
    'get',
    '/api/v3/scores/organization',
    { params: { query: instant } },
    { ...options, enabled: subject === null },
  );
  const { kind, name } = subject ?? { kind: 'department', name: '' };
  const groups = api.useQuery(
    'get',
    GROUPINGS[kind].path,
    { params: { query: { name, limit: 1, ...instant } } },
    { ...options, ...(!isKept && alsoEachMinute(asOf ?? null)), enabled: subject !== null },
  );
  return subject === null
    ? resultOf(organization, organization.data)
    : resultOf(groups, groups.data && (groups.data.items[0] ?? null));
}

const resultOf = (
  { error, refetch }: { error: Failure | null; refetch: () => unknown },
  data: Risk | null | undefined,
) => ({ data, error, refetch });
