import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';

type Count = Api['UploadChangeCountDto'];

/** A part of the changes of an upload: which counts belong to it, and the filter of the list. */
interface ChangeGroup {
  label: MessageDescriptor;
  query: { kind?: Count['kind']; change?: Count['change'][]; to?: NonNullable<Count['to']>[] };
}

const MOVED: Count['change'][] = ['stateChanged', 'returned'];

/** In the order of the page. */
const GROUPS = {
  all: { label: msg`All`, query: {} },
  retired: { label: msg`Retired`, query: { kind: 'finding', change: ['retired'] } },
  created: { label: msg`Created`, query: { kind: 'finding', change: ['created'] } },
  failed: { label: msg`Failed again`, query: { kind: 'finding', change: MOVED, to: ['Failed'] } },
  qualified: { label: msg`Qualified`, query: { kind: 'finding', change: MOVED, to: ['Qualified'] } },
  notAssessed: { label: msg`Not assessed`, query: { kind: 'finding', change: MOVED, to: ['NotAssessed'] } },
  updated: {
    label: msg({ message: 'Changed', context: 'what happened to a finding' }),
    query: { kind: 'finding', change: ['updated'] },
  },
  assetsCreated: { label: msg`Assets created`, query: { kind: 'asset', change: ['created', 'returned'] } },
  assetsUpdated: { label: msg`Assets changed`, query: { kind: 'asset', change: ['updated'] } },
} as const satisfies Record<string, ChangeGroup>;

export type GroupId = keyof typeof GROUPS;

export const groupOf = (id: string | undefined): GroupId =>
  id !== undefined && Object.hasOwn(GROUPS, id) ? (id as GroupId) : 'all';

export const queryOf = (id: GroupId): ChangeGroup['query'] => GROUPS[id].query;

/** The groups with changes, and how many. */
export function countedGroups(counts: readonly Count[]): { value: GroupId; label: string; count: number }[] {
  return (Object.entries(GROUPS) as [GroupId, ChangeGroup][])
    .map(([value, { label, query }]) => ({ value, label: i18n._(label), count: sumOf(counts, query) }))
    .filter(({ value, count }) => value === 'all' || count > 0);
}

const sumOf = (counts: readonly Count[], { kind, change, to }: ChangeGroup['query']): number =>
  counts
    .filter(
      (one) =>
        (kind ?? one.kind) === one.kind &&
        (change === undefined || change.includes(one.change)) &&
        (to === undefined || (one.to !== null && to.includes(one.to))),
    )
    .reduce((sum, { count }) => sum + count, 0);
