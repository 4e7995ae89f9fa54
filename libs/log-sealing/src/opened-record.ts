import { BackupError } from '#libs/backup';
import { decodeIfIntact } from '#libs/contracts';
import type { IntakeEvent } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { hasSealedText } from '#libs/sealing';
import { mayHaveMarks, withoutMarks } from './replace-noncharacters.ts';

/**
 * The event of a record; null if it is corrupt.
 * @throws UnknownSchemaError if a later version wrote it; BackupError if it is sealed
 */
export function openedRecord({ value }: StoredRecord): IntakeEvent | null {
  const event = decodeIfIntact(value);
  if (!event) return null;
  assertNotSealed(event);
  return mayHaveMarks(value) ? withoutMarks(event) : event;
}

/** Also of a log whose keys were lost. Senders cannot choose these fields. */
function assertNotSealed({ envelope: { cause }, payload }: IntakeEvent): void {
  const isSealed = payload.type === 'LogOpened' ? payload.sealedFrom : hasSealedText(cause.user ?? '');
  if (!isSealed) return;
  throw new BackupError('the log already contains sealed texts: only a log without any can be sealed');
}
