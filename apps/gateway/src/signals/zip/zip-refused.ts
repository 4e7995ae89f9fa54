import type { EntryMessageDto } from '../upload.dto.ts';

/** The upload as a whole is a 400 and nothing is appended; the message is for the caller. */
export class ZipRefused extends Error {
  override name = 'ZipRefused';

  constructor(
    message: string,
    /** The first 100. */
    readonly errors: EntryMessageDto[] = [],
  ) {
    super(message);
  }
}

/** A refusal that one entry is the cause of. */
export const entryRefused = (entry: string, reason: string): ZipRefused =>
  new ZipRefused(`entry ${JSON.stringify(entry)}: ${reason}`, [{ entry, field: '', message: reason }]);
