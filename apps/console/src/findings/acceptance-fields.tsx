import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { DraftTextarea } from '../parts/draft-textarea.tsx';
import { useSla } from '../parts/use-sla.ts';
import { localInput, ownZoneNote } from '../time/local-input.ts';

const RATIONALE_CHARACTERS_MAX = 4_000;

export interface Acceptance {
  rationale: string;
  /** ISO 8601; absent: until a user reverts it. */
  until?: string;
}

export type AcceptanceProblems = Partial<Record<keyof Acceptance, string>>;

/**
 * The values of a form with `AcceptanceFields`, or its errors.
 * @param needsEnd as of `useNeedsEnd`
 */
export function readAcceptance(
  form: FormData,
  needsEnd: boolean,
): Acceptance | { problems: AcceptanceProblems } {
  const rationale = String(form.get('rationale')).trim();
  const until = String(form.get('until'));
  const problems: AcceptanceProblems = {
    ...(rationale === '' && { rationale: t`Enter a rationale.` }),
    ...(until === '' && needsEnd && { until: t`Enter an end.` }),
    ...(until !== '' && !(Date.parse(until) > Date.now()) && { until: t`The end must be in the future.` }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  return { rationale, ...(until !== '' && { until: new Date(until).toISOString() }) };
}

/** Whether the SLA requires an end of acceptances. */
export const useNeedsEnd = (): boolean => useSla()?.exceptionsNeedEnd === true;

/** Rationale and end of an acceptance, for one or many findings. A change of a field clears its error. */
export function AcceptanceFields({
  draft,
  needsEnd,
  problems,
  onProblems,
}: {
  /** Names the draft of the rationale. */
  draft: string;
  needsEnd: boolean;
  problems: AcceptanceProblems;
  onProblems: (problems: AcceptanceProblems) => void;
}) {
  const [earliest] = useState(() => localInput(Date.now()).slice(0, 16));
  const clear = (name: keyof Acceptance) => {
    const { [name]: cleared, ...others } = problems;
    if (cleared !== undefined) onProblems(others);
  };
  return (
    <>
      <DraftTextarea
        draft={draft}
        name="rationale"
        label={t`Rationale`}
        description={t`Stored in the history and in the audit trail.`}
        placeholder={t`Compensated by the firewall, see RISK-42`}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={RATIONALE_CHARACTERS_MAX}
        required
        data-autofocus
        error={problems.rationale}
        onChange={() => clear('rationale')}
      />
      <TextInput
        type="datetime-local"
        name="until"
        label={t`Until`}
        description={
          needsEnd
            ? `${ownZoneNote()} ${t`After this time the finding is Not assessed. The SLA requires an end.`}`
            : `${ownZoneNote()} ${t`After this time the finding is Not assessed. Leave empty for no end.`}`
        }
        required={needsEnd}
        min={earliest}
        maw={300}
        error={problems.until}
        onChange={() => clear('until')}
      />
    </>
  );
}
