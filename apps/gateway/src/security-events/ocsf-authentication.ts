import { readFileSync } from 'node:fs';
import { projectFile } from '#libs/project-files';
import type { ExportFormat } from '../paging/export-format.ts';
import type { SecurityEventDto } from './security-event.dto.ts';

const OCSF_VERSION = '1.3.0';
const PRODUCT = {
  name: 'Risk Posture Service',
  vendor_name: 'Risk Posture Service',
  version: JSON.parse(readFileSync(projectFile('package.json'), 'utf8')).version as string,
};
const CLASS = {
  category_name: 'Identity & Access Management',
  category_uid: 3,
  class_name: 'Authentication',
  class_uid: 3002,
};

const ACTIVITIES: Record<string, { id: number; name: string }> = {
  signIn: { id: 1, name: 'Logon' },
  logout: { id: 2, name: 'Logoff' },
  recoveryCode: { id: 99, name: 'Recovery Code' },
  breakGlass: { id: 99, name: 'Break-Glass Sign-In' },
};
/** OCSF has no activity for the use of a token. */
const TOKEN_USE = { id: 99, name: 'Token Use' };
const SEVERITY = { success: { id: 1, name: 'Informational' }, refused: { id: 2, name: 'Low' } };
const SEVERITY_OF_KIND: Record<string, { id: number; name: string }> = {
  recoveryCode: { id: 3, name: 'Medium' },
  breakGlass: { id: 5, name: 'Critical' },
};

/**
 * An event of the class Authentication (OCSF 1.3). `metadata.uid` is the id of the item: an item whose `count` has grown
 * since an earlier export has the same one. `status_code` is `reason`, and `session.uid` the fingerprint of the token.
 */
export function ocsfAuthentication({
  id,
  at,
  lastAt,
  count,
  kind,
  outcome,
  reason,
  user,
  token,
  address,
  requestId,
}: SecurityEventDto) {
  const activity = ACTIVITIES[kind] ?? TOKEN_USE;
  const isSuccess = outcome === 'success';
  const severity = SEVERITY_OF_KIND[kind] ?? (isSuccess ? SEVERITY.success : SEVERITY.refused);
  return {
    ...CLASS,
    activity_id: activity.id,
    activity_name: activity.name,
    type_uid: CLASS.class_uid * 100 + activity.id,
    type_name: `${CLASS.class_name}: ${activity.name}`,
    severity_id: severity.id,
    severity: severity.name,
    status_id: isSuccess ? 1 : 2,
    status: isSuccess ? 'Success' : 'Failure',
    ...(reason !== null && { status_code: reason }),
    time: Date.parse(at),
    start_time: Date.parse(at),
    end_time: Date.parse(lastAt),
    count,
    user: user === null ? { name: 'Unknown', type_id: 0 } : { name: user, type_id: userType(kind, user) },
    ...(address !== null && { src_endpoint: { ip: address } }),
    ...(token !== null && { session: { uid: token } }),
    service: { name: PRODUCT.name },
    is_remote: true,
    metadata: {
      version: OCSF_VERSION,
      uid: id,
      correlation_uid: requestId,
      log_name: 'security-events',
      product: PRODUCT,
    },
  };
}

/** 3, a system, for an API token, otherwise 1: a user. The name of a sign-in is as typed. */
const userType = (kind: string, user: string): number =>
  kind === 'token' && user.startsWith('token:') ? 3 : 1;

/** OCSF events, one a line. */
export const ocsfLines: ExportFormat<SecurityEventDto> = {
  mediaType: 'application/jsonl; charset=utf-8',
  extension: 'ocsf.jsonl',
  beginning: () => '',
  items: (items) => items.map((item) => `${JSON.stringify(ocsfAuthentication(item))}\n`).join(''),
  end: () => '',
};
