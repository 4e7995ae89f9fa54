import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import type { Scope } from '../session/scope.ts';

export type Notification = Api['NotificationDto'];
export type Kind = Notification['kind'];

/** As the service counts: 100 are 100 or more. */
const UNREAD_MAX = 100;

export const unreadText = (unread: number): string => (unread < UNREAD_MAX ? String(unread) : '99+');

/** What can be switched on and off. */
export const kindWords = (): Record<Kind, string> => ({
  mentioned: t`Somebody mentions me in a comment`,
  assigned: t`Findings are assigned to me or to a team that I follow`,
  commented: t`Somebody comments on a finding that I am responsible for`,
  overdue: t`Such findings are overdue`,
  dueSoon: t`Such findings are due within 7 days`,
  acceptanceEnding: t`The acceptance of such a finding, or one of mine, ends within 7 days`,
  syncFailed: t`Syncs of an integration begin to fail`,
  syncRecovered: t`Syncs that failed work again`,
  webhookStopped: t`The service stops a webhook`,
  reportFailed: t`A scheduled report was not made or not sent`,
  scheduleStopped: t`The service stops a report schedule`,
});

/** Of kinds that only some people can have. */
export const KIND_SCOPES: Partial<Record<Kind, Scope>> = {
  syncFailed: 'integrations:write',
  syncRecovered: 'integrations:write',
  webhookStopped: 'webhooks:write',
  reportFailed: 'webhooks:write',
  scheduleStopped: 'webhooks:write',
};

export const channelNames = () => ({ email: t`E-mail`, slack: 'Slack', teams: 'Microsoft Teams' });

export const scheduleWords = () => ({
  immediate: t`At once`,
  daily: t`Once a day`,
  weekly: t`Once a week`,
});
