import { type ReactNode, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useViews } from './use-views.ts';
import { addressOfView, type ViewedList } from './view-address.ts';

/**
 * A list to which a link without a filter led opens with the default view of the user. It does not open again when the user
 * removes the last filter, or makes a view the default.
 * @param isOpening whether the address has no filter
 * @param children the list if the address has a filter, the user has no default, or the views are not available
 */
export function OpeningView({
  list,
  isOpening,
  children,
}: {
  list: ViewedList;
  isOpening: boolean;
  children: ReactNode;
}) {
  const search = useSearch();
  const views = useViews(list);
  const { key, state } = useLocation();
  const [opened, setOpened] = useState<string | null>(null);
  // A cursor is a place in the list that it comes from.
  const isLaterPage = search.get('cursor') !== undefined;
  if (!isOpening || isLaterPage || key === opened || state?.isChange) return children;
  if (views.isPending) return <TableSkeleton />;
  const view = views.data?.items.find((one) => one.default);
  if (!view) {
    setOpened(key);
    return children;
  }
  const given = new URLSearchParams(search.all());
  const added = [...addressOfView(view)].filter(([name]) => !given.has(name));
  return <Navigate replace to={{ search: `?${new URLSearchParams([...given, ...added])}` }} />;
}
