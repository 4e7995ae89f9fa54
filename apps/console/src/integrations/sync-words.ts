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
  catchUp: 'Caught up',
};

const IGNORED_WORDS: Record<string, string> = {
  noHost: 'of no host (identities, clouds)',
  otherTags: 'of hosts with other tags',
  goneHost: 'of hosts that the platform no longer has',
  nameless: 'of hosts without name and id',
  unmatched: 'of no asset here',
  otherAttackSurface: 'of assets of other attack surfaces',
  sameAsset: 'of an asset that was described already',
  repeated: 'sent more than once',
};

export const isUnfinished = ({ stage }: Pick<Sync, 'stage'>): boolean =>
  stage === 'QUEUED' || stage === 'TRANSFORMING';

const SETTLES_MS = 15_000;

/** It moves still: what became of what it brought follows its end by the time of the fold. */
export const isMoving = (sync: Pick<Sync, 'stage' | 'finishedAt'>): boolean =>
  isUnfinished(sync) || (sync.finishedAt !== null && Date.now() - Date.parse(sync.finishedAt) < SETTLES_MS);

/** What a sync has counted so far. */
export interface Counts {
  pages: number;
  records: number;
  signals: number;
  failed: number;
  /** Records that were left out, by reason, in words. */
  ignored: [why: string, count: number][];
  notices: string[];
}

/** The interface lets counts be anything: what is no number counts as none. */
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
  overBudget: 'Over its budget',
  interrupted: 'Interrupted',
};

/** Its stage, or why it was cut off. */
export const stageOf = ({ stage, endReason }: Sync): string =>
  endReason === null ? STAGE_NAMES[stage] : END_NAMES[endReason];

/** What asked for it, and which repetition it is. */
export const actionOf = ({ action, retry }: Sync): string =>
  retry === 0 ? ACTION_NAMES[action] : `${ACTION_NAMES[action]}, repetition ${retry}`;

/** How long it has taken, or takes so far; a dash where it has not begun. */
export function durationOf({ startedAt, finishedAt }: Pick<Sync, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === null) return '–';
  const seconds = (Date.parse(finishedAt ?? new Date().toISOString()) - Date.parse(startedAt)) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A message of the service as a sentence of its own. */
export const asSentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
};
