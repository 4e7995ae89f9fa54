import type { Scope } from '../../session/scope.ts';
import { SECTION_SCOPES } from '../section-scopes.ts';

/** By how an action begins; the first that matches. */
const SECTIONS: readonly [start: string, id: keyof typeof SECTION_SCOPES][] = [
  ['log.', 'policies'],
  ['settings.', 'policies'],
  ['department.', 'departments'],
  ['location.', 'locations'],
  ['customField.', 'custom-fields'],
  ['osMapping.', 'os-mapping'],
  ['ownerRules.', 'owner-rules'],
  ['credential.token', 'api-tokens'],
  ['credential.role', 'roles'],
  ['credential.user', 'users'],
  ['credential.identityProvider', 'identity-providers'],
  ['credential.', 'credentials'],
  ['webhook.reportSchedule', 'reports'],
  ['webhook.notificationSettings', 'notifications'],
  ['webhook.', 'webhooks'],
];

/** The section of the settings that lists the target of an action, and the scope that reading it requires. */
export function sectionOf(action: string): { id: string; scope: Scope | null } | null {
  const [, id] = SECTIONS.find(([start]) => action.startsWith(start)) ?? [];
  return id === undefined ? null : { id, scope: SECTION_SCOPES[id] };
}
