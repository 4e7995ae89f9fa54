import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconStar, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Answered, sentenceOf } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSearch } from '../../parts/use-search.ts';
import { ON_ENTRY, settled, useMayChange } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import { FormError } from '../form-error.tsx';
import { RowAct } from '../row-act.tsx';
import { ShortList } from '../short-list.tsx';
import type { Kind, Option } from './kind.ts';
import { OptionForm } from './option-form.tsx';

type OpenDialog = { act: 'save'; option: Option | null } | { act: 'remove'; option: Option } | null;

export function Options({ kind }: { kind: Kind }) {
  const mayChange = useMayChange('settings:write');
  const [asked, ask] = useState<OpenDialog>(null);
  const cursor = useSearch().get('cursor');
  const params = { query: { limit: 100, ...(cursor && { cursor }) } };
  const query = api.useQuery(
    'get',
    kind.path,
    { params },
    { ...ON_ENTRY, placeholderData: keepPreviousData },
  );
  const pages = usePages(query);
  const makeDefault = api.useMutation('patch', `${kind.path}/{id}`, {
    onSuccess: (answer, { params }) => {
      const name = query.data?.items.find(({ id }) => id === params.path.id)?.name;
      void settled(answer, name === undefined ? kind.isNowDefault : t`${name} is now the default.`);
    },
  });
  const close = () => ask(null);

  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => ask({ act: 'save', option: null })}
          >
            {kind.add}
          </Button>
        </Group>
      )}
      <FormError>{makeDefault.error && sentenceOf(makeDefault.error)}</FormError>
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) => (
          <ShortList
            label={kind.many}
            rows={items}
            pages={pages}
            isStale={query.isPlaceholderData}
            columns={[
              { id: 'name', header: t`Name`, cell: (option) => <Name option={option} /> },
              ...(mayChange
                ? [
                    {
                      id: 'acts',
                      header: t`Actions`,
                      align: 'end' as const,
                      cell: (option: Option) => (
                        <Acts
                          option={option}
                          onDefault={() =>
                            makeDefault.mutate({
                              params: { path: { id: option.id } },
                              body: { default: true },
                            })
                          }
                          ask={ask}
                        />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Answered>
      {asked?.act === 'save' && <OptionForm kind={kind} option={asked.option} onClose={close} />}
      {asked?.act === 'remove' && <Removal kind={kind} option={asked.option} onClose={close} />}
    </Stack>
  );
}

const Name = ({ option }: { option: Option }) => (
  <Group gap="xs">
    <bdi>{option.name}</bdi>
    {option.default && (
      <Text span size="xs" c="dimmed">
        {'· '}
        <Trans context="marks the default option in a list">default</Trans>
      </Text>
    )}
  </Group>
);

function Acts({
  option,
  onDefault,
  ask,
}: {
  option: Option;
  onDefault: () => void;
  ask: (asked: OpenDialog) => void;
}) {
  const { name } = option;
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <RowAct label={t`Make ${name} the default`} disabled={option.default} onClick={onDefault}>
        <IconStar size={16} aria-hidden />
      </RowAct>
      <RowAct label={t`Rename ${name}`} onClick={() => ask({ act: 'save', option })}>
        <IconPencil size={16} aria-hidden />
      </RowAct>
      <RowAct
        label={
          option.default ? t`${name} is the default. Make another one the default first.` : t`Remove ${name}`
        }
        disabled={option.default}
        onClick={() => ask({ act: 'remove', option })}
      >
        <IconTrash size={16} aria-hidden />
      </RowAct>
    </Group>
  );
}

function Removal({ kind, option, onClose }: { kind: Kind; option: Option; onClose: () => void }) {
  const { name } = option;
  const remove = api.useMutation('delete', `${kind.path}/{id}`, {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, t`${name} was removed.`);
    },
  });
  return (
    <Confirmation
      title={t`Remove ${name}?`}
      act={t`Remove`}
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id: option.id } } })}
      onClose={onClose}
    >
      {kind.removal}
    </Confirmation>
  );
}
