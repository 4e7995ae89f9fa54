/** Groupings of assets. Keys are parameters of the service and of the address. */
export const GROUPINGS = {
  department: { label: 'Department', many: 'Departments', path: '/api/v3/scores/departments' },
  location: { label: 'Location', many: 'Locations', path: '/api/v3/scores/locations' },
  attackSurface: { label: 'Surface', many: 'Attack surfaces', path: '/api/v3/scores/attack-surfaces' },
  type: { label: 'Asset type', many: 'Asset types', path: '/api/v3/scores/asset-types' },
} as const;

export type Grouping = keyof typeof GROUPINGS;

export const isGrouping = (value: string | undefined): value is Grouping =>
  value !== undefined && Object.hasOwn(GROUPINGS, value);

/** Whose risk is shown; null: the organization. */
export type Subject = Group | null;

export interface Group {
  kind: Grouping;
  name: string;
}

/** To spread into a query of any route that takes a group. */
export const groupQuery = (subject: Subject): { [Kind in Grouping]?: string } =>
  subject === null ? {} : { [subject.kind]: subject.name };

/** Names may contain any character, so they are not part of the path. */
export const groupAddress = ({ kind, name }: Group): string =>
  `/groups?${new URLSearchParams({ [kind]: name })}`;
