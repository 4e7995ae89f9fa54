import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { Api } from '../api/client.ts';
import { fullInstant } from '../parts/instant.tsx';

type Outcome = Api['UploadOutcomeDto'];
export type Would = Api['WouldDto']['would'];

const KIND_NAMES: Record<Api['UploadDto']['kind'], MessageDescriptor> = {
  zip: msg`ZIP`,
  json: msg`Signal`,
  inbox: msg`Signal of the inbox`,
  sync: msg`Integration sync`,
};

export const kindName = (kind: Api['UploadDto']['kind']): string => i18n._(KIND_NAMES[kind]);

/** An upload by its kind and time. */
export function uploadTitle({ kind, receivedAt }: Pick<Api['UploadDto'], 'kind' | 'receivedAt'>): string {
  const [what, when] = [kindName(kind), fullInstant(receivedAt)];
  return t`${what} of ${when}`;
}

/** Labels of previewed changes, most important first. */
const WOULD_NAMES: Record<Would, MessageDescriptor> = {
  retired: msg`Retired`,
  returned: msg`Returned`,
  stateChanged: msg`New state`,
  created: msg`Created`,
  updated: msg({ message: 'Changed', context: 'what happened to a finding' }),
  ignored: msg`Ignored`,
};

export const wouldName = (would: Would): string => i18n._(WOULD_NAMES[would]);

export const WOULDS = Object.keys(WOULD_NAMES) as Would[];

/** Why signals have no effect (R-UPL-9). */
const IGNORED_REASONS: Record<string, MessageDescriptor> = {
  expired: msg`The expiry date is in the past.`,
  unknownAsset: msg`The asset is unknown, and the config.json of the ZIP does not allow new assets.`,
  metadataKept: msg`The signals contain only asset data, and the config.json of the ZIP does not allow updates of known assets.`,
  accepted: msg`The finding is accepted. Signals do not change it until the acceptance ends.`,
  heldFailed: msg`The finding is held as Failed by a user. Signals do not change it until the hold ends.`,
  revoked: msg`The revoked finding does not exist.`,
  clockAhead: msg`The clock of the service was far ahead when the signals arrived. Send them again.`,
};

const CHANGE_REASONS: Record<string, MessageDescriptor> = {
  replaced: msg`Not in this upload (full assessment)`,
  revoked: msg`Revoked by a signal`,
  retention: msg`Retention period ended`,
  assetDeleted: msg`The asset was deleted`,
  acceptanceEnded: msg`Acceptance ended`,
  acceptanceOverridden: msg`Acceptance overridden`,
  expired: msg`Expired`,
  unknownAsset: msg`The asset is not known`,
  metadataKept: msg`Known assets are not updated`,
  accepted: msg`The finding is accepted`,
  heldFailed: msg`Held as Failed by a user`,
  clockAhead: msg`Received while the clock was wrong`,
};

/** The reason as a sentence; an unknown reason as its identifier. */
export const ignoredReason = (reason: string): string => textOf(IGNORED_REASONS, reason);

const textOf = (words: Record<string, MessageDescriptor>, id: string): string =>
  words[id] === undefined ? id : i18n._(words[id]);

/** The reason in a few words. */
export const changeReason = (would: Would, reason: string | null): string => {
  if (reason === null) return '';
  if (would === 'ignored' && reason === 'revoked') return t`Nothing to revoke`;
  return textOf(CHANGE_REASONS, reason);
};

export const ignoredCount = ({ ignored }: Outcome): number =>
  Object.values(ignored).reduce((sum, count) => sum + count, 0);

/** `1 signal`, `2,345 signals`. */
export const signalsText = (count: number): string => plural(count, { one: '# signal', other: '# signals' });

/** `1 malformed entry`, `2 malformed entries`. */
export const malformedText = (count: number): string =>
  plural(count, { one: '# malformed entry', other: '# malformed entries' });

/** The outcome in one line, without zero counts. */
export function outcomeInShort(outcome: Outcome): string {
  const { retired, created, updated, assetsCreated, assetsUpdated, unchanged } = outcome;
  const ignored = ignoredCount(outcome);
  const parts = [
    retired > 0 && plural(retired, { one: '# retired', other: '# retired' }),
    created > 0 && plural(created, { one: '# created', other: '# created' }),
    updated > 0 && plural(updated, { one: '# changed', other: '# changed' }),
    assetsCreated > 0 && plural(assetsCreated, { one: '# new asset', other: '# new assets' }),
    assetsUpdated > 0 && plural(assetsUpdated, { one: '# asset changed', other: '# assets changed' }),
    ignored > 0 && plural(ignored, { one: '# ignored', other: '# ignored' }),
    unchanged > 0 && plural(unchanged, { one: '# unchanged', other: '# unchanged' }),
  ];
  return parts.filter((part) => part !== false).join(', ') || t`Nothing changed`;
}

/** A message of the service as a sentence. */
export const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?…]$/.test(message) ? '' : '.'}`;
