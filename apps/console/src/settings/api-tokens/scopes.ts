import type { Api } from '../../api/client.ts';

export type Scope = Api['AddApiTokenDto']['scopes'][number];

const PURPOSES: Record<Scope, string> = {
  'signals:write': 'send signals, ZIPs and reports',
  'uploads:read': 'uploads and their outcome',
  'assets:read': 'assets',
  'findings:read': 'findings',
  'findings:accept': 'accept and revert findings',
  'findings:triage': 'assign, tag and comment findings, due dates, tickets',
  'scores:read': 'scores',
  'changes:read': 'change stream',
  'integrations:read': 'integrations',
  'integrations:write': 'change and sync integrations',
  'webhooks:read': 'webhooks',
  'webhooks:write': 'change webhooks',
  'settings:read': 'settings',
  'settings:write': 'change settings',
  'audit:read': 'audit trail',
  'security-events:read': 'sign-ins',
  'credentials:read': 'credentials and API tokens',
  'credentials:write': 'create, rotate and end them',
  'users:read': 'identity providers and their users',
  'users:write': 'change providers, disable and delete users, and provision them (SCIM)',
  'erasures:read': 'erasures',
  'erasures:write': 'erase the personal texts of a person',
};

/** As options of a select field. */
export const SCOPES = Object.entries(PURPOSES).map(([scope, purpose]) => ({
  value: scope,
  label: `${scope} – ${purpose}`,
}));
