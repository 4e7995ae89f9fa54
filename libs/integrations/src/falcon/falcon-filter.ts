import { OPEN_STATES } from './alert-state.ts';

/** Kinds of tags that a bare name stands for as well (D30). */
const TAG_PREFIXES = ['', 'FalconGroupingTags/', 'SensorGroupingTags/'];

/** All tags that a tag filter matches: `x`, and `x` as a grouping tag of either kind (D30). */
export const tagsMatching = (filters: readonly string[]): string[] => [
  ...new Set(filters.flatMap((filter) => TAG_PREFIXES.map((prefix) => prefix + filter))),
];

const tagsPart = (filters: readonly string[]): string =>
  `tags:[${tagsMatching(filters).map(quoted).join(',')}]`;

/** Characters that tag filters take in the address of a request, encoded. */
export const tagFilterLength = (filters: readonly string[]): number =>
  new URLSearchParams({ filter: tagsPart(filters) }).toString().length;

/** The FQL of hosts by their ids. */
export const hostIdFilter = (ids: readonly string[]): string => `device_id:[${ids.map(quoted).join(',')}]`;

/** The FQL of records that changed since an instant, and of hosts with certain tags; empty for all. */
export function falconFilter(given: {
  changedField: string;
  /** Epoch milliseconds. */
  since: number | null;
  tagFilters?: readonly string[];
}): string {
  const parts: string[] = [];
  const { tagFilters = [] } = given;
  if (tagFilters.length > 0) parts.push(tagsPart(tagFilters));
  if (given.since !== null)
    parts.push(`${given.changedField}:>=${quoted(new Date(given.since).toISOString())}`);
  return parts.join('+');
}

/**
 * The FQL of alerts that changed since an instant, and of all open ones whenever they changed: what the delta before
 * left out, since its host was no asset or had no such tag, comes with the next one (spec §What the service does, 7).
 * Empty for all.
 */
export function alertFilter(changedField: string, since: number | null): string {
  const changed = falconFilter({ changedField, since });
  return changed === '' ? '' : `${changed},status:[${OPEN_STATES.map(quoted).join(',')}]`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
