import { t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { fullInstant } from '../parts/instant.tsx';

type Outcome = Api['UploadOutcomeDto'];
export type Would = Api['WouldDto']['would'];

export const KIND_NAMES: Record<Api['UploadDto']['kind'], string> = {
  zip: 'ZIP',
  json: 'Signal',
  inbox: 'Signal of the inbox',
  sync: 'Integration sync',
};

/** An upload by its kind and time. */
export const uploadTitle = ({ kind, receivedAt }: Pick<Api['UploadDto'], 'kind' | 'receivedAt'>): string =>
  `${KIND_NAMES[kind]} of ${fullInstant(receivedAt)}`;

/** Labels of previewed changes, most important first. */
export const WOULD_NAMES: Record<Would, string> = {
  retired: 'Retired',
  returned: 'Returned',
  stateChanged: 'New state',
  created: 'Created',
  updated: 'Changed',
  ignored: 'Ignored',
};

/** Why signals have no effect (R-UPL-9). */
const IGNORED_REASONS: Record<string, string> = {
  expired: 'The expiry date is in the past.',
  unknownAsset: 'The asset is unknown, and the config.json of the ZIP does not allow new assets.',
  metadataKept:
    'The signals contain only asset data, and the config.json of the ZIP does not allow updates of known assets.',
  accepted: 'The finding is accepted. Signals do not change it until the acceptance ends.',
  heldFailed: 'The finding is held as Failed by a user. Signals do not change it until the hold ends.',
  revoked: 'The revoked finding does not exist.',
  clockAhead: 'The clock of the service was far ahead when the signals arrived. Send them again.',
};

const CHANGE_REASONS: Record<string, string> = {
  replaced: 'Not in this upload (full assessment)',
  revoked: 'Revoked by a signal',
  retention: 'Retention period ended',
  assetDeleted: 'The asset was deleted',
  acceptanceEnded: 'Acceptance ended',
  acceptanceOverridden: 'Acceptance overridden',
  expired: 'Expired',
  unknownAsset: 'The asset is not known',
  metadataKept: 'Known assets are not updated',
  accepted: 'The finding is accepted',
  heldFailed: 'Held as Failed by a user',
  clockAhead: 'Received while the clock was wrong',
};

/** The reason as a sentence; an unknown reason as its identifier. */
export const ignoredReason = (reason: string): string => IGNORED_REASONS[reason] ?? reason;

/** The reason in a few words. */
export const changeReason = (would: Would, reason: string | null): string => {
  if (reason === null) return '';
  if (would === 'ignored' && reason === 'revoked') return t`Nothing to revoke`;
  return CHANGE_REASONS[reason] ?? reason;
};

export const ignoredCount = ({ ignored }: Outcome): number =>
  Object.values(ignored).reduce((sum, count) => sum + count, 0);

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** The outcome in one line, without zero counts. */
export function outcomeInShort(outcome: Outcome): string {
  const parts = [
    [outcome.retired, 'retired'],
    [outcome.created, 'created'],
    [outcome.updated, 'changed'],
    [outcome.assetsCreated, outcome.assetsCreated === 1 ? t`new asset` : t`new assets`],
    [outcome.assetsUpdated, outcome.assetsUpdated === 1 ? t`asset changed` : t`assets changed`],
    [ignoredCount(outcome), 'ignored'],
    [outcome.unchanged, 'unchanged'],
  ] as const;
  const shown = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString()} ${what}`);
  return shown.join(', ') || t`Nothing changed`;
}

/** A message of the service as a sentence. */
export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?…]$/.test(message) ? '' : '.'}`;
