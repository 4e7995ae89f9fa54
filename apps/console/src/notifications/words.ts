import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';

export type Notification = Api['NotificationDto'];
export type Kind = Notification['kind'];

/** As the service counts: 100 are 100 or more. */
const UNREAD_MAX = 100;

export const unreadText = (unread: number): string => (unread < UNREAD_MAX ? String(unread) : '99+');

/** The sentence before and after the findings. */
const SENTENCES: Record<Kind, (by: string) => [before: string, after: string]> = {
  mentioned: (by) => [t`${by} mentioned you in a comment on`, ''],
  assigned: (by) => [t`${by} assigned to you or a team that you follow:`, ''],
  commented: (by) => [t`${by} commented on`, ''],
  overdue: () => [t`Overdue:`, ''],
  dueSoon: () => [t`Due within 7 days:`, ''],
  acceptanceEnding: () => [t`The acceptance of`, t`ends within 7 days`],
};

export const sentenceOf = ({ kind, by }: Pick<Notification, 'kind' | 'by'>) =>
  SENTENCES[kind](by ?? t`A user`);

/** What can be switched on and off. */
export const KIND_WORDS: Record<Kind, string> = {
  mentioned: 'Somebody mentions me in a comment',
  assigned: 'Findings are assigned to me or to a team that I follow',
  commented: 'Somebody comments on a finding that I am responsible for',
  overdue: 'Such findings are overdue',
  dueSoon: 'Such findings are due within 7 days',
  acceptanceEnding: 'The acceptance of such a finding, or one of mine, ends within 7 days',
};

export const CHANNEL_WORDS = { email: 'E-mail', slack: 'Slack', teams: 'Microsoft Teams' } as const;

export const SCHEDULE_WORDS = {
  immediate: 'At once',
  daily: 'Once a day',
  weekly: 'Once a week',
} as const;
