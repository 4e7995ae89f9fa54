import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useViews } from './use-views.ts';
import { addressOfView, type ViewedList } from './view-address.ts';

/**
 * A list whose address has no filter opens with the default view of the user.
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
  if (!isOpening) return children;
  if (views.isPending) return <TableSkeleton />;
  const view = views.data?.items.find((one) => one.default);
  if (!view) return children;
  const given = new URLSearchParams(search.all());
  const added = [...addressOfView(view)].filter(([name]) => !given.has(name));
  return <Navigate replace to={{ search: `?${new URLSearchParams([...given, ...added])}` }} />;
}
