import { expect, it } from '@jest/globals';
import { sectionOf } from '../../apps/console/src/settings/audit/target-section.ts';

it.each([
  ['log.opened', 'policies', 'settings:read'],
  ['location.removed', 'locations', 'settings:read'],
  ['credential.created', 'credentials', 'credentials:read'],
  ['credential.secondFactorEnabled', 'credentials', 'credentials:read'],
  ['credential.breakGlassSet', 'credentials', 'credentials:read'],
  ['credential.tokenCreated', 'api-tokens', 'credentials:read'],
  ['credential.tokenRevoked', 'api-tokens', 'credentials:read'],
  ['credential.roleDeleted', 'roles', null],
  ['credential.userProvisioned', 'users', 'users:read'],
  ['credential.identityProviderChanged', 'identity-providers', 'users:read'],
  ['webhook.rotated', 'webhooks', 'webhooks:read'],
  ['webhook.reportScheduleSent', 'reports', 'webhooks:read'],
  ['webhook.notificationSettingsChanged', 'notifications', 'webhooks:read'],
] as const)('%s leads to the section %s', (action, id, scope) => {
  expect(sectionOf(action)).toEqual({ id, scope });
});

it('what is not in the settings has no section', () => {
  expect(['finding.accepted', 'plan.added', 'catalogue.imported'].map(sectionOf)).toEqual([null, null, null]);
});
