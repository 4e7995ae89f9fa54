import { plural, t } from '@lingui/core/macro';
import {
  Fieldset,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { formErrorsOf, settled } from '../act.ts';
import { FormError } from '../form-error.tsx';
import { useFirstError } from '../use-first-error.ts';
import { GroupRows } from './group-rows.tsx';
import {
  bodyOf,
  changesOf,
  fieldsOf,
  NEW_PROVIDER,
  type ProviderFields,
  problemOfGroups,
} from './provider-fields.ts';

type Provider = Api['IdentityProviderDto'];

const GROUP_FIELDS = ['grants', 'departments', 'locations'];
const sources = () => [
  { value: 'claims', label: t`A claim of the ID token` },
  { value: 'scim', label: t`Groups that the provider provisions (SCIM)` },
];

/** Adds an identity provider, or changes `provider`. */
export function ProviderForm({ provider, onClose }: { provider: Provider | null; onClose: () => void }) {
  const [given, setGiven] = useKept(
    provider ? `identity provider ${provider.id} ${provider.version}` : 'identity provider',
    () => (provider ? fieldsOf(provider) : NEW_PROVIDER),
    ({ clientSecret: _, ...fields }) => fields,
  );
  const [groupProblem, setGroupProblem] = useState<string | null>(null);
  const set = (change: Partial<ProviderFields>) => setGiven((before) => ({ ...before, ...change }));
  const done = (sentence: string) => ({
    onSuccess: (answer: unknown) => {
      onClose();
      void settled(answer, sentence);
    },
  });
  const add = api.useMutation('post', '/api/v3/identity-providers');
  const change = api.useMutation('patch', '/api/v3/identity-providers/{id}');
  const error = add.error ?? change.error;
  const form = useFirstError<HTMLFormElement>(error ?? groupProblem);
  const { fields, general } = formErrorsOf(error, (path) => path in given || GROUP_FIELDS.includes(path));

  const { label } = given;

  function save() {
    const problem = problemOfGroups(given.groups);
    setGroupProblem(problem);
    if (problem !== null) return;
    if (!provider) return add.mutate({ body: bodyOf(given) }, done(t`${label} was added.`));
    const changes = changesOf(given, provider);
    if (Object.keys(changes).length === 0) return onClose();
    const body = { ...changes, version: provider.version };
    const params = { path: { id: provider.id } };
    return change.mutate({ params, body }, done(t`${label} was changed.`));
  }

  const text = (name: keyof ProviderFields & string, itsLabel: string, description?: string) => ({
    label: itsLabel,
    description,
    value: given[name] as string,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ [name]: currentTarget.value }),
    error: fields[name],
    autoComplete: 'off',
  });
  const oldLabel = provider?.label ?? '';
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={provider ? t`Change ${oldLabel}` : t`Add an identity provider`}
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <FormError>{general}</FormError>
          <Fieldset legend={t`Provider`}>
            <Stack>
              <TextInput
                {...text('label', t`Name`, t`On the button of the sign-in page`)}
                maxLength={60}
                data-autofocus
              />
              {!provider && (
                <>
                  <TextInput
                    {...text(
                      'id',
                      t`Id`,
                      t`Begins the names of users, and is part of addresses. It never changes`,
                    )}
                    placeholder="corp"
                    dir="ltr"
                    maxLength={30}
                  />
                  <TextInput
                    {...text(
                      'issuer',
                      t`Issuer`,
                      t`As the discovery document of the provider states it. It never changes`,
                    )}
                    placeholder="https://id.example.com/realms/corp"
                    dir="ltr"
                  />
                </>
              )}
              <TextInput {...text('clientId', t`Client ID`)} maxLength={200} dir="ltr" />
              <PasswordInput
                {...text(
                  'clientSecret',
                  t`Client secret`,
                  provider
                    ? t`Stored encrypted. Empty: unchanged`
                    : t`Stored encrypted, and never shown again`,
                )}
                autoComplete="new-password"
                maxLength={2048}
                visibilityToggleButtonProps={{ 'aria-label': t`Show the client secret` }}
              />
            </Stack>
          </Fieldset>
          <GroupRows
            rows={given.groups}
            onChange={(groups) => set({ groups })}
            errors={[groupProblem, ...GROUP_FIELDS.map((name) => fields[name])].filter((one) => one != null)}
          />
          <Fieldset legend={t`Claims and checks`}>
            <Stack>
              <NativeSelect
                label={t`Groups come from`}
                data={sources()}
                value={given.groupsFrom}
                onChange={({ currentTarget }) =>
                  set({ groupsFrom: currentTarget.value as ProviderFields['groupsFrom'] })
                }
                error={fields.groupsFrom}
              />
              <TextInput
                {...text(
                  'groupsClaim',
                  t`Claim with the groups`,
                  t`Dots lead into objects, such as realm_access.roles`,
                )}
                dir="ltr"
              />
              <TextInput {...text('nameClaim', t`Claim with the user name`)} dir="ltr" />
              <TextInput
                {...text('externalIdClaim', t`Claim with the external id`, t`Of provisioned users`)}
                dir="ltr"
              />
              <TextInput
                {...text('scope', t`Requested scopes`, t`With spaces between; the first is openid`)}
                dir="ltr"
              />
              <TagsInput
                label={t`Further audiences`}
                description={t`That an ID token may have besides the client`}
                value={given.audiences}
                dir="ltr"
                onChange={(audiences) => set({ audiences })}
                error={fields.audiences}
                maxTags={20}
                acceptValueOnBlur
              />
              <NumberInput
                label={t`Check groups every`}
                value={given.checkSeconds}
                onChange={(checkSeconds) => set({ checkSeconds })}
                error={fields.checkSeconds}
                suffix={` ${plural(Number(given.checkSeconds), { one: 'second', other: 'seconds' })}`}
                allowDecimal={false}
              />
            </Stack>
          </Fieldset>
          <FormButtons
            act={provider ? t`Save` : t`Add`}
            isBusy={add.isPending || change.isPending}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
