import type { Schemas } from '#client';

export type Scope = Schemas['AddApiTokenDto']['scopes'][number];

/** The compiler requires all of them. */
const ALL: Record<Scope, true> = {
  'signals:write': true,
  'uploads:read': true,
  'assets:read': true,
  'findings:read': true,
  'findings:accept': true,
  'findings:triage': true,
  'scores:read': true,
  'changes:read': true,
  'integrations:read': true,
  'integrations:write': true,
  'webhooks:read': true,
  'webhooks:write': true,
  'settings:read': true,
  'settings:write': true,
  'audit:read': true,
  'security-events:read': true,
  'credentials:read': true,
  'credentials:write': true,
  'users:read': true,
  'users:write': true,
  'erasures:read': true,
  'erasures:write': true,
};

export const SCOPES: readonly string[] = Object.keys(ALL);
