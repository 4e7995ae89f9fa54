import { Button, CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearch } from '../use-search.ts';
import classes from './filters.module.css';

export interface ActiveFilter {
  name: string;
  label: string;
  value: ReactNode;
}

/** What a list is narrowed by, each to be taken away. */
export function ActiveFilters({
  filters,
  none = {},
}: {
  filters: readonly ActiveFilter[];
  /** What the address says for no filter of a name, where that is not to leave it out. */
  none?: Record<string, string>;
}) {
  const search = useSearch();
  if (filters.length === 0) return null;
  const clear = (names: readonly string[]) =>
    search.set({
      ...Object.fromEntries(names.map((name) => [name, undefined])),
      ...Object.fromEntries(
        Object.entries(none).filter(([name]) => names.includes(name) || search.get(name) === undefined),
      ),
    });
  return (
    <ul className={classes.pills} aria-label="Filters that hold">
      {filters.map(({ name, label, value }) => (
        <li key={name} className={classes.pill}>
          <span>
            {label}: <b>{value}</b>
          </span>
          <CloseButton size="sm" radius="xl" aria-label={`Remove ${label}`} onClick={() => clear([name])} />
        </li>
      ))}
      <li>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => clear(['q', ...filters.map(({ name }) => name)])}
        >
          Clear all
        </Button>
      </li>
    </ul>
  );
}
