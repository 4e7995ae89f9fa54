import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';

export type Scope = Api['AddApiTokenDto']['scopes'][number];

const PURPOSES: Record<Scope, MessageDescriptor> = {
  'signals:write': msg`send signals, ZIPs and reports`,
  'uploads:read': msg`uploads and their outcome`,
  'assets:read': msg`assets`,
  'findings:read': msg`findings`,
  'findings:accept': msg`accept and revert findings`,
  'findings:triage': msg`assign, tag and comment findings, due dates, tickets`,
  'scores:read': msg`scores`,
  'changes:read': msg`change stream`,
  'integrations:read': msg`integrations`,
  'integrations:write': msg`change and sync integrations`,
  'webhooks:read': msg`webhooks`,
  'webhooks:write': msg`change webhooks`,
  'settings:read': msg`settings`,
  'settings:write': msg`change settings`,
  'audit:read': msg`audit trail`,
  'security-events:read': msg`sign-ins`,
  'credentials:read': msg`credentials and API tokens`,
  'credentials:write': msg`create, rotate and end them`,
  'users:read': msg`identity providers and their users`,
  'users:write': msg`change providers, disable and delete users, and provision them (SCIM)`,
  'erasures:read': msg`erasures`,
  'erasures:write': msg`erase the personal texts of a person`,
};

export const SCOPES = Object.keys(PURPOSES) as Scope[];

/** As options of a select field. */
export const scopeOptions = () =>
  SCOPES.map((scope) => ({ value: scope, label: `${scope} – ${i18n._(PURPOSES[scope])}` }));
