import type { RowLimits } from '#libs/tables';

/** What notifies a person; of several that apply to an act, the first. */
export const KINDS = [
  'mentioned',
  'assigned',
  'commented',
  'overdue',
  'dueSoon',
  'acceptanceEnding',
] as const;
export type NotificationKind = (typeof KINDS)[number];

export const CHANNELS = ['email', 'slack', 'teams'] as const;
export type NotificationChannel = (typeof CHANNELS)[number];

export const SCHEDULES = ['immediate', 'daily', 'weekly'] as const;
export type NotificationSchedule = (typeof SCHEDULES)[number];

/** Notified so long before a due date or the end of an acceptance. */
export const AHEAD_MS = 7 * 86_400_000;
/** Of one notification: ids of its first findings. */
export const FINDINGS_LISTED_MAX = 20;

/** Somebody who can be notified: a credential, or a user of an identity provider. */
export interface Person {
  id: string;
  /** User name, in the clear. */
  name: string;
  canReadFindings: boolean;
  rows: RowLimits;
  kinds: readonly string[];
  teams: readonly string[];
}

/** One notification that is to be stored; equal keys of a person are one notification. */
export interface NewNotification {
  personId: string;
  key: string;
  kind: NotificationKind;
  /** Epoch ms. */
  at: number;
  /** Who acted, as it is stored; null: the service. */
  by: string | null;
  /** Number of findings. */
  findings: number;
  /** The first ones, up to `FINDINGS_LISTED_MAX`. */
  findingIds: string[];
}

/** A notification as stored; times are epoch ms. */
export interface NotificationRow extends Omit<NewNotification, 'personId' | 'key'> {
  id: string;
  readAt: number | null;
}

/** A finding of a notification, as it is now. */
export interface NotifiedFinding {
  id: string;
  name: string;
  assetName: string;
}
