import { CURRENT_RULES, type Envelope } from './events.ts';
import type { Reading } from './reading.ts';

/** The envelope of an event without an upload: a user's act, or a tick of the service. */
export interface ActOrigin extends Pick<Envelope, 'id' | 'entityKey' | 'settingsVersion'>, Reading {
  /** User name of the credential that acted, and by which request; null: the service itself. */
  by: { user: string; requestId: string } | null;
  /** The sync that brought it about; omitted: none did. */
  syncId?: string | null;
}

/** The envelope of a single event. */
export const actEnvelope = ({
  id,
  entityKey,
  at,
  receivedAt,
  settingsVersion,
  by,
  syncId = null,
}: ActOrigin): Envelope => ({
  id,
  entityKey,
  at,
  rules: CURRENT_RULES,
  settingsVersion,
  cause: {
    kind: by ? 'user' : 'system',
    uploadId: null,
    receivedAt,
    entry: null,
    entryIndex: null,
    ordinal: 1,
    count: 1,
    syncId,
    user: by?.user ?? null,
    requestId: by?.requestId ?? null,
  },
  upload: null,
  encryptionKeyId: null,
});
