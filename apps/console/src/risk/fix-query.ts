import type { Subject } from './group.ts';

/** Parameters of the list of findings by grouping; it has none for attack surfaces. */
const PARAMETERS = { department: 'department', location: 'location', type: 'assetType' } as const;

/** Whether the list of findings can be filtered by the subject. */
export const isFilterable = (subject: Subject): boolean => subject?.kind !== 'attackSurface';

/** Filter of the findings with a CVE on the assets of the subject; of an attack surface, on all assets. */
export function cveQuery(cve: string, subject: Subject): URLSearchParams {
  const query = new URLSearchParams({ cve });
  if (subject !== null && subject.kind !== 'attackSurface') query.set(PARAMETERS[subject.kind], subject.name);
  return query;
}
