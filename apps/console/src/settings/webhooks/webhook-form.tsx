import { t } from '@lingui/core/macro';
import { MultiSelect, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Api, Failure } from '../../api/client.ts';
import { separators } from '../../language/format.ts';
import { DECISIONS } from '../../parts/decision.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { typeOptions } from '../../parts/finding-type.ts';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { type FindingState, stateNames } from '../../parts/state.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { formErrorsOf } from '../act.ts';
import { LimitFields, type Limits, NO_LIMITS } from '../credentials/limit-fields.tsx';
import { FormError } from '../form-error.tsx';
import { SecretField } from './secret-field.tsx';
import { TicketLimit, TicketOptions, withOptions } from './ticket-options.tsx';
import { type KindWords, kinds, type WebhookKind } from './webhook-kinds.ts';

type Webhook = Api['WebhookDto'];
type Filter = Api['WebhookFilterDto'];

export type WebhookFields = Pick<Webhook, 'kind' | 'url' | 'topics' | 'filter' | 'options'>;

/** The number as the field has it: `9.` while it is typed. */
type DraftFilter = Omit<Filter, 'severityMin'> & { severityMin?: number | string };
type WebhookDraft = Omit<WebhookFields, 'filter'> & { filter: DraftFilter };

const FIELDS = new Set([
  'url',
  'topics',
  'secret',
  'filter.severityMin',
  'filter.states',
  'filter.types',
  'filter.ssvc',
  'options.openedPerHourMax',
  'options.labels',
  'options.channel',
  'options.user',
  'options.project',
  'options.issueType',
  'options.resolution',
  'options.from',
  'options.to',
]);
export const topicOptions = (): { value: Webhook['topics'][number]; label: string }[] => [
  { value: 'findings', label: t`Findings` },
  { value: 'assets', label: t`Assets` },
  { value: 'scores', label: t`Scores` },
];
const states = () =>
  Object.entries(stateNames()).map(([value, label]) => ({ value: value as FindingState, label }));
const kindOptions = () => Object.entries(kinds()).map(([value, { name }]) => ({ value, label: name }));

/**
 * The fields of a webhook. Its secret is asked for when it is new, and again when it would be sent elsewhere.
 * @param isNew the kind and the assets can be chosen only then
 */
