import { t } from '@lingui/core/macro';
import { ActiveFilters } from '../parts/filters/active-filters.tsx';
import { CUSTOM_FIELD } from '../parts/query/query-terms.ts';
import { useSearch } from '../parts/use-search.ts';
import { useViews } from '../views/use-views.ts';
import { TEXT_FILTERS, VALUE_FILTERS, WHOLE_LIST } from './asset-filter.ts';
import { daysText, SCORED_NAMES } from './asset-filters.tsx';

export function ActiveAssetFilters() {
  const search = useSearch();
  const scored = search.get('scored');
  const notSeenDays = search.get('notSeenDays');
  const filters = [
    ...VALUE_FILTERS.map(({ name, label }) => ({ name, label, value: search.get(name) })),
    { name: 'scored', label: t`Score`, value: scored && (SCORED_NAMES[scored] ?? scored) },
    { name: 'notSeenDays', label: t`Not seen for`, value: notSeenDays && daysText(notSeenDays) },
    ...search
      .all()
      .filter(([name]) => name.startsWith(CUSTOM_FIELD))
      .map(([name, value]) => ({ name, label: name.slice(CUSTOM_FIELD.length), value })),
    ...TEXT_FILTERS.map(({ name, label }) => ({ name, label, value: search.get(name) })),
  ];
  const hasDefault = useViews('assets').data?.items.some((view) => view.default) ?? false;
  return (
    <ActiveFilters filters={filters.filter(({ value }) => value)} unfiltered={hasDefault ? WHOLE_LIST : {}} />
  );
}
