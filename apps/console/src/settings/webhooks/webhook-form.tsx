import { MultiSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Api, Failure } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { type FindingState, STATE_NAMES } from '../../parts/state.tsx';
import { formErrorsOf } from '../act.ts';
import { LimitFields, type Limits, NO_LIMITS } from '../credentials/limit-fields.tsx';
import { FormError } from '../form-error.tsx';

type Webhook = Api['WebhookDto'];

export interface WebhookFields extends Pick<Webhook, 'url' | 'topics'> {
  filter: Api['WebhookFilterDto'];
}

const FIELDS = new Set(['url', 'topics', 'filter.severityMin', 'filter.states']);
export const TOPICS: { value: Webhook['topics'][number]; label: string }[] = [
  { value: 'findings', label: 'Findings' },
  { value: 'assets', label: 'Assets' },
  { value: 'scores', label: 'Scores' },
];
const STATES = Object.entries(STATE_NAMES).map(([value, label]) => ({ value: value as FindingState, label }));

/** The fields of a webhook. @param hasLimits whether the assets can be chosen: only when it is created */
export function WebhookForm({
  title,
  act,
  initial,
  hasLimits,
  error,
  isBusy,
  onSubmit,
  onClose,
}: {
  title: ReactNode;
  act: string;
  initial: WebhookFields;
  hasLimits: boolean;
  error: Failure | null;
  isBusy: boolean;
  onSubmit: (given: WebhookFields, limits: Limits) => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useState(initial.url);
  const [topics, setTopics] = useState(initial.topics);
  const [severityMin, setSeverityMin] = useState(initial.filter.severityMin);
  const [states, setStates] = useState(initial.filter.states ?? []);
  const [limits, setLimits] = useState(NO_LIMITS);
  const { fields, general } = formErrorsOf(error, (path) => FIELDS.has(path));
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const filter = {
            ...(severityMin !== undefined && { severityMin }),
            ...(states.length > 0 && { states }),
          };
          onSubmit({ url: url.trim(), topics, filter }, limits);
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <TextInput
            label="URL"
            description="Receives the changes by POST, signed as Standard Webhooks specify"
            placeholder="https://example.com/posture"
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            error={fields.url}
            autoComplete="off"
            data-autofocus
          />
          <MultiSelect
            label="Topics"
            data={TOPICS}
            value={topics}
            onChange={(chosen) => setTopics(chosen as Webhook['topics'])}
            error={fields.topics}
          />
          <NumberInput
            label="Findings with this severity or higher"
            description="Empty: any severity"
            min={0}
            max={10}
            decimalScale={1}
            value={severityMin ?? ''}
            onChange={(given) => setSeverityMin(typeof given === 'number' ? given : undefined)}
            error={fields['filter.severityMin']}
          />
          <MultiSelect
            label="Findings in one of these states"
            description="Before or after the change. Empty: any state"
            data={STATES}
            value={states}
            onChange={(chosen) => setStates(chosen as FindingState[])}
            error={fields['filter.states']}
          />
          {hasLimits && <LimitFields value={limits} onChange={setLimits} />}
          <FormButtons act={act} isBusy={isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
