import { createHash } from 'node:crypto';
import type { Integration } from '#libs/domain';

/** The scope of the integration's watermark: address, account and selection of records. */
export function syncScope({ config }: Pick<Integration, 'config'>): string {
  const { autoSyncDays: _, ...scope } = config;
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(scope).sort()))
    .digest('hex');
}
