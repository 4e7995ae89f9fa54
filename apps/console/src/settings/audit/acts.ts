import type { Api } from '../../api/client.ts';

export type Act = Api['ActDto'];

/** Every kind of act in words, in the order of the filter. */
export const ACTIONS: Record<string, string> = {
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
  'credential.created': 'Credential made',
  'credential.rotated': 'Password rotated',
  'credential.deleted': 'Credential deleted',
  'clock.corrected': 'Clock corrected',
  'catalogue.imported': 'Catalogue imported',
  'integration.added': 'Integration added',
  'integration.changed': 'Integration changed',
  'integration.removed': 'Integration removed',
  'integration.syncRequested': 'Sync requested',
  'finding.accepted': 'Finding accepted',
  'finding.reverted': 'Acceptance reverted',
  'asset.deleted': 'Asset deleted',
};

/** Why an act did nothing (rule 6), in words. */
export const REFUSALS: Record<string, string> = {
  unknown: 'what it was meant for was gone',
  stale: 'somebody else had changed it meanwhile',
  notFailed: 'the finding was not Failed any more',
  notAccepted: 'the finding was not accepted any more',
  nameTaken: 'the name was taken',
  isDefault: 'it was the default',
  notAhead: 'the clock was not ahead any more',
  clockAhead: 'the clock of the service was wrong',
};

const SECTION_OF: Record<string, string> = {
  settings: '/settings/policies',
  department: '/settings/departments',
  location: '/settings/locations',
  customField: '/settings/custom-fields',
  osMapping: '/settings/os-mapping',
  credential: '/settings/credentials',
};
const PAGE_OF: Record<string, string> = {
  finding: '/findings',
  asset: '/assets',
  integration: '/integrations',
};

/** Where what was acted on is shown, and what it is called. */
export function targetOf({ action, target, detail }: Act): { name: string; to: string | null } {
  const [kind = ''] = action.split('.');
  const isGone = action.endsWith('.removed');
  const page = PAGE_OF[kind];
  const to = SECTION_OF[kind] ?? (page && !isGone ? `${page}/${target}` : null);
  return { name: nameIn(detail) ?? KINDS[kind] ?? target, to };
}

const KINDS: Record<string, string> = {
  settings: 'Policies',
  osMapping: 'OS mapping',
  finding: 'The finding',
  asset: 'The asset',
  integration: 'The integration',
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
