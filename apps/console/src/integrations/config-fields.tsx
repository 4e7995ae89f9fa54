import { t } from '@lingui/core/macro';
import { Fieldset, NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { api } from '../api/client.ts';
import type { Values } from './form-values.ts';
import type { Kind } from './kinds.ts';
import { SecretField } from './secret-field.tsx';

interface Props {
  kind: Kind;
  form: UseFormReturnType<Values>;
  /** Stored values; null for a new integration. */
  stored: { values: Values; hasSecret: boolean } | null;
}

/** Form fields of an integration type. */
export function ConfigFields({ kind, form, stored }: Props) {
  const { title } = kind;
  return (
    <Stack>
      <TextInput
        label={t`Name`}
        description={
          stored
            ? t`Assets and findings keep the source name from its creation.`
            : t`Source name of its assets and findings. A later rename does not change it.`
        }
        placeholder={t`${title} Berlin`}
        required={stored !== null}
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <Fieldset legend={t`Connection`}>
        <Stack>
          <TextInput
            label={t`URL`}
            description={t`Base address of the platform, with http:// or https://.`}
            placeholder={kind.urlExample}
            inputMode="url"
            dir="ltr"
            required
            maxLength={2000}
            {...form.getInputProps('url')}
          />
          <TextInput
            label={kind.account.label}
            description={kind.account.hint}
            required
            maxLength={1000}
            autoComplete="off"
            dir="ltr"
            spellCheck={false}
            {...form.getInputProps('account')}
          />
          <SecretField kind={kind} form={form} stored={stored} />
        </Stack>
      </Fieldset>
      <Fieldset legend={t`Data to pull`}>
        <Stack>
          {kind.names && <Names names={kind.names} form={form} />}
          {kind.switches.map(({ field, label, hint }) => (
            <Switch
              key={field}
              label={label}
              description={hint}
              {...form.getInputProps(field, { type: 'checkbox' })}
            />
          ))}
        </Stack>
      </Fieldset>
      <Fieldset legend={t`Schedule`}>
        <Stack>
          <Switch
            label={t`Sync automatically`}
            description={t`At 01:15 UTC. If off, only Sync now starts a sync.`}
            {...form.getInputProps('isAutomatic', { type: 'checkbox' })}
          />
          {form.values.isAutomatic && (
            <NumberInput
              label={t`Days between syncs`}
              description={t`A whole number from 1 to 365.`}
              min={1}
              max={365}
              allowDecimal={false}
              clampBehavior="strict"
              required
              maw={260}
              {...form.getInputProps('days')}
            />
          )}
        </Stack>
      </Fieldset>
    </Stack>
  );
}

/** Suggests attack surfaces of existing assets. Tags have no suggestions, because only the platform knows them. */
function Names({ names, form }: Pick<Props, 'form'> & { names: NonNullable<Kind['names']> }) {
  const { data } = api.useQuery(
    'get',
    '/api/v3/assets/counts',
    {},
    { enabled: names.field === 'attackSurfaceTypes', meta: { live: false } },
  );
  return (
    <TagsInput
      label={names.label}
      description={names.hint}
      data={Object.keys(data?.attackSurface ?? {})}
      maxTags={100}
      acceptValueOnBlur
      {...form.getInputProps('names')}
    />
  );
}
