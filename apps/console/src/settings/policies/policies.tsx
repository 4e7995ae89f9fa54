import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { type Api, api, type Failure } from '../../api/client.ts';
import { Answered } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { formErrorsOf, isStale, ON_ENTRY, settled, useMayChange } from '../act.ts';
import { SettingsForm } from '../settings-form.tsx';
import { useDraft } from '../use-draft.ts';
import { DaysByTypePolicy } from './days-by-type.tsx';
import { bodyOf, changesOf, type Draft, daysByType, groups, policyNamed, valueAt } from './policy.ts';
import { PolicyField } from './policy-field.tsx';

export default function Policies() {
  const query = api.useQuery('get', '/api/v3/settings', {}, ON_ENTRY);
  return (
    <Answered query={query} waiting={<Skeleton height={600} />}>
      {(settings) => <PoliciesForm settings={settings} reread={async () => (await query.refetch()).data} />}
    </Answered>
  );
}

const isField = (path: string) =>
  /^(retirementDays|historyRetentionDays)\./.test(path) || policyNamed(path) !== undefined;

/** Keeps unsaved changes separate from the stored settings, so that concurrent changes of other admins are visible. */
function PoliciesForm({
  settings,
  reread,
}: {
  settings: Api['SettingsDto'];
  reread: () => Promise<Api['SettingsDto'] | undefined>;
}) {
  const isPermitted = useMay('settings:write');
  const mayChange = useMayChange('settings:write');
  const stored = useMemo(() => ({ version: settings.version, values: {} as Draft }), [settings.version]);
  const { draft, change: changeDraft, discard, rebase } = useDraft('policies', stored);
  const save = api.useMutation('patch', '/api/v3/settings', {
    onSuccess: async (answer) => {
      await settled(answer, t`The policies are saved and in effect.`);
      discard();
    },
    onError: async (error) => {
      if (!isStale(error)) return;
      const now = await reread();
      if (now) rebase(now.version);
    },
  });
  const { version, values } = draft;
  const changes = changesOf(values, settings);
  const { fields, general } = policyErrors(save.error, changes);
  const change = (path: string, value: unknown) =>
    changeDraft((now) => ({ ...now, values: { ...now.values, [path]: value } }));
  const count = Object.keys(changes).length;

  return (
    <SettingsForm
      count={count}
      failure={save.error}
      error={general}
      isBusy={save.isPending}
      onSave={() => save.mutate({ body: { ...bodyOf(changes, settings), version } })}
      onDiscard={() => {
        discard();
        save.reset();
      }}
    >
      {!isPermitted && (
        <Text size="sm">
          <Trans>Only admins can change policies.</Trans>
        </Text>
      )}
      {daysByType().map((policy) => (
        <DaysByTypePolicy
          key={policy.setting}
          {...{ policy, settings, changes, mayChange, errors: fields, onChange: change }}
        />
      ))}
      {groups().map(({ title, policies }) => (
        <Paper key={title} withBorder p="md" component="section" aria-label={title}>
          <Title order={2} size="h4" mb="sm">
            {title}
          </Title>
          <Stack gap="lg">
            {policies.map((policy) => (
              <PolicyField
                key={policy.name}
                policy={policy}
                value={policy.name in values ? values[policy.name] : valueAt(settings, policy.name)}
                isChanged={policy.name in changes}
                mayChange={mayChange}
                error={fields[policy.name]}
                onChange={(value) => change(policy.name, value)}
              />
            ))}
          </Stack>
        </Paper>
      ))}
    </SettingsForm>
  );
}

function policyErrors(error: Failure | null, changes: Draft) {
  if (error && isStale(error)) {
    return {
      fields: {},
      general: t`Another user changed the settings. The form shows their values with your unsaved changes. Check the values, then save again.`,
    };
  }
  const found = formErrorsOf(error, isField);
  // A missing number violates several rules. One message is enough.
  for (const path of Object.keys(found.fields)) {
    if (changes[path] !== '') continue;
    found.fields[path] = path.startsWith('baseRate.') ? t`Must be a number` : t`Must be a whole number`;
  }
  return found;
}
