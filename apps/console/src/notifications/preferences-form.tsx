import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { changedFields } from '../parts/changed-fields.ts';
import { Instant } from '../parts/instant.tsx';
import { NamesInput } from '../parts/names-input.tsx';
import { sentenceOf } from '../parts/states.tsx';
import { useKept } from '../parts/use-kept.ts';
import { useSession } from '../session/session.ts';
import { formErrorsOf, settled } from '../settings/act.ts';
import { FormError } from '../settings/form-error.tsx';
import { Notice } from '../settings/notice.tsx';
import { ownTimeZone, timeZonesWith, weekdays } from '../settings/reports/calendar-words.ts';
import { channelNames, KIND_SCOPES, type Kind, kindWords, scheduleWords } from './words.ts';

type Preferences = Api['NotificationPreferencesDto'];
type Channel = keyof ReturnType<typeof channelNames>;

const FIELDS = new Set([
  'kinds',
  'teams',
  'channel',
  'address',
  'timeZone',
  'dailyAt',
  'quiet.from',
  'quiet.to',
]);
const NIGHT = { from: '19:00', to: '07:00' };
const addressWords = (): Record<Channel, { label: string; description: string }> => ({
  email: {
    label: t`E-mail address`,
    description: t`At a domain that an admin permits. Stored encrypted`,
  },
  slack: {
    label: t`Address of the incoming webhook`,
    description: t`Of an app of Slack that posts to your channel. Stored encrypted`,
  },
  teams: {
    label: t`Address of the workflow`,
    description: t`Of a workflow of Microsoft Teams that posts to your chat. Stored encrypted`,
  },
});

/** What the form has; the address is empty while it is unchanged. */
interface Draft {
  kinds: Kind[];
  teams: string[];
  channel: Channel | '';
  address: string;
  schedule: Preferences['schedule'];
  timeZone: string;
  dailyAt: string;
  /** Of the week: 0 is Sunday. */
  weekday: string;
  isQuiet: boolean;
  quiet: { from: string; to: string };
}

const draftOf = (stored: Preferences): Draft => ({
  ...{ kinds: stored.kinds, teams: stored.teams, schedule: stored.schedule, dailyAt: stored.dailyAt },
  ...{ channel: stored.channel ?? '', address: '', weekday: String(stored.weekday % 7) },
  ...{ timeZone: stored.timeZone, isQuiet: stored.quiet !== null, quiet: stored.quiet ?? NIGHT },
});

/** Until a channel is chosen, the zone is that of the browser. */
const firstDraftOf = (stored: Preferences): Draft => ({
  ...draftOf(stored),
  ...(stored.channel === null && stored.timeZone === 'UTC' && { timeZone: ownTimeZone() }),
});

const bodyOf = (draft: Draft, stored: Preferences): Api['ChangeNotificationPreferencesDto'] => ({
  ...{ kinds: draft.kinds, teams: draft.teams, schedule: draft.schedule, timeZone: draft.timeZone },
  ...{
    dailyAt: draft.dailyAt,
    weekday: Number(draft.weekday) || 7,
    quiet: draft.isQuiet ? draft.quiet : null,
  },
  channel: draft.channel === '' ? null : draft.channel,
  ...(draft.channel !== '' &&
    (draft.address !== '' || draft.channel !== stored.channel) && { address: draft.address.trim() }),
});

/** The address of a chat contains its secret. */
const withoutSecretAddress = ({ address, ...draft }: Draft): Partial<Draft> =>
  draft.channel === 'email' ? { ...draft, address } : draft;

export function PreferencesForm({ stored }: { stored: Preferences }) {
  const [before, setBefore] = useState(stored);
  const [draft, setDraft] = useKept(
    'notification preferences',
    () => firstDraftOf(before),
    withoutSecretAddress,
  );
  const set = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed });
  const save = api.useMutation('patch', '/api/v3/notifications/preferences', {
    onSuccess: (saved) => {
      setBefore(saved);
      setDraft(firstDraftOf(saved));
      void settled(saved, t`Your preferences are saved.`);
    },
  });
  const { fields, general } = formErrorsOf(save.error, (path) => FIELDS.has(path));
  const body = changedFields(bodyOf(draft, before), bodyOf(draftOf(before), before));
  const kinds = Object.entries(kindWords()) as [Kind, string][];
  const scopes = useSession()?.scopes ?? [];
  // What a role does not permit stays as it is.
  const shown = kinds.filter(([kind]) => {
    const scope = KIND_SCOPES[kind];
    return scope === undefined || scopes.includes(scope);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body });
      }}
    >
      <Stack maw={640}>
        <FormError>{general}</FormError>
        <Fieldset legend={t`What notifies me`}>
          <Stack gap="xs">
            {shown.map(([kind, label]) => (
              <Checkbox
                key={kind}
                label={label}
                checked={draft.kinds.includes(kind)}
                onChange={({ currentTarget: { checked } }) =>
                  set({
                    kinds: kinds
                      .map(([one]) => one)
                      .filter((one) => (one === kind ? checked : draft.kinds.includes(one))),
                  })
                }
              />
            ))}
            <NamesInput
              label={t`Teams that I follow`}
              description={t`Exact names. Their findings count as mine`}
              value={draft.teams}
              onChange={(teams) => set({ teams })}
              error={fields.teams}
              maxTags={20}
              acceptValueOnBlur
            />
          </Stack>
        </Fieldset>
        <Sending draft={draft} stored={stored} fields={fields} set={set} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(body).length === 0}>
            <Trans>Save</Trans>
          </Button>
        </Group>
        <LastMessage stored={stored} />
      </Stack>
    </form>
  );
}

interface FieldsProps {
  draft: Draft;
  stored: Preferences;
  fields: Record<string, string>;
  set: (changed: Partial<Draft>) => void;
}

