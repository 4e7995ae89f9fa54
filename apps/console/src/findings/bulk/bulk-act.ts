import { t } from '@lingui/core/macro';
import { type Api, client, type Failure } from '../../api/client.ts';
import type { Acceptance } from '../acceptance-fields.tsx';
import type { Finding } from '../finding-columns.tsx';
import type { FindingFilter } from '../finding-filter.ts';

export type BulkFilter = Api['BulkFilterDto'];
export type BulkOutcome = Api['BulkOutcomeDto'];

/** Selected findings, or all findings that match a filter. */
export type Target =
  | { kind: 'chosen'; findings: readonly Finding[] }
  | {
      kind: 'matching';
      filter: BulkFilter;
      /** Only acts that any state permits take it. */
      states?: FindingFilter['state'];
      total: number | undefined;
    };

type Answer<T> = Promise<{ data?: T; error?: Failure; response: Response }>;

/** A dry run, or the action with the count of the dry run. */
type Step = { dryRun: true } | { dryRun: false; expected: number };

/** An action on many findings, with its parameters. */
export interface BulkAct<Input> {
  verb: string;
  done: string;
  /** Why the action skips other findings. */
  rule: string;
  /** The state of the findings that the service changes if a filter is given. */
  state: Finding['state'];
  takes: (finding: Finding) => boolean;
  one: (finding: Finding, input: Input) => Answer<unknown>;
  many: (filter: BulkFilter, input: Input, step: Step) => Answer<BulkOutcome>;
  /** Parameters of a dry run, which are not stored. */
  dryRunInput: Input;
}

export const ACCEPT: BulkAct<Acceptance> = {
  verb: 'Accept',
  done: 'accepted',
  rule: 'only Failed findings can be accepted',
  state: 'Failed',
  takes: ({ state }) => state === 'Failed',
  one: ({ id, version }, input) =>
    client.POST('/api/v3/findings/{id}/accept', { params: { path: { id } }, body: { ...input, version } }),
  many: (filter, input, step) =>
    client.POST('/api/v3/findings/accept', { body: { filter, ...input, ...step } }),
  // With an end, which the SLA can require.
  dryRunInput: { rationale: 'dry run', until: '9999-12-31T23:59:59Z' },
};

export interface RevertInput {
  to: 'NotAssessed' | 'Failed';
  rationale?: string;
}

export const REVERT: BulkAct<RevertInput> = {
  verb: 'Revert',
  done: 'reverted',
  rule: 'only accepted findings and findings held as Failed can be reverted',
  state: 'AcceptedFailed',
  takes: ({ state, heldFailed }) => state === 'AcceptedFailed' || (state === 'Failed' && heldFailed !== null),
  one: ({ id, version }, input) =>
    client.POST('/api/v3/findings/{id}/revert', { params: { path: { id } }, body: { ...input, version } }),
  many: (filter, input, step) =>
    client.POST('/api/v3/findings/revert', { body: { filter, ...input, ...step } }),
  dryRunInput: { to: 'NotAssessed' },
};

/** The filter for an action: without the state, which the action defines, and with a numeric severity. */
export function bulkFilterOf({ state: _, severityMin, ...filter }: FindingFilter): BulkFilter {
  return { ...filter, ...(severityMin !== undefined && { severityMin: Number(severityMin) }) };
}

/** Why an action cannot apply to all matching findings; null if it can. */
export function whyNotAllMatching(
  act: Pick<BulkAct<unknown>, 'state' | 'rule'>,
  { state, ...others }: FindingFilter,
): string | null {
  if (state && !state.includes(act.state)) return t`The filter excludes these findings: ${act.rule}.`;
  if (Object.keys(others).length > 0) return null;
  return t`An action on all matching findings requires a filter other than the state. Filter the list first.`;
}
