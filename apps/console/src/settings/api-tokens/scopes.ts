import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Scope } from '../../session/scope.ts';

/** What each scope permits. */
export const PURPOSES: Record<Scope, MessageDescriptor> = {
  'findings:read': msg`Read and export findings`,
  'assets:read': msg`Read and export assets`,
  'scores:read': msg`Read scores, fixes and losses`,
  'changes:read': msg`Follow the changes of findings, assets and scores`,
  'uploads:read': msg`Read uploads and their outcome`,
  'integrations:read': msg`Read integrations and their syncs`,
  'settings:read': msg`Read settings`,
  'signals:write': msg`Upload signals and reports`,
  'findings:accept': msg`Accept findings and revert acceptances`,
  'findings:triage': msg`Assign, tag and comment findings, set due dates, attach tickets`,
  'audit:read': msg`Read the audit trail`,
  'security-events:read': msg`Read sign-ins and refused requests`,
  'settings:write': msg`Change policies, departments, locations, custom fields and the OS mapping`,
  'integrations:write': msg`Add, test, sync, change and remove integrations`,
  'webhooks:read': msg`Read webhooks and scheduled reports`,
  'webhooks:write': msg`Add, test, change and remove webhooks and scheduled reports`,
  'credentials:read': msg`Read credentials, API tokens and sessions of all people`,
  'credentials:write': msg`Create, rotate and delete credentials and API tokens`,
  'users:read': msg`Read identity providers and their users`,
  'users:write': msg`Add and change identity providers; disable, delete and provision their users`,
  'erasures:read': msg`Read erasures`,
  'erasures:write': msg`Erase the personal texts of a person`,
};

export const SCOPES = Object.keys(PURPOSES) as Scope[];

/** As options of a select field. */
export const scopeOptions = () =>
  SCOPES.map((scope) => ({ value: scope, label: `${scope} – ${i18n._(PURPOSES[scope])}` }));