export function WebhookForm({
  title,
  act,
  draft,
  initial,
  isNew,
  error,
  isBusy,
  onSubmit,
  onClose,
}: {
  title: ReactNode;
  act: string;
  /** Names what was typed. */
  draft: string;
  initial: WebhookFields;
  isNew: boolean;
  error: Failure | null;
  isBusy: boolean;
  onSubmit: (given: WebhookFields, secret: string, limits: Limits) => void;
  onClose: () => void;
}) {
  const [given, setGiven] = useKept<WebhookDraft>(draft, () => initial, withoutSecretUrl);
  const [secret, setSecret] = useState('');
  const [limits, setLimits] = useKept(`limits of ${draft}`, () => NO_LIMITS);
  const { fields, general } = formErrorsOf(error, (path) => FIELDS.has(path));
  const set = (changed: Partial<WebhookDraft>) => setGiven({ ...given, ...changed });
  const { kind, filter } = given;
  const isTicket = kind !== 'cloudevents';
  const setOptions = (changed: Partial<Webhook['options']>) =>
    set({ options: withOptions(given.options, changed) });
  const setFilter = (changed: DraftFilter) => set({ filter: withoutEmpty({ ...filter, ...changed }) });
  const words = kinds()[kind];
  const secretWords = isNew ? words.secret : secretAgain(words, initial, given);
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(
            { ...given, url: given.url.trim(), filter: filterOf(filter) },
            secretWords ? secret.trim() : '',
            limits,
          );
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          {isNew && (
            <NativeSelect
              label={t`Delivers`}
              data={kindOptions()}
              value={kind}
              onChange={({ currentTarget }) => {
                const { ssvc: _, ...rest } = filter;
                set({ kind: currentTarget.value as WebhookKind, filter: rest, options: {} });
              }}
              data-autofocus
            />
          )}
          {words.url && (
            <TextInput
              {...words.url}
              value={given.url}
              onChange={({ currentTarget }) => set({ url: currentTarget.value })}
              error={fields.url}
              autoComplete="off"
              dir="ltr"
              data-autofocus={isNew ? undefined : true}
            />
          )}
          {words.user && (
            <TextInput
              {...words.user}
              value={given.options.user ?? ''}
              onChange={({ currentTarget }) => setOptions({ user: currentTarget.value })}
              error={fields['options.user']}
              maxLength={200}
              autoComplete="off"
            />
          )}
          {secretWords && (
            <SecretField {...secretWords} value={secret} onChange={setSecret} error={fields.secret} />
          )}
          <TicketOptions
            shown={words.options}
            value={given.options}
            onChange={(options) => set({ options })}
            errorOf={(name) => fields[`options.${name}`]}
          />
          {!isTicket && (
            <MultiSelect
              label={t`Topics`}
              data={topicOptions()}
              value={given.topics}
              onChange={(chosen) => set({ topics: chosen as Webhook['topics'] })}
              error={fields.topics}
            />
          )}
          <NumberInput
            label={t`Findings with this severity or higher`}
            description={
              isTicket
                ? t`Empty: any severity`
                : t`Empty: any severity. A change that leaves one of the states (none chosen: Failed, Not assessed or Accepted) is sent with any severity`
            }
            min={0}
            max={10}
            decimalScale={1}
            allowNegative={false}
            {...separators()}
            value={filter.severityMin ?? ''}
            onChange={(severityMin) => setFilter({ severityMin })}
            error={fields['filter.severityMin']}
          />
          <MultiSelect
            label={t`Findings in one of these states`}
            description={
              isTicket
                ? t`A ticket is open while the finding is in one of them. Empty: Failed`
                : t`Before or after the change. Empty: any state`
            }
            data={states()}
            value={filter.states ?? []}
            onChange={(states) => setFilter({ states: states as FindingState[] })}
            error={fields['filter.states']}
          />
          <MultiSelect
            label={t`Findings of one of these types`}
            description={t`Empty: any type`}
            data={typeOptions()}
            value={filter.types ?? []}
            onChange={(types) => setFilter({ types: types as Filter['types'] })}
            error={fields['filter.types']}
          />
          {isTicket && (
            <>
              <MultiSelect
                label={t`Findings with one of these SSVC decisions`}
                description={t`Empty: any decision, or none`}
                data={[...DECISIONS]}
                value={filter.ssvc ?? []}
                onChange={(ssvc) => setFilter({ ssvc: ssvc as Filter['ssvc'] })}
                error={fields['filter.ssvc']}
              />
              <TicketLimit
                value={given.options}
                onChange={(options) => set({ options })}
                error={fields['options.openedPerHourMax']}
              />
            </>
          )}
          {isNew && <LimitFields value={limits} onChange={setLimits} />}
          <FormButtons act={act} isBusy={isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** The stored secret of an account is for its address and user only; null: the change does not need it. */
function secretAgain(
  { user: hasAccount, secret }: KindWords,
  before: WebhookFields,
  { url, options: { user } }: WebhookDraft,
): KindWords['secret'] {
  const isElsewhere = url.trim() !== before.url || user !== before.options.user;
  if (!hasAccount || !secret || user === undefined || !isElsewhere) return null;
  return {
    ...secret,
    description: t`Enter it again: a stored secret is never sent to another address or account. Stored encrypted, and never shown again`,
  };
}

/** The address of a chat contains its secret. */
const withoutSecretUrl = ({ url, ...fields }: WebhookDraft): Partial<WebhookDraft> =>
  fields.kind === 'slack' || fields.kind === 'teams' ? fields : { ...fields, url };

/** Empty fields are no conditions. */
const withoutEmpty = (filter: DraftFilter): DraftFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== '' && !(Array.isArray(value) && !value.length)),
  );

const filterOf = ({ severityMin, ...filter }: DraftFilter): Filter => ({
  ...filter,
  ...(severityMin !== undefined && { severityMin: Number(severityMin) }),
});
