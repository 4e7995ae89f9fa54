import type { Scope } from '../../session/scope.ts';

/** By how an action begins; the first that matches. */
const SECTIONS: readonly [start: string, id: string, scope: Scope | null][] = [
  ['log.', 'policies', 'settings:read'],
  ['settings.', 'policies', 'settings:read'],
  ['department.', 'departments', 'settings:read'],
  ['location.', 'locations', 'settings:read'],
  ['customField.', 'custom-fields', 'settings:read'],
  ['osMapping.', 'os-mapping', 'settings:read'],
  ['ownerRules.', 'owner-rules', 'settings:read'],
  ['credential.token', 'api-tokens', 'credentials:read'],
  ['credential.role', 'roles', null],
  ['credential.user', 'users', 'users:read'],
  ['credential.identityProvider', 'identity-providers', 'users:read'],
  ['credential.', 'credentials', 'credentials:read'],
  ['webhook.reportSchedule', 'reports', 'webhooks:read'],
  ['webhook.notificationSettings', 'notifications', 'webhooks:read'],
  ['webhook.', 'webhooks', 'webhooks:read'],
];

/** The section of the settings that lists the target of an action, and the scope that reading it requires. */
export function sectionOf(action: string): { id: string; scope: Scope | null } | null {
  const [, id, scope = null] = SECTIONS.find(([start]) => action.startsWith(start)) ?? [];
  return id === undefined ? null : { id, scope };
}
