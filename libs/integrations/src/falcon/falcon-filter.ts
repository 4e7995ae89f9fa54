import { isoTime } from '#libs/domain';
import { OPEN_STATES } from './alert-state.ts';

/** Kinds of tags that a bare name also means (R-EDR-4). */
const TAG_PREFIXES = ['', 'FalconGroupingTags/', 'SensorGroupingTags/'];

/** All tags that a tag filter matches: `x`, and `x` as a grouping tag of either kind. */
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
  if (given.since !== null) parts.push(`${given.changedField}:>=${quoted(isoTime(given.since))}`);
  return parts.join('+');
}

/**
 * The FQL of alerts that changed since an instant, and of all open ones regardless of their change: alerts that the
 * last delta omitted, because their host was no asset or lacked the tag, are in the next one (ADR-0059). Empty for all.
 */
export function alertFilter(changedField: string, since: number | null): string {
  const changed = falconFilter({ changedField, since });
  return changed === '' ? '' : `${changed},status:[${OPEN_STATES.map(quoted).join(',')}]`;
}

/** The FQL of the records of a filter that changed before an instant. */
export function changedBefore(filter: string, changedField: string, at: number): string {
  const changed = `${changedField}:<${quoted(isoTime(at))}`;
  return filter === '' ? changed : `(${filter})+${changed}`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
