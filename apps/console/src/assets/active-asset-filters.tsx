import { t } from '@lingui/core/macro';
import { ActiveFilters } from '../parts/filters/active-filters.tsx';
import { CUSTOM_FIELD } from '../parts/query/query-text.ts';
import { levelWord } from '../parts/severity.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useViews } from '../views/use-views.ts';
import { filterLabels, TEXT_FILTERS, VALUE_FILTERS, WHOLE_LIST } from './asset-filter.ts';
import { daysText, scoredNames } from './asset-filters.tsx';

export function ActiveAssetFilters() {
  const search = useSearch();
  const scored = search.get('scored');
  const notSeenDays = search.get('notSeenDays');
  const labels = filterLabels();
  const filters = [
    ...VALUE_FILTERS.map((name) => ({
      name,
      label: labels[name],
      value: shownValue(name, search.get(name)),
    })),
    { name: 'scored', label: t`Score`, value: scored && (scoredNames()[scored] ?? scored) },
    { name: 'notSeenDays', label: t`Not seen for`, value: notSeenDays && daysText(notSeenDays) },
    ...search
      .all()
      .filter(([name]) => name.startsWith(CUSTOM_FIELD))
      .map(([name, value]) => ({ name, label: name.slice(CUSTOM_FIELD.length), value })),
    ...TEXT_FILTERS.map((name) => ({ name, label: labels[name], value: search.get(name) })),
  ];
  const hasDefault = useViews('assets').data?.items.some((view) => view.default) ?? false;
  return (
    <ActiveFilters filters={filters.filter(({ value }) => value)} unfiltered={hasDefault ? WHOLE_LIST : {}} />
  );
}

const shownValue = (name: string, value: string | undefined): string | undefined =>
  name === 'criticality' && value !== undefined ? levelWord(value) : value;
