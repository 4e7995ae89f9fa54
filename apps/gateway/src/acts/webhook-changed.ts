import { ORGANIZATION_KEY, type WebhookChanged } from '#libs/domain';
import type { UserAct } from './acts.service.ts';

/**
 * An act on a receiver outside the log: a webhook, a report schedule or the settings of notifications. The name of the
 * event dates from when only webhooks were receivers. Undefined details are left out.
 */
export const webhookChanged = (act: WebhookChanged['act'], webhookId: string, details: object): UserAct => ({
  entityKey: ORGANIZATION_KEY,
  payload: {
    type: 'WebhookChanged',
    act,
    webhookId,
    details: Object.fromEntries(
      Object.entries(details).flatMap(([field, value]) =>
        value === undefined ? [] : [[field, JSON.stringify(value)]],
      ),
    ),
  },
});
