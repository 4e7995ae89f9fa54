import { i18n } from '@lingui/core';
import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import { useSearch } from '../parts/use-search.ts';
import { GROUPINGS, type Grouping, isGrouping } from './group.ts';

const BY_DEFAULT: Grouping = 'department';

/** The kind of group in the address of the page: `by`. */
export function useGrouping(): Grouping {
  const asked = useSearch().get('by');
  return isGrouping(asked) ? asked : BY_DEFAULT;
}

/** Chooses the kind of group. */
export function GroupingControl(props: Pick<SegmentedControlProps, 'aria-label' | 'style'>) {
  const search = useSearch();
  return (
    <SegmentedControl
      {...props}
      size="xs"
      value={useGrouping()}
      onChange={(by) => search.set({ by: by === BY_DEFAULT ? undefined : by })}
      data={Object.entries(GROUPINGS).map(([value, { label }]) => ({ value, label: i18n._(label) }))}
    />
  );
}
