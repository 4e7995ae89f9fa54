import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Fieldset, Group, Skeleton, Stack, TagsInput } from '@mantine/core';
import { type Api, api } from '../../api/client.ts';
import { changedFields } from '../../parts/changed-fields.ts';
import { Answered } from '../../parts/states.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { formErrorsOf, ON_ENTRY, settled, useMayChange } from '../act.ts';
import { DraftFields } from '../draft-fields.tsx';
import { FormError } from '../form-error.tsx';
import { type MailServer, MailServerFields, mailServerBody } from '../mail-server-fields.tsx';
import { Notice } from '../notice.tsx';

type Settings = Api['NotificationSettingsDto'];

/** The fields of the mail server are empty while it is off. */
interface Draft extends MailServer {
  hasMail: boolean;
  domains: string[];
  slackHosts: string[];
  teamsHosts: string[];
}

const FIELDS = new Set([
  'email.url',
  'email.from',
  'email.user',
  'email.password',
  'email.domains',
  'slackHosts',
  'teamsHosts',
]);

const draftOf = ({ email, slackHosts, teamsHosts }: Settings): Draft => ({
  ...{ hasMail: email !== null, url: email?.url ?? '', from: email?.from ?? '', user: email?.user ?? '' },
  ...{ password: '', domains: email?.domains ?? [], slackHosts, teamsHosts },
});

const bodyOf = (draft: Draft): Api['ChangeNotificationSettingsDto'] => ({
  email: draft.hasMail ? { ...mailServerBody(draft), domains: draft.domains } : null,
  ...{ slackHosts: draft.slackHosts, teamsHosts: draft.teamsHosts },
});

export default function NotificationSettings() {
  const query = api.useQuery('get', '/api/v3/notification-settings', {}, ON_ENTRY);
  return (
    <Answered query={query} waiting={<Skeleton height={400} />}>
      {(settings) => <SettingsOfNotifications stored={settings} />}
    </Answered>
  );
}

function SettingsOfNotifications({ stored }: { stored: Settings }) {
  const mayChange = useMayChange('webhooks:write');
  const before = draftOf(stored);
  // Only what the user has changed: the settings may be requested again during the changes.
  const [edited, setEdited] = useKept<Partial<Draft>>(
    'notification settings',
    () => ({}),
    ({ password: _, ...fields }) => fields,
    () => stored,
  );
  const draft = { ...before, ...edited };
  const set = (changed: Partial<Draft>) => setEdited((earlier) => ({ ...earlier, ...changed }));
  const save = api.useMutation('patch', '/api/v3/notification-settings', {
    onSuccess: async (saved) => {
      await settled(saved, t`The settings of notifications are saved.`);
      setEdited({});
    },
  });
  const { fields, general } = formErrorsOf(save.error, (path) => FIELDS.has(path));
  const changed = changedFields(bodyOf(draft), bodyOf(before));
  // A restored site sends nothing until they are saved again, even unchanged.
  const body = stored.problem === null ? changed : bodyOf(draft);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body });
      }}
    >
      <Stack maw={640}>
        {stored.problem !== null && (
          <Notice color="orange" title={t`Nothing is sent`}>
            {stored.problem}
          </Notice>
        )}
        <DraftFields isBusy={save.isPending} failure={save.error}>
          <FormError>{general}</FormError>
          <Checkbox
            label={t`People can have e-mail`}
            checked={draft.hasMail}
            disabled={!mayChange}
            onChange={({ currentTarget }) => set({ hasMail: currentTarget.checked })}
          />
          {draft.hasMail && <MailFields draft={draft} fields={fields} set={set} mayChange={mayChange} />}
          <TagsInput
            label={t`Hosts of Slack`}
            description={t`Of addresses that people can enter, with their subdomains. Empty: no messages there`}
            placeholder={mayChange && draft.slackHosts.length === 0 ? 'hooks.slack.com' : undefined}
            value={draft.slackHosts}
            onChange={(slackHosts) => set({ slackHosts })}
            error={fields.slackHosts}
            disabled={!mayChange}
            dir="ltr"
            maxTags={20}
            acceptValueOnBlur
          />
          <TagsInput
            label={t`Hosts of Microsoft Teams`}
            description={t`Of the addresses of workflows. Empty: no messages there`}
            placeholder={mayChange && draft.teamsHosts.length === 0 ? 'logic.azure.com' : undefined}
            value={draft.teamsHosts}
            onChange={(teamsHosts) => set({ teamsHosts })}
            error={fields.teamsHosts}
            disabled={!mayChange}
            dir="ltr"
            maxTags={20}
            acceptValueOnBlur
          />
        </DraftFields>
        {mayChange && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={Object.keys(body).length === 0}>
              <Trans>Save</Trans>
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function MailFields({
  draft,
  fields,
  set,
  mayChange,
}: {
  draft: Draft;
  fields: Record<string, string>;
  set: (changed: Partial<Draft>) => void;
  mayChange: boolean;
}) {
  return (
    <Fieldset legend={t`E-mail`} disabled={!mayChange}>
      <Stack>
        <MailServerFields value={draft} onChange={set} errors={fields} isStored />
        <TagsInput
          label={t`Domains`}
          description={t`Of the addresses that people can enter`}
          placeholder={mayChange && draft.domains.length === 0 ? 'example.com' : undefined}
          value={draft.domains}
          onChange={(domains) => set({ domains })}
          error={fields['email.domains']}
          dir="ltr"
          maxTags={20}
          acceptValueOnBlur
        />
      </Stack>
    </Fieldset>
  );
}
