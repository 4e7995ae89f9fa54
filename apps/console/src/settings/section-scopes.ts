import type { Scope } from '../session/scope.ts';

/** Section of the settings → the scope that reading it requires; null: none. */
export const SECTION_SCOPES = {
  policies: 'settings:read',
  sla: 'settings:read',
  loss: 'settings:read',
  departments: 'settings:read',
  locations: 'settings:read',
  'custom-fields': 'settings:read',
  'os-mapping': 'settings:read',
  'owner-rules': 'settings:read',
  sessions: null,
  'second-factor': null,
  credentials: 'credentials:read',
  users: 'users:read',
  'identity-providers': 'users:read',
  'api-tokens': 'credentials:read',
  webhooks: 'webhooks:read',
  reports: 'webhooks:read',
  notifications: 'webhooks:read',
  roles: null,
  erasures: 'erasures:read',
  audit: 'audit:read',
} as const satisfies Record<string, Scope | null>;
