import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';

export type Sync = Api['SyncDto'];

export const STAGE_NAMES: Record<Sync['stage'], string> = {
  QUEUED: 'Queued',
  TRANSFORMING: 'Pulling',
  COMPLETED: 'Completed',
  ERROR: 'Error',
};

export const ACTION_NAMES: Record<Sync['action'], string> = {
  manual: 'Sync now',
  scheduled: 'Scheduled',
  catchUp: 'Catch-up',
};

const IGNORED_WORDS: Record<string, string> = {
  noHost: 'without a host (identities, clouds)',
  otherTags: 'of hosts with other tags',
  goneHost: 'of hosts that no longer exist on the platform',
  nameless: 'of hosts without name and ID',
  unmatched: 'without a matching asset',
  otherAttackSurface: 'of assets with other attack surfaces',
  sameAsset: 'of assets with data from an earlier record',
  repeated: 'sent more than once',
  deleted: 'of assets that the platform has deleted',
};

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
  ignored: [why: string, count: number][];
  notices: string[];
}

/** The API does not define the type of counts. A value that is not a number counts as 0. */
export function countsOf({ counts }: Pick<Sync, 'counts'>): Counts {
  const number = (name: string) => (typeof counts[name] === 'number' ? counts[name] : 0);
  const ignored = Object.entries((counts.ignored ?? {}) as Record<string, number>);
  return {
    pages: number('pages'),
    records: number('records'),
    signals: number('signals'),
    failed: number('failed'),
    ignored: ignored.map(([reason, count]) => [IGNORED_WORDS[reason] ?? reason, count]),
    notices: Array.isArray(counts.notices) ? counts.notices.map(String) : [],
  };
}

const END_NAMES: Record<NonNullable<Sync['endReason']>, string> = {
  cancelled: 'Cancelled',
  overBudget: 'Limit exceeded',
  interrupted: 'Interrupted',
};

/** The stage, or the reason for an early end. */
export const stageOf = ({ stage, endReason }: Sync): string =>
  endReason === null ? STAGE_NAMES[stage] : END_NAMES[endReason];

/** The trigger, and the number of the retry. */
export const actionOf = ({ action, retry }: Sync): string =>
  retry === 0 ? ACTION_NAMES[action] : t`${ACTION_NAMES[action]}, retry ${retry}`;

/** Duration so far; a dash before the start. */
export function durationOf({ startedAt, finishedAt }: Pick<Sync, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === null) return '–';
  const seconds = (Date.parse(finishedAt ?? new Date().toISOString()) - Date.parse(startedAt)) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? t`${minutes} min ${Math.floor(seconds % 60)} s`
    : t`${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A message of the service as a sentence. */
export const asSentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
};
