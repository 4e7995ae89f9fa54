import { t } from '@lingui/core/macro';
import { NumberInput, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Api } from '../../api/client.ts';

type Options = Api['TicketOptionsDto'];

/** Of a project. */
const KEY_EXAMPLE = 'RISK';

/** Options with one text. */
const texts = () =>
  [
    {
      name: 'from',
      label: t`Sender`,
      description: t`E-mail address`,
      placeholder: 'risk@example.com',
      maxLength: 254,
    },
    {
      name: 'project',
      label: t`Project`,
      description: t`Key of the project`,
      placeholder: KEY_EXAMPLE,
      maxLength: 255,
    },
    {
      name: 'issueType',
      label: t`Issue type`,
      description: t`Of new issues, as the project names it`,
      placeholder: t({ message: 'Task', context: 'issue type of Jira, as an example' }),
      maxLength: 60,
    },
    {
      name: 'channel',
      label: t({ message: 'Channel', context: 'of a chat' }),
      description: t`Name to show in lists, because the address does not say it`,
      placeholder: '#risk',
      maxLength: 80,
    },
    {
      name: 'resolution',
      label: t`Resolution`,
      description: t`Set when an issue is closed, if the transition has this field. Empty: none`,
      placeholder: t({ message: 'Done', context: 'resolution of Jira, as an example' }),
      maxLength: 60,
    },
  ] as const;

/** The options of one kind of ticket. @param shown names of the options that the kind has */
export function TicketOptions({
  shown,
  value,
  onChange,
  errorOf,
}: {
  shown: readonly (keyof Options)[];
  value: Options;
  onChange: (options: Options) => void;
  errorOf: (name: keyof Options) => ReactNode;
}) {
  const set = (changed: Partial<Options>) => onChange(withOptions(value, changed));
  return (
    <>
      {texts()
        .filter(({ name }) => shown.includes(name))
        .map(({ name, ...words }) => (
          <TextInput
            key={name}
            {...words}
            value={value[name] ?? ''}
            onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
            error={errorOf(name)}
            autoComplete="off"
          />
        ))}
      {shown.includes('to') && (
        <TagsInput
          label={t`Recipients`}
          description={t`Up to 20 addresses`}
          value={value.to ?? []}
          onChange={(to) => set({ to: to.length > 0 ? to : undefined })}
          error={errorOf('to')}
          maxTags={20}
          acceptValueOnBlur
        />
      )}
      {shown.includes('labels') && (
        <TagsInput
          label={t`Labels`}
          description={t`Of new issues`}
          value={value.labels ?? []}
          onChange={(labels) => set({ labels: labels.length > 0 ? labels : undefined })}
          error={errorOf('labels')}
          maxTags={10}
          acceptValueOnBlur
        />
      )}
    </>
  );
}

/** The limit of an hour. */
export function TicketLimit({
  value,
  onChange,
  error,
}: {
  value: Options;
  onChange: (options: Options) => void;
  error: ReactNode;
}) {
  return (
    <NumberInput
      label={t`Tickets in an hour`}
      description={t`At most; further ones wait. Empty: 60`}
      min={1}
      max={1000}
      decimalScale={0}
      value={value.openedPerHourMax ?? ''}
      onChange={(given) =>
        onChange(withOptions(value, { openedPerHourMax: typeof given === 'number' ? given : undefined }))
      }
      error={error}
    />
  );
}

/** Empty ones are left out. */
export const withOptions = (options: Options, changed: Partial<Options>): Options =>
  Object.fromEntries(
    Object.entries({ ...options, ...changed }).filter(([, one]) => one !== undefined && one !== ''),
  );
