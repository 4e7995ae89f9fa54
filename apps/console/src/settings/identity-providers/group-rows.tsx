import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Fieldset, Group, Input, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { NamesInput } from '../../parts/names-input.tsx';
import { SCOPES } from '../api-tokens/scopes.ts';
import { emptyGroup, type GroupRow } from './provider-fields.ts';

const ROLES = ['admin', 'analyst', 'viewer'];
const ALL = '*';

/** What each group of the provider gives to its members. */
export function GroupRows({
  rows,
  onChange,
  errors,
}: {
  rows: readonly GroupRow[];
  onChange: (rows: GroupRow[]) => void;
  errors: readonly string[];
}) {
  const params = { query: { limit: 500 } };
  const departments = api.useQuery('get', '/api/v3/company/departments', { params });
  const locations = api.useQuery('get', '/api/v3/locations', { params });
  const namesOf = (data?: { items: { name: string }[] }) => [
    ALL,
    ...(data?.items.map(({ name }) => name) ?? []),
  ];
  const grants = [...ROLES, ...SCOPES];
  const change = (key: number, changed: Partial<GroupRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  const add = () => onChange([...rows, emptyGroup(Math.max(-1, ...rows.map(({ key }) => key)) + 1)]);
  return (
    <Fieldset legend={t`Groups`}>
      <Stack>
        <Text size="sm" c="dimmed">
          <Trans>
            A user has the roles and scopes of all its groups; without any, it cannot sign in. As soon as one
            group has departments, users see only the assets of those of their groups (* for all), and users
            without any cannot sign in. Locations work the same way.
          </Trans>
        </Text>
        {rows.map((row, i) => {
          const place = i + 1;
          return (
            <Stack key={row.key} gap="xs" role="group" aria-label={t`Group ${place}`}>
              <Group align="flex-end" wrap="nowrap">
                <TextInput
                  label={t`Group`}
                  description={t`As the provider names it`}
                  value={row.group}
                  onChange={({ currentTarget }) => change(row.key, { group: currentTarget.value })}
                  autoComplete="off"
                  flex={1}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t`Remove group ${place}`}
                  onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
              <TagsInput
                label={t`Roles and scopes`}
                data={grants}
                value={row.grants}
                onChange={(chosen) => change(row.key, { grants: chosen })}
                maxTags={30}
                acceptValueOnBlur
              />
              <NamesInput
                label={t`Departments`}
                data={namesOf(departments.data)}
                value={row.departments}
                onChange={(chosen) => change(row.key, { departments: chosen })}
                maxTags={50}
                acceptValueOnBlur
              />
              <NamesInput
                label={t`Locations`}
                data={namesOf(locations.data)}
                value={row.locations}
                onChange={(chosen) => change(row.key, { locations: chosen })}
                maxTags={50}
                acceptValueOnBlur
              />
            </Stack>
          );
        })}
        {errors.map((error) => (
          <Input.Error key={error} role="alert">
            {error}
          </Input.Error>
        ))}
        <Group>
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            <Trans>Add a group</Trans>
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
