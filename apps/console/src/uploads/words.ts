import type { Api } from '../api/client.ts';

type Outcome = Api['UploadOutcomeDto'];
export type Would = Api['WouldDto']['would'];

export const KIND_NAMES: Record<Api['UploadDto']['kind'], string> = {
  zip: 'ZIP',
  json: 'Signal',
  sync: 'Integration sync',
};

/** What would become of a finding; the weightiest first. */
export const WOULD_NAMES: Record<Would, string> = {
  retired: 'Retired',
  returned: 'Returned',
  stateChanged: 'New state',
  created: 'Created',
  updated: 'Changed',
  ignored: 'Ignored',
};

/** Why signals have no effect (spec/decisions.md, D6, D12, D14, D21). */
const IGNORED_REASONS: Record<string, string> = {
  expired: 'They have expired: the date they expire at is past.',
  unknownAsset: 'Their asset is not known, and the ZIP’s config.json says that no assets are to be added.',
  metadataKept:
    'They only describe assets, and the ZIP’s config.json says that known assets are to be left alone.',
  accepted: 'Their finding is accepted: signals do not move it until the acceptance ends.',
  heldFailed: 'Their finding was set back to Failed by hand, and stays so until it is set to Not assessed.',
  revoked: 'They take back what was not there.',
  clockAhead: 'They were received while the clock of the service was far ahead: send them again.',
};

const CHANGE_REASONS: Record<string, string> = {
  replaced: 'Not in this ZIP, which replaces',
  revoked: 'Taken back by a signal',
  retention: 'Retention has passed',
  assetDeleted: 'The asset was deleted',
  acceptanceOverridden: 'Its acceptance is overridden',
  expired: 'Expired',
  unknownAsset: 'The asset is not known',
  metadataKept: 'Known assets are left alone',
  accepted: 'The finding is accepted',
  heldFailed: 'Held failed by hand',
  clockAhead: 'Received by a wrong clock',
};

/** In a sentence; a reason that came after this console as it is. */
export const ignoredReason = (reason: string): string => IGNORED_REASONS[reason] ?? reason;

/** In a few words. */
export const changeReason = (would: Would, reason: string | null): string => {
  if (reason === null) return '';
  if (would === 'ignored' && reason === 'revoked') return 'There is nothing to take back';
  return CHANGE_REASONS[reason] ?? reason;
};

export const ignoredCount = ({ ignored }: Outcome): number =>
  Object.values(ignored).reduce((sum, count) => sum + count, 0);

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** The outcome in a line: what happened, and only where nothing did, what did not. */
export function outcomeInShort(outcome: Outcome): string {
  const parts = [
    [outcome.retired, 'retired'],
    [outcome.created, 'created'],
    [outcome.updated, 'changed'],
    [outcome.assetsCreated, outcome.assetsCreated === 1 ? 'new asset' : 'new assets'],
    [outcome.assetsUpdated, outcome.assetsUpdated === 1 ? 'asset changed' : 'assets changed'],
    [ignoredCount(outcome), 'ignored'],
    [outcome.unchanged, 'unchanged'],
  ] as const;
  const told = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString()} ${what}`);
  return told.join(', ') || 'Nothing changed';
}

/** What the service says in passing, as a sentence of its own. */
export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?…]$/.test(message) ? '' : '.'}`;
