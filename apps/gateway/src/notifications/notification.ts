import type { RowLimits } from '#libs/tables';

/** About findings; of several that apply to an act, the first. */
const FINDING_KINDS = [
  'mentioned',
  'assigned',
  'commented',
  'overdue',
  'dueSoon',
  'acceptanceEnding',
] as const;
type FindingKind = (typeof FINDING_KINDS)[number];
/** Of the daily look. */
export type DueKind = Extract<FindingKind, 'overdue' | 'dueSoon' | 'acceptanceEnding'>;

/** About an integration, a webhook or a report schedule, for those who can mend it. */
const SUBJECT_KINDS = [
  'syncFailed',
  'syncRecovered',
  'webhookStopped',
  'reportFailed',
  'scheduleStopped',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What notifies a person. */
export const KINDS = [...FINDING_KINDS, ...SUBJECT_KINDS] as const;
export type NotificationKind = FindingKind | SubjectKind;

/** What a notification is about that is not about findings. */
export const SUBJECT_TYPES = ['integration', 'webhook', 'reportSchedule'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export const typeOfSubject = (kind: SubjectKind): SubjectType => {
  if (kind === 'webhookStopped') return 'webhook';
  return kind === 'syncFailed' || kind === 'syncRecovered' ? 'integration' : 'reportSchedule';
};

export const isSubjectKind = (kind: NotificationKind): kind is SubjectKind =>
  (SUBJECT_KINDS as readonly string[]).includes(kind);

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

/** One notification about something else than findings; a second one with the key of a person is dropped. */
export interface NewSubjectNotification {
  key: string;
  kind: SubjectKind;
  /** Epoch ms. */
  at: number;
  subjectId: string;
}

/** A notification as stored; times are epoch ms. */
export interface NotificationRow extends Omit<NewNotification, 'personId' | 'key'> {
  id: string;
  /** Null: it is about findings. */
  subjectId: string | null;
  readAt: number | null;
}

/** A finding of a notification, as it is now. */
export interface NotifiedFinding {
  id: string;
  name: string;
  assetName: string;
}

/** An integration, a webhook or a report schedule of a notification, as it is now. */
export interface NotifiedSubject {
  type: SubjectType;
  id: string;
  name: string;
  /** The present problem of the kind of the notification; null: it is over. */
  reason: string | null;
}
