import { msg } from '@lingui/core/macro';

/** Groupings of assets. Keys are parameters of the service and of the address. */
export const GROUPINGS = {
  department: {
    label: msg`Department`,
    many: msg`Departments`,
    all: msg`All departments`,
    none: msg`No assets in this department`,
    noneThen: msg`No assets in this department at this time`,
    path: '/api/v3/scores/departments',
  },
  location: {
    label: msg`Location`,
    many: msg`Locations`,
    all: msg`All locations`,
    none: msg`No assets in this location`,
    noneThen: msg`No assets in this location at this time`,
    path: '/api/v3/scores/locations',
  },
  attackSurface: {
    label: msg`Surface`,
    many: msg`Attack surfaces`,
    all: msg`All attack surfaces`,
    none: msg`No assets in this surface`,
    noneThen: msg`No assets in this surface at this time`,
    path: '/api/v3/scores/attack-surfaces',
  },
  type: {
    label: msg`Asset type`,
    many: msg`Asset types`,
    all: msg`All asset types`,
    none: msg`No assets in this asset type`,
    noneThen: msg`No assets in this asset type at this time`,
    path: '/api/v3/scores/asset-types',
  },
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
