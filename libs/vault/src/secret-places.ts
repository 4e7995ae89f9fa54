import type { SecretPlace } from './vault.ts';

/** The places of everything that the vault seals (R-KEY-2). They never change: what is stored opens only there. */

/** The data key of a subject. @param subject as UUID */
export const subjectKeyPlace = (subject: string): SecretPlace => ({
  integration: subject,
  field: 'subject key',
});

/** @param field of its configuration, such as `clientSecret` */
export const integrationSecretPlace = (integration: string, field: string): SecretPlace => ({
  integration,
  field,
});

/** The current and the previous secret of a webhook. */
export const webhookSecretPlace = (webhookId: string): SecretPlace => ({
  integration: webhookId,
  field: 'secret',
});

/** What a report schedule sends, and to whom. */
export const reportSchedulePlace = (scheduleId: string): SecretPlace => ({
  integration: scheduleId,
  field: 'reportSchedule',
});

/** Where notifications of a person are sent. */
export const notificationAddressPlace = (personId: string): SecretPlace => ({
  integration: personId,
  field: 'notificationAddress',
});

/** The mail server of notifications. */
export const notificationSettingsPlace = (): SecretPlace => ({
  integration: 'notifications',
  field: 'settings',
});

/** The secret of the second factor of a credential. */
export const secondFactorPlace = (credentialId: string): SecretPlace => ({
  integration: credentialId,
  field: 'secondFactor',
});

/** The client secret of an identity provider. @param id as it is part of addresses */
export const identityProviderPlace = (id: string): SecretPlace => ({
  integration: id,
  field: 'identityProvider',
});

/** Cursors of the audit trail for limited callers, which are not stored. */
export const auditCursorPlace = (): SecretPlace => ({ integration: 'audit', field: 'cursor' });

/** The same of the changes of an upload. */
export const uploadChangesCursorPlace = (): SecretPlace => ({
  integration: 'uploadChanges',
  field: 'cursor',
});
