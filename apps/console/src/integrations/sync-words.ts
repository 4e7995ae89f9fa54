import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { fixed } from '../language/format.ts';

export type Sync = Api['SyncDto'];

const STAGES: Record<Sync['stage'], MessageDescriptor> = {
  QUEUED: msg`Queued`,
  TRANSFORMING: msg`Pulling`,
  COMPLETED: msg`Completed`,
  ERROR: msg`Error`,
};

const ACTIONS: Record<Sync['action'], MessageDescriptor> = {
  manual: msg`Sync now`,
  scheduled: msg({ message: 'Scheduled', context: 'why a sync runs' }),
  catchUp: msg({ message: 'Catch-up', context: 'why a sync runs' }),
};

export const stageName = (stage: Sync['stage']): string => i18n._(STAGES[stage]);

export const actionName = (action: Sync['action']): string => i18n._(ACTIONS[action]);

/** How many records were skipped, and why. */
const IGNORED: Record<string, (count: number) => string> = {
  noHost: (count) =>
    plural(count, {
      one: '# record without a host (identities, clouds)',
      other: '# records without a host (identities, clouds)',
    }),
  otherTags: (count) =>
    plural(count, { one: '# record of hosts with other tags', other: '# records of hosts with other tags' }),
  goneHost: (count) =>
    plural(count, {
      one: '# record of hosts that no longer exist on the platform',
      other: '# records of hosts that no longer exist on the platform',
    }),
  nameless: (count) =>
    plural(count, {
      one: '# record of hosts without name and ID',
      other: '# records of hosts without name and ID',
    }),
  unmatched: (count) =>
    plural(count, { one: '# record without a matching asset', other: '# records without a matching asset' }),
  unmapped: (count) => plural(count, { one: '# record without a CVE', other: '# records without a CVE' }),
  otherAttackSurface: (count) =>
    plural(count, {
      one: '# record of assets with other attack surfaces',
      other: '# records of assets with other attack surfaces',
    }),
  sameAsset: (count) =>
    plural(count, {
      one: '# record of assets with data from an earlier record',
      other: '# records of assets with data from an earlier record',
    }),
  repeated: (count) =>
    plural(count, { one: '# record sent more than once', other: '# records sent more than once' }),
  deleted: (count) =>
    plural(count, {
      one: '# record of assets that the platform has deleted',
      other: '# records of assets that the platform has deleted',
    }),
};

export const ignoredText = (reason: string, count: number): string =>
  IGNORED[reason]?.(count) ?? plural(count, { one: `# record: ${reason}`, other: `# records: ${reason}` });

export const isUnfinished = ({ stage }: Pick<Sync, 'stage'>): boolean =>
  stage === 'QUEUED' || stage === 'TRANSFORMING';

const SETTLES_MS = 15_000;

/** Whether the counts can still change: outcomes arrive some seconds after the sync ends. */
export const isChanging = (sync: Pick<Sync, 'stage' | 'finishedAt'>): boolean =>
  isUnfinished(sync) || (sync.finishedAt !== null && Date.now() - Date.parse(sync.finishedAt) < SETTLES_MS);

/** Counts of a sync so far. */
export interface Counts {
  pages: number;
  records: number;
  signals: number;
  failed: number;
  /** Skipped records by reason. */
  ignored: [reason: string, count: number][];
  notices: string[];
}

/** The API does not define the type of counts. A value that is not a number counts as 0. */
export function countsOf({ counts }: Pick<Sync, 'counts'>): Counts {
  const count = (name: string) => (typeof counts[name] === 'number' ? counts[name] : 0);
  const ignored = Object.entries((counts.ignored ?? {}) as Record<string, number>);
  return {
    pages: count('pages'),
    records: count('records'),
    signals: count('signals'),
    failed: count('failed'),
    ignored,
    notices: Array.isArray(counts.notices) ? counts.notices.map(String) : [],
  };
}

const ENDS: Record<NonNullable<Sync['endReason']>, MessageDescriptor> = {
  cancelled: msg({ message: 'Cancelled', context: 'how a sync ended' }),
  overBudget: msg`Limit exceeded`,
  interrupted: msg({ message: 'Interrupted', context: 'how a sync ended' }),
};

/** The stage, or the reason for an early end. */
export const stageOf = ({ stage, endReason }: Sync): string =>
  endReason === null ? stageName(stage) : i18n._(ENDS[endReason]);

/** The trigger, and the number of the retry. */
export function actionOf({ action, retry }: Sync): string {
  const name = actionName(action);
  return retry === 0 ? name : t`${name}, retry ${retry}`;
}

/** Duration so far; a dash before the start. */
export function durationOf({ startedAt, finishedAt }: Pick<Sync, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === null) return '–';
  const total = (Date.parse(finishedAt ?? new Date().toISOString()) - Date.parse(startedAt)) / 1000;
  if (total < 60) {
    const precise = fixed(total);
    return t`${precise} s`;
  }
  const all = Math.floor(total / 60);
  const [hours, minutes, seconds] = [Math.floor(all / 60), all % 60, Math.floor(total % 60)];
  return hours === 0 ? t`${minutes} min ${seconds} s` : t`${hours} h ${minutes} min`;
}

/** A message of the service as a sentence. */
export const asSentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
};
