import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearch } from '../use-search.ts';
import classes from './filters.module.css';

export interface ActiveFilter {
  name: string;
  label: string;
  value: ReactNode;
}

/** The active filters, with buttons to remove them. */
export function ActiveFilters({
  filters,
  unfiltered = {},
}: {
  filters: readonly ActiveFilter[];
  /** Address values that mean no filter, for names whose absence is a default filter. */
  unfiltered?: Record<string, string>;
}) {
  const search = useSearch();
  if (filters.length === 0) return null;
  const clear = (names: readonly string[]) =>
    search.set({
      ...Object.fromEntries(names.map((name) => [name, undefined])),
      ...Object.fromEntries(
        Object.entries(unfiltered).filter(([name]) => names.includes(name) || search.get(name) === undefined),
      ),
    });
  return (
    <ul className={classes.pills} aria-label={t`Active filters`}>
      {filters.map(({ name, label, value }) => (
        <li key={name} className={classes.pill}>
          <span>
            {label}: <b dir="auto">{value}</b>
          </span>
          <CloseButton size="sm" radius="xl" aria-label={t`Remove ${label}`} onClick={() => clear([name])} />
        </li>
      ))}
      <li>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => clear(['q', ...filters.map(({ name }) => name)])}
        >
          <Trans>Clear all</Trans>
        </Button>
      </li>
    </ul>
  );
}
