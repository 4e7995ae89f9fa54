import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, NativeSelect, Text } from '@mantine/core';
import { useId } from 'react';
import { useSearch } from '../parts/use-search.ts';
import { groupingLabels } from './finding-filter.ts';

/** Chooses whether the page shows findings or groups of them. */
export function GroupBy() {
  const search = useSearch();
  const id = useId();
  return (
    <Group gap="xs">
      <Text component="label" htmlFor={id} size="sm">
        <Trans>Group by</Trans>
      </Text>
      <NativeSelect
        id={id}
        size="xs"
        value={search.get('by') ?? ''}
        onChange={({ currentTarget: { value } }) => search.set({ by: value })}
        data={[
          { value: '', label: t({ message: 'None', context: 'no grouping' }) },
          ...Object.entries(groupingLabels()).map(([value, label]) => ({ value, label })),
        ]}
      />
    </Group>
  );
}
