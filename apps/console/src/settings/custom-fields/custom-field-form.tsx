import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type Api, api } from '../../api/client.ts';
import { changedFields } from '../../parts/changed-fields.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { NamesInput } from '../../parts/names-input.tsx';
import { useKept } from '../../parts/use-kept.ts';
import { isStale, namedFormErrorsOf, ON_ENTRY, refreshIfStale, settled } from '../act.ts';
import { FormError } from '../form-error.tsx';

type Field = Api['CustomFieldDto'];
type Given = Pick<Field, 'name' | 'type' | 'multiValued' | 'options'>;

const TYPES: Record<Field['type'], MessageDescriptor> = {
  Any: msg`Any value`,
  Text: msg({ message: 'Text', context: 'type of a custom field' }),
  Select: msg`One of the listed options`,
};

const givenIn = (field: Field | null): Given =>
  field
    ? { name: field.name, type: field.type, multiValued: field.multiValued, options: field.options }
    : { name: '', type: 'Any', multiValued: false, options: [] };

/** Adds a custom field, or changes `field`. */
export function CustomFieldForm({ field, onClose }: { field: Field | null; onClose: () => void }) {
  const [given, setGiven] = useKept(
    field ? `custom field ${field.id} ${field.version}` : 'custom field',
    () => givenIn(field),
  );
  const set = (change: Partial<Given>) => setGiven((before) => ({ ...before, ...change }));
  const done = (sentence: string) => ({
    onSuccess: (answer: unknown) => {
      onClose();
      void settled(answer, sentence);
    },
  });
  const add = api.useMutation('post', '/api/v3/custom-fields');
  const change = api.useMutation('patch', '/api/v3/custom-fields/{id}', { onError: refreshIfStale });
  const error = add.error ?? change.error;
  const { fields, general } = namedFormErrorsOf(error, (path) => path in given);
  // The version is that of all settings: the field itself may be as before.
  const settingsChanged =
    error &&
    isStale(error) &&
    t`Another user changed the settings. Your change is not saved: close the dialog, then open it again.`;

  const { name } = given;

  function save() {
    const body = { ...given, options: given.type === 'Select' ? given.options : [] };
    if (!field) return add.mutate({ body }, done(t`${name} was added.`));
    // The type requires a field that has a default when it is added.
    const changes = changedFields(body, field) as Api['ChangeCustomFieldDto'];
    if (Object.keys(changes).length === 0) return onClose();
    const params = { path: { id: field.id } };
    return change.mutate(
      { params, body: { ...changes, version: field.version } },
      done(t`${name} was changed.`),
    );
  }

  const oldName = field?.name ?? '';
  return (
    <Dialog onClose={onClose} title={field ? t`Change ${oldName}` : t`Add a custom field`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <FormError>{settingsChanged || general}</FormError>
          <TextInput
            label={t`Name`}
            description={t`Tags with exactly this key set the field. Case-sensitive.`}
            value={given.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            error={fields.name}
            maxLength={200}
            data-autofocus
          />
          <NativeSelect
            label={t`Type`}
            data={Object.entries(TYPES).map(([value, label]) => ({ value, label: i18n._(label) }))}
            value={given.type}
            onChange={({ currentTarget }) => set({ type: currentTarget.value as Field['type'] })}
            error={fields.type}
          />
          {given.type === 'Select' && (
            <NamesInput
              label={t`Options`}
              description={t`Allowed values. Press Enter after each value. Other values are stored as plain tags.`}
              value={given.options}
              onChange={(options) => set({ options })}
              error={fields.options}
              acceptValueOnBlur
            />
          )}
          <Switch
            label={t`Allow multiple values`}
            checked={given.multiValued}
            onChange={({ currentTarget }) => set({ multiValued: currentTarget.checked })}
            error={fields.multiValued}
          />
          <Consequence field={field} />
          <FormButtons
            act={field ? t`Save` : t`Add`}
            isBusy={add.isPending || change.isPending}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

function Consequence({ field }: { field: Field | null }) {
  const { data } = api.useQuery('get', '/api/v3/settings', {}, ON_ENTRY);
  if (field)
    return (
      <Text size="sm" c="dimmed">
        <Trans>Existing values do not change. The change applies to new signals.</Trans>
      </Text>
    );
  const minutes = Math.round((data?.customFieldRecognitionDelaySeconds ?? 900) / 60);
  return (
    <Text size="sm" c="dimmed">
      {plural(minutes, {
        one: 'Tags set the field in signals that arrive in # minute or later (see Policies).',
        other: 'Tags set the field in signals that arrive in # minutes or later (see Policies).',
      })}{' '}
      <Trans>Existing data does not change.</Trans>
    </Text>
  );
}
