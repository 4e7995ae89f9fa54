import type { Api } from '../../api/client.ts';

export type Act = Api['ActDto'];

/** Labels of all actions, in the order of the filter. */
export const ACTIONS: Record<string, string> = {
  'log.opened': 'Log opened',
  'settings.changed': 'Policies changed',
  'department.added': 'Department added',
  'department.changed': 'Department changed',
  'department.removed': 'Department removed',
  'location.added': 'Location added',
  'location.changed': 'Location changed',
  'location.removed': 'Location removed',
  'customField.added': 'Custom field added',
  'customField.changed': 'Custom field changed',
  'customField.removed': 'Custom field removed',
  'osMapping.replaced': 'OS mapping replaced',
  'ownerRules.replaced': 'Owner rules replaced',
  'credential.created': 'Credential created',
  'credential.rotated': 'Password rotated',
  'credential.deleted': 'Credential deleted',
  'credential.tokenCreated': 'API token created',
  'credential.tokenRotated': 'API token rotated',
  'credential.tokenChanged': 'API token changed',
  'credential.tokenRevoked': 'API token revoked',
  'credential.roleCreated': 'Role created',
  'credential.roleChanged': 'Role changed',
  'credential.roleDeleted': 'Role deleted',
  'credential.secondFactorEnabled': 'Second factor set up',
  'credential.secondFactorRemoved': 'Second factor removed',
  'credential.recoveryCodesReplaced': 'Recovery codes replaced',
  'credential.breakGlassSet': 'Marked for emergencies',
  'credential.breakGlassUnset': 'No longer for emergencies',
  'credential.userProvisioned': 'User provisioned',
  'credential.userChanged': 'Rights of user changed',
  'credential.userDisabled': 'User disabled',
  'credential.userEnabled': 'User enabled',
  'credential.userDeleted': 'User deleted',
  'credential.identityProviderCreated': 'Identity provider added',
  'credential.identityProviderChanged': 'Identity provider changed',
  'credential.identityProviderDeleted': 'Identity provider removed',
  'clock.corrected': 'Clock corrected',
  'catalogue.imported': 'Catalogue imported',
  'integration.added': 'Integration added',
  'integration.changed': 'Integration changed',
  'integration.removed': 'Integration removed',
  'integration.syncRequested': 'Sync requested',
  'webhook.added': 'Webhook added',
  'webhook.changed': 'Webhook changed',
  'webhook.paused': 'Webhook paused',
  'webhook.resumed': 'Webhook resumed',
  'webhook.replayed': 'Webhook replayed',
  'webhook.rotated': 'Webhook secret rotated',
  'webhook.removed': 'Webhook removed',
  'webhook.reportScheduleAdded': 'Report schedule added',
  'webhook.reportScheduleChanged': 'Report schedule changed',
  'webhook.reportScheduleRemoved': 'Report schedule removed',
  'webhook.reportScheduleSent': 'Report sent by a user',
  'webhook.notificationSettingsChanged': 'Settings of notifications changed',
  'plan.added': 'Plan added',
  'plan.changed': 'Plan changed',
  'plan.removed': 'Plan removed',
  'finding.accepted': 'Finding accepted',
  'finding.reverted': 'Acceptance reverted',
  'finding.assigned': 'Finding assigned',
  'finding.tagged': 'Finding tagged',
  'finding.dueSet': 'Due date set',
  'finding.ticketsChanged': 'Tickets changed',
  'finding.commented': 'Comment added',
  'asset.deleted': 'Asset deleted',
  'subject.erased': 'Subject erased',
};

/** Labels of the reasons why an action was rejected. */
export const REFUSALS: Record<string, string> = {
  unknown: 'the target no longer exists',
  stale: 'another user changed it first',
  notFailed: 'the finding was no longer Failed',
  notAccepted: 'the finding was no longer accepted',
  tooMany: 'there were too many tags, tickets or plans',
  nameTaken: 'the name was already in use',
  isDefault: 'the default cannot be removed',
  notAhead: 'the clock was no longer ahead',
  clockAhead: 'the clock of the service was wrong',
};

const SECTION_OF: Record<string, string> = {
  log: '/settings/policies',
  settings: '/settings/policies',
  department: '/settings/departments',
  location: '/settings/locations',
  customField: '/settings/custom-fields',
  osMapping: '/settings/os-mapping',
  ownerRules: '/settings/owner-rules',
  credential: '/settings/credentials',
};
const PAGE_OF: Record<string, string> = {
  finding: '/findings',
  asset: '/assets',
  integration: '/integrations',
  plan: '/plans',
};

/** Name and address of the target of an action. */
export function targetOf({ action, target, detail }: Act): { name: string; to: string | null } {
  if (action.startsWith('webhook.reportSchedule')) {
    return { name: 'Report schedule', to: '/settings/reports' };
  }
  if (action === 'webhook.notificationSettingsChanged') {
    return { name: 'Notifications', to: '/settings/notifications' };
  }
  const [kind = ''] = action.split('.');
  const isGone = action.endsWith('.removed');
  const page = PAGE_OF[kind];
  const to = SECTION_OF[kind] ?? (page && !isGone ? `${page}/${target}` : null);
  return { name: nameIn(detail) ?? KINDS[kind] ?? target, to };
}

const KINDS: Record<string, string> = {
  log: 'Policies',
  settings: 'Policies',
  osMapping: 'OS mapping',
  ownerRules: 'Owner rules',
  finding: 'Finding',
  asset: 'Asset',
  integration: 'Integration',
  webhook: 'Webhook',
  plan: 'Plan',
  subject: 'Subject',
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
