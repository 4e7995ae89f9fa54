import { type Api, client, type Failure } from '../../api/client.ts';
import type { Acceptance } from '../acceptance-fields.tsx';
import type { Finding } from '../finding-columns.tsx';
import type { FindingFilter } from '../finding-filter.ts';

export type BulkFilter = Api['BulkFilterDto'];
export type BulkOutcome = Api['BulkOutcomeDto'];

/** What is acted on: findings that were ticked, or all that a filter means. */
export type Target =
  | { kind: 'chosen'; findings: readonly Finding[] }
  | { kind: 'matching'; filter: BulkFilter; total: number | undefined };

type Answer<T> = Promise<{ data?: T; error?: Failure; response: Response }>;

/** Either a dry run, or what it has counted. */
type Step = { dryRun: true } | { dryRun: false; expected: number };

/** Something that is done to many findings at once, with the words that it asks for. */
export interface BulkAct<Words> {
  verb: string;
  done: string;
  /** What the others are told that it leaves alone. */
  rule: string;
  /** The state that the service acts on where a filter is given. */
  state: Finding['state'];
  takes: (finding: Finding) => boolean;
  one: (finding: Finding, words: Words) => Answer<unknown>;
  many: (filter: BulkFilter, words: Words, step: Step) => Answer<BulkOutcome>;
  /** A dry run asks for words too; nothing keeps them. */
  noWords: Words;
}

export const ACCEPT: BulkAct<Acceptance> = {
  verb: 'Accept',
  done: 'accepted',
  rule: 'only Failed findings can be accepted',
  state: 'Failed',
  takes: ({ state }) => state === 'Failed',
  one: ({ id, version }, words) =>
    client.POST('/api/v3/findings/{id}/accept', { params: { path: { id } }, body: { ...words, version } }),
  many: (filter, words, step) =>
    client.POST('/api/v3/findings/accept', { body: { filter, ...words, ...step } }),
  noWords: { rationale: 'dry run' },
};

export interface RevertWords {
  to: 'NotAssessed' | 'Failed';
  rationale?: string;
}

export const REVERT: BulkAct<RevertWords> = {
  verb: 'Revert',
  done: 'reverted',
  rule: 'only accepted findings, and those that are held Failed, can be reverted',
  state: 'AcceptedFailed',
  takes: ({ state, heldFailed }) => state === 'AcceptedFailed' || (state === 'Failed' && heldFailed !== null),
  one: ({ id, version }, words) =>
    client.POST('/api/v3/findings/{id}/revert', { params: { path: { id } }, body: { ...words, version } }),
  many: (filter, words, step) =>
    client.POST('/api/v3/findings/revert', { body: { filter, ...words, ...step } }),
  noWords: { to: 'NotAssessed' },
};

/** The filter of the list as acts take it: without the state, which is the act's own; the service wants a number. */
export function bulkFilterOf({ state: _, severityMin, ...filter }: FindingFilter): BulkFilter {
  return { ...filter, ...(severityMin !== undefined && { severityMin: Number(severityMin) }) };
}

/** Why an act cannot mean all that match; null: it can. */
export function whyNotAllMatching(
  act: Pick<BulkAct<unknown>, 'state' | 'rule'>,
  { state, ...others }: FindingFilter,
): string | null {
  if (state && !state.includes(act.state)) return `The filter leaves none of them: ${act.rule}.`;
  if (Object.keys(others).length > 0) return null;
  return 'The service acts on all that match only where a filter beside the state holds: narrow the list first.';
}
