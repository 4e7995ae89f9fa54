import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import type { Column } from '../../parts/data-table-props.ts';
import { EmptyPage } from '../../parts/empty-list.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Answered, Empty } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSearch } from '../../parts/use-search.ts';
import { newest, ON_ENTRY, useMayChange } from '../act.ts';
import { RowAct } from '../row-act.tsx';
import { ShortList } from '../short-list.tsx';
import { CustomFieldForm } from './custom-field-form.tsx';
import { CustomFieldRemoval } from './custom-field-removal.tsx';

type Field = Api['CustomFieldDto'];

/** The types in a word. */
const typeWords = (): Record<Field['type'], string> => ({
  Any: t({ message: 'Any', context: 'type of a custom field' }),
  Text: t({ message: 'Text', context: 'type of a custom field' }),
  Select: t({ message: 'Select', context: 'type of a custom field' }),
});

const columns = (): Column<Field>[] => [
  { id: 'name', header: t`Name`, cell: ({ name }) => <b dir="auto">{name}</b> },
  {
    id: 'type',
    header: t`Type`,
    cell: ({ type, multiValued }) => {
      const word = typeWords()[type];
      return multiValued ? t`${word}, multiple values` : word;
    },
  },
  {
    id: 'options',
    header: t`Options`,
    cell: ({ options }) => (
      <Text size="sm" lineClamp={2} maw={320}>
        {options.length === 0 ? '–' : options.join(', ')}
      </Text>
    ),
  },
  { id: 'recognised', header: t`Recognised`, cell: ({ recognisedAt }) => <Recognised at={recognisedAt} /> },
];

export default function CustomFields() {
  const mayChange = useMayChange('settings:write');
  const [asked, ask] = useState<
    { act: 'save'; field: Field | null } | { act: 'remove'; field: Field } | null
  >(null);
  const cursor = useSearch().get('cursor');
  const params = { query: { limit: 100, ...(cursor && { cursor }) } };
  const query = api.useQuery(
    'get',
    '/api/v3/custom-fields',
    { params },
    { ...ON_ENTRY, placeholderData: keepPreviousData },
  );
  const pages = usePages(query);
  const change = async (id: string) => {
    const field = await newest(query, id);
    if (field) ask({ act: 'save', field });
  };
  const acts: Column<Field> = {
    id: 'acts',
    header: t`Actions`,
    align: 'end',
    cell: (field) => {
      const { name } = field;
      return (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <RowAct label={t`Change ${name}`} onClick={() => void change(field.id)}>
            <IconPencil size={16} aria-hidden />
          </RowAct>
          <RowAct label={t`Remove ${name}`} onClick={() => ask({ act: 'remove', field })}>
            <IconTrash size={16} aria-hidden />
          </RowAct>
        </Group>
      );
    },
  };
  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => ask({ act: 'save', field: null })}
          >
            <Trans>Add a custom field</Trans>
          </Button>
        </Group>
      )}
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              <Empty title={t`No custom fields yet`}>
                <Trans>
                  Tags are stored on the asset as plain tags. Add a field with the name of a tag to filter
                  assets by it and to let the inventory set it.
                </Trans>
              </Empty>
            </EmptyPage>
          ) : (
            <ShortList
              label={t`Custom fields`}
              rows={items}
              pages={pages}
              isStale={query.isPlaceholderData}
              columns={mayChange ? [...columns(), acts] : columns()}
            />
          )
        }
      </Answered>
      {asked?.act === 'save' && <CustomFieldForm field={asked.field} onClose={() => ask(null)} />}
      {asked?.act === 'remove' && <CustomFieldRemoval field={asked.field} onClose={() => ask(null)} />}
    </Stack>
  );
}

function Recognised({ at }: { at: string }) {
  if (Date.parse(at) <= Date.now()) return <Instant at={at} />;
  return (
    <Text span size="sm">
      <Trans>
        Not yet: <Instant at={at} />
      </Trans>
    </Text>
  );
}
