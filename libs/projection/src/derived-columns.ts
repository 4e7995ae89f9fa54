import { hash } from 'node:crypto';
import {
  type AssetState,
  type Envelope,
  type Finding,
  firstDueOf,
  isRetiredUnread,
  RETIRED_DIGEST,
  SEALED_BEGIN,
  type TrackedFinding,
  unreadOf,
} from '#libs/domain';

/** When the first of an asset's findings falls due by time alone, in epoch ms; null if none does. */
export function firstDue(asset: AssetState): number | null {
  const first = firstDueOf(asset);
  return first === Number.POSITIVE_INFINITY ? null : first;
}

/** The last signal of a live asset without active findings, in epoch ms; null for any other. */
export function idleSince(state: AssetState): number | null {
  if (state.asset.deletedAt !== null) return null;
  for (const { finding } of state.findings.values()) if (finding.state !== 'Retired') return null;
  for (const unread of unreadOf(state)) if (!isRetiredUnread(unread)) return null;
  return state.lastSeen;
}

/** The digest beside the times of a finding; null: its content must be read. */
export const storedDigest = ({
  finding,
  digest,
}: Pick<TrackedFinding, 'finding' | 'digest'>): string | null =>
  finding.state === 'Retired' ? RETIRED_DIGEST : (digest ?? null);

/** The cause in a history item. */
export const causeOf = ({ id, cause }: Envelope) => ({
  eventId: id,
  kind: cause.kind,
  uploadId: cause.uploadId,
  entry: cause.entry,
  syncId: cause.syncId,
  user: cause.user,
  requestId: cause.requestId,
});

/** Characters of a description that searches look into. */
const SEARCHED_MAX = 4_000;

/** The text of `finding_texts` by which searches find it: the MD5 of what `finding_text` of PostgreSQL returns. */
export const textIdOf = ({ name, description }: Finding): string =>
  hash('md5', `${name} ${unsealed(firstCharacters(description ?? '', SEARCHED_MAX))}`);

/** The end of the last one may be cut off. */
const SEALED_PARTS = /\ufdd0[^\ufdd1]*\ufdd1?/g;

/** As `unsealed` of PostgreSQL: searches look into no sealed part, so texts that differ only in them are one. */
const unsealed = (text: string): string =>
  text.includes(SEALED_BEGIN) ? text.replace(SEALED_PARTS, ' ') : text;

/** As `left` of PostgreSQL, which counts code points. */
const firstCharacters = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('');
