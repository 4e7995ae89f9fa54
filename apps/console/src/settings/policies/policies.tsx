import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type Api, api, type Failure } from '../../api/client.ts';
import { Answered } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { complaintOf, isStale, ON_ENTRY, settled, useMayChange } from '../act.ts';
import { Refusal } from '../refusal.tsx';
import { SaveBar } from '../save-bar.tsx';
import { useWarningBeforeLeaving } from '../use-warning-before-leaving.ts';
import { bodyOf, changesOf, type Draft, GROUPS, policyNamed, valueAt } from './policy.ts';
import { PolicyField } from './policy-field.tsx';
import { RetirementPolicy } from './retirement-policy.tsx';

export default function Policies() {
  const query = api.useQuery('get', '/api/v3/settings', {}, ON_ENTRY);
  return (
    <Answered query={query} waiting={<Skeleton height={600} />}>
      {(settings) => <PoliciesForm settings={settings} onStale={() => void query.refetch()} />}
    </Answered>
  );
}

const isField = (path: string) => path.startsWith('retirementDays.') || policyNamed(path) !== undefined;

/** What was changed lies over what is in force, so that what another admin changes meanwhile shows beside it. */
function PoliciesForm({ settings, onStale }: { settings: Api['SettingsDto']; onStale: () => void }) {
  const { administer } = useMay();
  const mayChange = useMayChange();
  const [draft, setDraft] = useState<Draft>({});
  const save = api.useMutation('patch', '/api/v3/settings', {
    onSuccess: async (answer) => {
      await settled(answer, 'The policies are saved and in force.');
      setDraft({});
    },
    onError: (error) => isStale(error) && onStale(),
  });
  const changes = changesOf(draft, settings);
  const { fields, general } = complaint(save.error, changes);
  const change = (path: string, value: unknown) => setDraft((before) => ({ ...before, [path]: value }));
  const count = Object.keys(changes).length;
  useWarningBeforeLeaving(count > 0);
  const send = () => save.mutate({ body: { ...bodyOf(changes), version: settings.version } });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0) send();
      }}
      noValidate
    >
      <Stack>
        {!administer && <Text size="sm">Only an admin changes these.</Text>}
        <Refusal>{general}</Refusal>
        <RetirementPolicy {...{ settings, changes, mayChange, errors: fields, onChange: change }} />
        {GROUPS.map(({ title, policies }) => (
          <Paper key={title} withBorder p="md" component="section" aria-label={title}>
            <Title order={2} size="h4" mb="sm">
              {title}
            </Title>
            <Stack gap="lg">
              {policies.map((policy) => (
                <PolicyField
                  key={policy.name}
                  policy={policy}
                  value={policy.name in draft ? draft[policy.name] : valueAt(settings, policy.name)}
                  isChanged={policy.name in changes}
                  mayChange={mayChange}
                  error={fields[policy.name]}
                  onChange={(value) => change(policy.name, value)}
                />
              ))}
            </Stack>
          </Paper>
        ))}
        <SaveBar
          count={count}
          isBusy={save.isPending}
          onSave={send}
          onDiscard={() => {
            setDraft({});
            save.reset();
          }}
        />
      </Stack>
    </form>
  );
}

function complaint(error: Failure | null, changes: Draft) {
  if (error && isStale(error)) {
    return {
      fields: {},
      general:
        'Somebody else has changed the settings meanwhile. Theirs are shown now, with your unsaved changes over them: look again, then save.',
    };
  }
  const found = complaintOf(error, isField);
  // Several rules fail at once where a number is missing; this one says it.
  for (const path of Object.keys(found.fields)) {
    if (changes[path] === '') found.fields[path] = 'Give a whole number';
  }
  return found;
}