function Sending({ draft, stored, fields, set }: FieldsProps) {
  const { channel } = draft;
  const known = [...new Set([...stored.offered, ...(stored.channel === null ? [] : [stored.channel])])];
  const channels = [
    { value: '', label: t`Only in the console` },
    ...known.map((value) => ({ value, label: channelNames()[value] })),
  ];
  return (
    <Fieldset legend={t`Where they are sent`}>
      <Stack>
        <NativeSelect
          label={t`Channel`}
          description={known.length === 0 ? t`An admin has not configured any channel yet` : undefined}
          data={channels}
          value={channel}
          onChange={({ currentTarget }) => set({ channel: currentTarget.value as Channel | '', address: '' })}
          error={fields.channel}
        />
        {channel !== '' && (
          <>
            <TextInput
              {...addressWords()[channel]}
              placeholder={(channel === stored.channel && stored.address) || undefined}
              value={draft.address}
              onChange={({ currentTarget }) => set({ address: currentTarget.value })}
              error={fields.address}
              maxLength={2_000}
              autoComplete="off"
              dir="ltr"
            />
            {channel === stored.channel && (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                <PresentAddress address={stored.address} />
              </Text>
            )}
            <Times draft={draft} stored={stored} fields={fields} set={set} />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

function PresentAddress({ address }: { address: string | null }) {
  if (address === null) {
    return <Trans>Present address: not readable. Leave the field empty to keep it.</Trans>;
  }
  const present = <bdi>{address}</bdi>;
  return <Trans>Present address: {present}. Leave the field empty to keep it.</Trans>;
}

function Times({ draft, fields, set }: FieldsProps) {
  const { timeZone, schedule, isQuiet, quiet } = draft;
  const zones = useMemo(() => timeZonesWith(timeZone), [timeZone]);
  return (
    <>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <NativeSelect
          label={t`How often`}
          data={Object.entries(scheduleWords()).map(([value, label]) => ({ value, label }))}
          value={schedule}
          onChange={({ currentTarget }) => set({ schedule: currentTarget.value as Draft['schedule'] })}
        />
        {schedule === 'weekly' && (
          <NativeSelect
            label={t`Day of the week`}
            data={weekdays()}
            value={draft.weekday}
            onChange={({ currentTarget }) => set({ weekday: currentTarget.value })}
          />
        )}
        <TextInput
          type="time"
          label={schedule === 'immediate' ? t`Time of due dates` : t`Time`}
          value={draft.dailyAt}
          onChange={({ currentTarget }) => set({ dailyAt: currentTarget.value })}
          error={fields.dailyAt}
        />
      </Group>
      <NativeSelect
        label={t`Time zone`}
        data={zones}
        value={timeZone}
        onChange={({ currentTarget }) => set({ timeZone: currentTarget.value })}
        error={fields.timeZone}
      />
      <Checkbox
        label={t`Quiet hours`}
        description={t`What comes in between is sent as one message at their end`}
        checked={isQuiet}
        onChange={({ currentTarget }) => set({ isQuiet: currentTarget.checked })}
      />
      {isQuiet && (
        <Group align="flex-start" grow>
          <TextInput
            type="time"
            label={t({ message: 'From', context: 'time of day' })}
            value={quiet.from}
            onChange={({ currentTarget }) => set({ quiet: { ...quiet, from: currentTarget.value } })}
            error={fields['quiet.from']}
          />
          <TextInput
            type="time"
            label={t({ message: 'To', context: 'time of day' })}
            value={quiet.to}
            onChange={({ currentTarget }) => set({ quiet: { ...quiet, to: currentTarget.value } })}
            error={fields['quiet.to']}
          />
        </Group>
      )}
    </>
  );
}

function LastText({ of: { at, status, message } }: { of: NonNullable<Preferences['lastMessage']> }) {
  const when = <Instant at={at} />;
  const reason = message !== null && <bdi>{message}</bdi>;
  switch (status) {
    case 'pending':
      return reason ? (
        <Trans>
          Last message, {when}: being sent ({reason}).
        </Trans>
      ) : (
        <Trans>Last message, {when}: being sent.</Trans>
      );
    case 'sent':
      return <Trans>Last message, {when}: sent.</Trans>;
    case 'failed':
      return reason ? (
        <Trans>
          Last message, {when}: failed ({reason}).
        </Trans>
      ) : (
        <Trans>Last message, {when}: failed.</Trans>
      );
    case 'skipped':
      return <Trans>Last message, {when}: not needed, because everything was read before.</Trans>;
  }
}

function LastMessage({ stored }: { stored: Preferences }) {
  const test = api.useMutation('post', '/api/v3/notifications/test', {
    onSuccess: (answer) => void settled(answer, t`A test message is on its way.`),
  });
  const { channel, lastMessage, nextMessageAt, problem } = stored;
  if (channel === null) return null;
  const next = nextMessageAt !== null && <Instant at={nextMessageAt} />;
  return (
    <Fieldset legend={t`Messages`}>
      <Stack align="flex-start" gap="sm">
        {problem !== null && (
          <Notice color="orange" title={t`Nothing is sent`}>
            {problem}
          </Notice>
        )}
        <FormError title={t`No test was sent`}>{test.error && sentenceOf(test.error)}</FormError>
        <Text size="sm" role="status">
          {lastMessage === null ? t`No message was sent yet.` : <LastText of={lastMessage} />}
          {next && ' '}
          {next && <Trans>Next message: {next}.</Trans>}
        </Text>
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          disabled={problem !== null}
          onClick={() => test.mutate({})}
        >
          <Trans>Send a test message</Trans>
        </Button>
      </Stack>
    </Fieldset>
  );
}
