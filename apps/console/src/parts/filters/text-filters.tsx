import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { Search } from '../use-search.ts';
import { FilterMenu } from './filter-menu.tsx';

export interface TextFilter {
  name: string;
  label: string;
  placeholder?: string | undefined;
}

interface Props {
  /** Where the filters are. */
  search: Search;
  filters: readonly TextFilter[];
  children?: ReactNode;
}

/** Text filters in one form; they apply on submit. */
export function TextFilters({ search, filters, children }: Props) {
  const chosen = filters.filter(({ name }) => search.get(name) !== undefined).length;
  return (
    <FilterMenu label={t`More`} chosen={chosen}>
      {(close) => (
        <form
          onSubmit={(event) => {
            send(event, filters, search);
            close();
          }}
        >
          {/* Scrolls in itself: a scrolled page hides the menu. */}
          <Stack gap="sm" w={280} maw="80vw" mah="55dvh" style={{ overflowY: 'auto' }}>
            {filters.map(({ name, label, placeholder }) => (
              <TextInput
                key={name}
                name={name}
                label={label}
                placeholder={placeholder}
                defaultValue={search.get(name)}
                maxLength={1000}
              />
            ))}
            {children}
            <Group justify="flex-end">
              <Button type="submit">
                <Trans>Filter</Trans>
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </FilterMenu>
  );
}

function send(event: FormEvent<HTMLFormElement>, filters: readonly TextFilter[], search: Search): void {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  search.set(Object.fromEntries(filters.map(({ name }) => [name, String(form.get(name) ?? '').trim()])));
}
