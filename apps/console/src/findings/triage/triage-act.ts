import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { type Api, client, type Failure } from '../../api/client.ts';
import type { OutcomeWords } from '../bulk/outcome-words.ts';

type Finding = Api['FindingDto'];
type Body = Api['BulkActsDto'];
export type ActsOutcome = Api['BulkActsOutcomeDto'];

/** The act in the body of a request. */
export type ActBody = Pick<Body, 'assign' | 'tags' | 'due' | 'tickets' | 'comments'>;

/** The findings of a request. */
export type ActedOn = Partial<Pick<Body, 'ids' | 'versions' | 'filter' | 'expected' | 'dryRun'>>;

export interface FieldsProps {
  /** Undefined: the act is on many findings. */
  finding?: Finding;
  /** Names the draft of the text. */
  draft: string;
  /** Messages by the path in the body. */
  errors: Record<string, string>;
}

/** An act of triage: what it asks for, and how it is sent. */
export interface TriageAct {
  name: keyof ActBody;
  /** In menus and on buttons. */
  label: () => string;
  /** Title of its dialog for one finding. */
  title: () => string;
  words: (body: ActBody) => OutcomeWords;
  /** It replaces a value that the user has seen, so that it is refused if the finding has changed. */
  isReplacing: boolean;
  Fields: ComponentType<FieldsProps>;
  /** @param seen the finding that the form has shown; undefined: the act is on many findings */
  bodyOf: (form: FormData, seen?: Finding) => ActBody;
}

/** Path prefixes of data that an act can change. */
const AFFECTED = /^\/api\/v3\/(findings|assets|audit)/;

/** Performs one act on many findings. @throws Failure */
export async function acted(body: Body): Promise<ActsOutcome> {
  const { data, error } = await client.POST('/api/v3/findings/acts', { body });
  if (!data) throw error;
  return data;
}

/** Sends an act, and refreshes what it can change. */
export function useTriage() {
  const queries = useQueryClient();
  return useMutation<ActsOutcome, Failure, ActedOn & ActBody>({
    mutationFn: ({ dryRun = false, ...given }) => acted({ dryRun, ...given }),
    onSettled: (_data, _error, { dryRun }) => {
      if (dryRun) return;
      void queries.invalidateQueries({ predicate: ({ queryKey: [, path] }) => AFFECTED.test(String(path)) });
    },
  });
}

/** Why the service refuses an act on a finding. */
export function whyRefused(reason: Api['RefusedFindingDto']['reason']): string {
  const reasons: Record<typeof reason, string> = {
    unknown: t`it does not exist any more`,
    retired: t`it is retired`,
    stale: t`it has changed since you opened the page`,
    notFailed: t`it is not failed`,
    notAccepted: t`it is neither accepted nor held as failed`,
    tooMany: t`it would have more than 20 tags or tickets`,
    clockAhead: t`the clock of the service is wrong`,
  };
  return reasons[reason];
}
