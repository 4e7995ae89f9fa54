import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Api } from '../../api/client.ts';
import type { Scope } from '../../session/scope.ts';
import { sectionOf } from './target-section.ts';

export type Act = Api['ActDto'];

/** Labels of all actions, in the order of the filter. */
export const ACTIONS: Record<string, MessageDescriptor> = {
  'log.opened': msg`Log opened`,
  'settings.changed': msg`Policies changed`,
  'department.added': msg`Department added`,
  'department.changed': msg`Department changed`,
  'department.removed': msg`Department removed`,
  'location.added': msg`Location added`,
  'location.changed': msg`Location changed`,
  'location.removed': msg`Location removed`,
  'customField.added': msg`Custom field added`,
  'customField.changed': msg`Custom field changed`,
  'customField.removed': msg`Custom field removed`,
  'osMapping.replaced': msg`OS mapping replaced`,
  'ownerRules.replaced': msg`Owner rules replaced`,
  'credential.created': msg`Credential created`,
  'credential.rotated': msg`Password rotated`,
  'credential.deleted': msg`Credential deleted`,
  'credential.tokenCreated': msg`API token created`,
  'credential.tokenRotated': msg`API token rotated`,
  'credential.tokenChanged': msg`API token changed`,
  'credential.tokenRevoked': msg`API token revoked`,
  'credential.roleCreated': msg`Role created`,
  'credential.roleChanged': msg`Role changed`,
  'credential.roleDeleted': msg`Role deleted`,
  'credential.secondFactorEnabled': msg`Second factor set up`,
  'credential.secondFactorRemoved': msg`Second factor removed`,
  'credential.recoveryCodesReplaced': msg`Recovery codes replaced`,
  'credential.breakGlassSet': msg`Marked for emergencies`,
  'credential.breakGlassUnset': msg`No longer for emergencies`,
  'credential.userProvisioned': msg`User provisioned`,
  'credential.userChanged': msg`Rights of user changed`,
  'credential.userDisabled': msg`User disabled`,
  'credential.userEnabled': msg`User enabled`,
  'credential.userDeleted': msg`User deleted`,
  'credential.identityProviderCreated': msg`Identity provider added`,
  'credential.identityProviderChanged': msg`Identity provider changed`,
  'credential.identityProviderDeleted': msg`Identity provider removed`,
  'clock.corrected': msg`Clock corrected`,
  'catalogue.imported': msg`Catalogue imported`,
  'integration.added': msg`Integration added`,
  'integration.changed': msg`Integration changed`,
  'integration.removed': msg`Integration removed`,
  'integration.syncRequested': msg`Sync requested`,
  'webhook.added': msg`Webhook added`,
  'webhook.changed': msg`Webhook changed`,
  'webhook.paused': msg`Webhook paused`,
  'webhook.resumed': msg`Webhook resumed`,
  'webhook.replayed': msg`Webhook replayed`,
  'webhook.rotated': msg`Webhook secret rotated`,
  'webhook.removed': msg`Webhook removed`,
  'webhook.reportScheduleAdded': msg`Report schedule added`,
  'webhook.reportScheduleChanged': msg`Report schedule changed`,
  'webhook.reportScheduleRemoved': msg`Report schedule removed`,
  'webhook.reportScheduleSent': msg`Report sent by a user`,
  'webhook.notificationSettingsChanged': msg`Settings of notifications changed`,
  'plan.added': msg`Plan added`,
  'plan.changed': msg`Plan changed`,
  'plan.removed': msg`Plan removed`,
  'finding.accepted': msg`Finding accepted`,
  'finding.reverted': msg`Acceptance reverted`,
  'finding.assigned': msg`Finding assigned`,
  'finding.tagged': msg`Finding tagged`,
  'finding.dueSet': msg`Due date set`,
  'finding.ticketsChanged': msg`Tickets changed`,
  'finding.commented': msg`Comment added`,
  'asset.deleted': msg`Asset deleted`,
  'subject.erased': msg`Subject erased`,
};

/** Sentences of the reasons why an action was rejected. */
const REFUSALS: Record<string, MessageDescriptor> = {
  unknown: msg`Rejected: the target no longer exists.`,
  stale: msg`Rejected: another user changed it first.`,
  notFailed: msg`Rejected: the finding was no longer Failed.`,
  notAccepted: msg`Rejected: the finding was no longer accepted.`,
  tooMany: msg`Rejected: there were too many tags, tickets or plans.`,
  nameTaken: msg`Rejected: the name was already in use.`,
  isDefault: msg`Rejected: the default cannot be removed.`,
  notAhead: msg`Rejected: the clock was no longer ahead.`,
  clockAhead: msg`Rejected: the clock of the service was wrong.`,
};

/** An action in words. */
export const actionText = (action: string): string => textOf(ACTIONS, action) ?? action;

/** Why an action was rejected. */
export const refusalText = (reason: string): string => textOf(REFUSALS, reason) ?? t`Rejected: ${reason}.`;

function textOf(words: Record<string, MessageDescriptor>, key: string): string | undefined {
  const word = words[key];
  return word && i18n._(word);
}

const PAGE_OF: Record<string, { path: string; scope: Scope }> = {
  finding: { path: '/findings', scope: 'findings:read' },
  asset: { path: '/assets', scope: 'assets:read' },
  integration: { path: '/integrations', scope: 'integrations:read' },
  plan: { path: '/plans', scope: 'findings:read' },
};

/** Name of the target of an action, and its address unless it has no page or the user may not read it. */
export function targetOf(
  { action, target, detail }: Act,
  scopes: readonly Scope[],
): { name: string; to: string | null } {
  return { name: nameOf(action, detail) ?? target, to: addressOf(action, target, scopes) };
}

function addressOf(action: string, target: string, scopes: readonly Scope[]): string | null {
  const section = sectionOf(action);
  if (section) {
    return section.scope === null || scopes.includes(section.scope) ? `/settings/${section.id}` : null;
  }
  const page = PAGE_OF[kindOf(action)];
  return page && scopes.includes(page.scope) && !action.endsWith('.removed')
    ? `${page.path}/${target}`
    : null;
}

function nameOf(action: string, detail: Act['detail']): string | undefined {
  if (action.startsWith('webhook.reportSchedule')) return t`Report schedule`;
  if (action === 'webhook.notificationSettingsChanged') return t`Notifications`;
  return nameIn(detail) ?? textOf(KINDS, kindOf(action));
}

const kindOf = (action: string): string => action.split('.')[0]!;

const KINDS: Record<string, MessageDescriptor> = {
  log: msg`Policies`,
  settings: msg`Policies`,
  osMapping: msg`OS mapping`,
  ownerRules: msg`Owner rules`,
  finding: msg`Finding`,
  asset: msg`Asset`,
  integration: msg`Integration`,
  webhook: msg`Webhook`,
  plan: msg`Plan`,
  subject: msg`Subject`,
};

function nameIn({ before, after }: Act['detail']): string | undefined {
  for (const one of [after, before]) {
    if (typeof one !== 'object' || one === null) continue;
    const { name, username } = one as Record<string, unknown>;
    if (typeof name === 'string') return name;
    if (typeof username === 'string') return username;
  }
  return undefined;
}
