import { t } from '@lingui/core/macro';
import { Checkbox, Fieldset, NativeSelect, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api, Failure } from '../../api/client.ts';
import { ANY_STATE } from '../../findings/finding-filter.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { formErrorsOf } from '../act.ts';
import { FormError } from '../form-error.tsx';
import { type MailServer, MailServerFields, mailServerBody } from '../mail-server-fields.tsx';
import { cronOf, type When, whenOf } from './calendar.ts';
import { CalendarFields } from './calendar-fields.tsx';
import { ownTimeZone } from './calendar-words.ts';

type Schedule = Api['ReportScheduleDto'];

/** What the form has; addresses are empty for channels that are off. */
export interface ScheduleFields extends MailServer {
  name: string;
  report: Schedule['report'];
  query: string;
  when: When;
  timeZone: string;
  byEmail: boolean;
  to: string[];
  toWebhook: boolean;
  webhookUrl: string;
}

export const newFields = (): ScheduleFields => ({
  ...{ name: '', report: 'board', query: '', when: whenOf('0 8 * * 1'), timeZone: ownTimeZone() },
  ...{ byEmail: true, url: '', from: '', to: [], user: '', password: '' },
  ...{ toWebhook: false, webhookUrl: '' },
});

export const fieldsOf = ({
  name,
  report,
  query,
  cron,
  timeZone,
  email,
  webhook,
}: Schedule): ScheduleFields => ({
  ...{ name, report, query, when: whenOf(cron), timeZone, password: '' },
  ...{ byEmail: email !== null, url: email?.url ?? '', from: email?.from ?? '', to: email?.to ?? [] },
  ...{ user: email?.user ?? '', toWebhook: webhook !== null, webhookUrl: webhook?.url ?? '' },
});

/** Parameters of the list of findings that a report does not have. */
const OF_THE_LIST: ReadonlySet<string> = new Set(['asOf', 'by', 'cursor', 'sort', 'view']);

const reportQueryOf = (address: string): string =>
  new URLSearchParams(
    [...new URLSearchParams(address.trim())].filter(
      ([name, value]) => !OF_THE_LIST.has(name) && !(name === 'state' && value === ANY_STATE),
    ),
  ).toString();

/** Channels that are off are removed. */
export const bodyOf = (given: ScheduleFields): Api['ChangeReportScheduleDto'] => ({
  name: given.name,
  cron: cronOf(given.when),
  timeZone: given.timeZone,
  ...(given.report === 'technical' && { query: reportQueryOf(given.query) }),
  email: given.byEmail ? { ...mailServerBody(given), to: given.to } : null,
  webhook: given.toWebhook ? { url: given.webhookUrl.trim() } : null,
});

const FIELDS = new Set([
  'name',
  'query',
  'cron',
  'timeZone',
  'email.url',
  'email.from',
  'email.to',
  'email.user',
  'email.password',
  'webhook.url',
]);

export const reportNames = (): Record<Schedule['report'], string> => ({
  board: t`Board report`,
  technical: t`Technical report`,
});

const FILTER_EXAMPLE = 'department=Sales&severityMin=7';

/** The fields of a report schedule. @param isNew the report can be chosen only then */
export function ScheduleForm({
  title,
  act,
  draft,
  initial,
  isNew,
  error,
  isBusy,
  onSubmit,
  onClose,
  children,
}: {
  title: ReactNode;
  act: string;
  /** Names what was typed. */
  draft: string;
  initial: ScheduleFields;
  isNew: boolean;
  error: Failure | null;
  isBusy: boolean;
  onSubmit: (given: ScheduleFields) => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const [given, setGiven] = useKept(
    draft,
    () => initial,
    ({ password: _, ...fields }) => fields,
  );
  const { fields, general } = formErrorsOf(error, (path) => FIELDS.has(path) || path.startsWith('query.'));
  const set = (changed: Partial<ScheduleFields>) => setGiven({ ...given, ...changed });
  const queryError = Object.entries(fields)
    .filter(([path]) => path.startsWith('query'))
    .map(([path, what]) => `${path.slice('query.'.length)} ${what}`.trim());
  return (
    <Dialog onClose={onClose} title={title} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(given);
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <TextInput
            label={t`Name`}
            description={t`Also in the subject of messages. Not encrypted: name no person`}
            value={given.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            error={fields.name}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          {isNew && (
            <NativeSelect
              label={t`Report`}
              data={Object.entries(reportNames()).map(([value, label]) => ({ value, label }))}
              value={given.report}
              onChange={({ currentTarget }) => set({ report: currentTarget.value as Schedule['report'] })}
            />
          )}
          {given.report === 'technical' && (
            <Textarea
              label={t({ message: 'Filter', context: 'noun' })}
              description={t`Query of the list of findings, as in its address: ${FILTER_EXAMPLE}. Empty: all findings`}
              value={given.query}
              onChange={({ currentTarget }) => set({ query: currentTarget.value })}
              error={queryError.join('; ')}
              autosize
              maxRows={4}
              autoComplete="off"
              dir="ltr"
            />
          )}
          <CalendarFields
            value={given.when}
            onChange={(when) => set({ when })}
            timeZone={given.timeZone}
            onTimeZone={(timeZone) => set({ timeZone })}
            errors={{ cron: fields.cron, timeZone: fields.timeZone }}
          />
          <Checkbox
            label={t`Send by e-mail`}
            checked={given.byEmail}
            onChange={({ currentTarget }) => set({ byEmail: currentTarget.checked })}
          />
          {given.byEmail && (
            <Fieldset legend={t`E-mail`}>
              <Stack>
                <MailServerFields value={given} onChange={set} errors={fields} isStored={!isNew} />
                <TagsInput
                  label={t`Recipients`}
                  description={t`Up to 20 addresses. All recipients see them`}
                  value={given.to}
                  onChange={(to) => set({ to })}
                  error={fields['email.to']}
                  maxTags={20}
                  acceptValueOnBlur
                />
              </Stack>
            </Fieldset>
          )}
          <Checkbox
            label={t`Send to a webhook`}
            checked={given.toWebhook}
            onChange={({ currentTarget }) => set({ toWebhook: currentTarget.checked })}
          />
          {given.toWebhook && (
            <TextInput
              label={t`URL of the webhook`}
              description={t`Gets the report as a signed CloudEvent`}
              placeholder="https://receiver.example/reports"
              value={given.webhookUrl}
              onChange={({ currentTarget }) => set({ webhookUrl: currentTarget.value })}
              error={fields['webhook.url']}
              autoComplete="off"
              dir="ltr"
            />
          )}
          {children}
          <FormButtons act={act} isBusy={isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
