import { useSearch } from '../parts/use-search.ts';
import { GROUPINGS, type Group, type Grouping } from '../risk/group.ts';
import { GroupPage } from './group-page.tsx';
import { GroupsList } from './groups-list.tsx';

/** One group if the address names one (`?department=Finance`), otherwise the list of all groups of a kind. */
export function Component() {
  const search = useSearch();
  const [group] = (Object.keys(GROUPINGS) as Grouping[]).flatMap((kind): Group[] => {
    const name = search.get(kind);
    return name === undefined ? [] : [{ kind, name }];
  });
  if (group === undefined) return <GroupsList />;
  return <GroupPage key={`${group.kind} ${group.name}`} group={group} />;
}
