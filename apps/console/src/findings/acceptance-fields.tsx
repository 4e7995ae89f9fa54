import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { localInput } from '../time/local-input.ts';

const RATIONALE_CHARACTERS_MAX = 4_000;

export interface Acceptance {
  rationale: string;
  /** ISO 8601; left out: until somebody reverts it. */
  until?: string;
}

export type AcceptanceProblems = Partial<Record<keyof Acceptance, string>>;

/** What a form with `AcceptanceFields` says, or what is wrong with it. */
export function readAcceptance(form: FormData): Acceptance | { problems: AcceptanceProblems } {
  const rationale = String(form.get('rationale')).trim();
  const until = String(form.get('until'));
  const problems: AcceptanceProblems = {
    ...(rationale === '' && { rationale: 'Say why: others will ask.' }),
    ...(until !== '' && !(Date.parse(until) > Date.now()) && { until: 'The end must lie in the future.' }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  return { rationale, ...(until !== '' && { until: new Date(until).toISOString() }) };
}

/** Why a risk is accepted, and until when: of one finding, and of many. A problem is gone once its field changes. */
export function AcceptanceFields({
  problems,
  onProblems,
}: {
  problems: AcceptanceProblems;
  onProblems: (problems: AcceptanceProblems) => void;
}) {
  const [earliest] = useState(() => localInput(Date.now()).slice(0, 16));
  const mend = (name: keyof Acceptance) => {
    const { [name]: mended, ...others } = problems;
    if (mended !== undefined) onProblems(others);
  };
  return (
    <>
      <Textarea
        name="rationale"
        label="Rationale"
        description="Kept in the history and in the audit trail."
        placeholder="Compensated by the firewall, see RISK-42"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={RATIONALE_CHARACTERS_MAX}
        required
        data-autofocus
        error={problems.rationale}
        onChange={() => mend('rationale')}
      />
      <TextInput
        type="datetime-local"
        name="until"
        label="Until"
        description="Not assessed from then on. Empty: until somebody reverts it."
        min={earliest}
        maw={300}
        error={problems.until}
        onChange={() => mend('until')}
      />
    </>
  );
}
