import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { Api } from '../../api/client.ts';
import type { Acceptance } from '../acceptance-fields.tsx';
import type { FindingFilter } from '../filter-names.ts';
import type { Finding } from '../finding-columns.tsx';
import { type BulkFilter, bulkFilterOf, type States, statesIn } from './bulk-filter.ts';
import type { OutcomeWords } from './outcome-words.ts';

/** All findings that match a filter. */
export interface Matching {
  kind: 'matching';
  filter: BulkFilter;
  states?: States;
  total: number | undefined;
}

/** Selected findings, or all findings that match a filter. */
export type Target = { kind: 'chosen'; findings: readonly Finding[] } | Matching;

interface ActWords extends OutcomeWords {
  /** Of the dialog. */
  title: string;
  /** Of the button, with the number of findings that it changes. */
  button: (count: number) => string;
  /** Why the action skips other findings. */
  rule: string;
}

/** An action on many findings, with its parameters. */
export interface BulkAct<Input> {
  name: 'accept' | 'revert';
  words: () => ActWords;
  /** States of the findings that the action can change. */
  states: NonNullable<States>;
  takes: (finding: Finding) => boolean;
  /** In the body of the request. */
  bodyOf: (input: Input) => Pick<Api['BulkActsDto'], 'accept' | 'revert'>;
  /** Parameters of a dry run, which are not stored. */
  dryRunInput: Input;
}

export const ACCEPT: BulkAct<Acceptance> = {
  name: 'accept',
  words: () => ({
    title: t`Accept findings`,
    button: (count) => plural(count, { 0: 'Accept', one: 'Accept # finding', other: 'Accept # findings' }),
    rule: t`only Failed findings can be accepted`,
    preview: (count) => (
      <Plural
        value={count}
        _0="No findings will be accepted."
        one={
          <Trans>
            <b># finding</b> will be accepted.
          </Trans>
        }
        other={
          <Trans>
            <b># findings</b> will be accepted.
          </Trans>
        }
      />
    ),
    done: (count) => plural(count, { one: '# finding accepted', other: '# findings accepted' }),
    notDone: (count) => plural(count, { one: '# finding not accepted', other: '# findings not accepted' }),
  }),
  states: ['Failed'],
  takes: ({ state }) => state === 'Failed',
  bodyOf: (accept) => ({ accept }),
  // With an end, which the SLA can require.
  dryRunInput: { rationale: 'dry-run', until: '9999-12-31T23:59:59Z' },
};

export interface RevertInput {
  to: 'NotAssessed' | 'Failed';
  rationale?: string;
}

export const REVERT: BulkAct<RevertInput> = {
  name: 'revert',
  words: () => ({
    title: t`Revert findings`,
    button: (count) => plural(count, { 0: 'Revert', one: 'Revert # finding', other: 'Revert # findings' }),
    rule: t`only accepted findings and findings held as Failed can be reverted`,
    preview: (count) => (
      <Plural
        value={count}
        _0="No findings will be reverted."
        one={
          <Trans>
            <b># finding</b> will be reverted.
          </Trans>
        }
        other={
          <Trans>
            <b># findings</b> will be reverted.
          </Trans>
        }
      />
    ),
    done: (count) => plural(count, { one: '# finding reverted', other: '# findings reverted' }),
    notDone: (count) => plural(count, { one: '# finding not reverted', other: '# findings not reverted' }),
  }),
  states: ['AcceptedFailed', 'Failed'],
  takes: ({ state, heldFailed }) => state === 'AcceptedFailed' || (state === 'Failed' && heldFailed !== null),
  bodyOf: (revert) => ({ revert }),
  dryRunInput: { to: 'NotAssessed' },
};

/** Of the states of a filter, those of findings that an action can change. */
export const statesFor = ({ states }: Pick<BulkAct<never>, 'states'>, given: States): NonNullable<States> =>
  states.filter((state) => given?.includes(state) ?? true);

/** Why an action cannot apply to all matching findings; null if it can. */
export function whyNotAllMatching(
  act: Pick<BulkAct<never>, 'states' | 'words'>,
  filter: FindingFilter,
): string | null {
  const { rule } = act.words();
  if (statesFor(act, statesIn(filter)).length === 0) return t`The filter excludes these findings: ${rule}.`;
  if (Object.keys(bulkFilterOf(filter)).length > 0) return null;
  return t`An action on all matching findings requires a filter other than the state. Filter the list first.`;
}
