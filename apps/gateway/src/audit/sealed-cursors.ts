import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import { auditCursorPlace, Vault, VaultError } from '#libs/vault';
import { SECRET_KEYS } from '../tokens.ts';

/** Of all sealed cursors: the length would show the digits of an offset otherwise. */
const CHARACTERS = 96;

/** Cursors of the audit trail for limited callers: plain ones contain offsets of the log. */
@Injectable()
export class SealedCursors {
  private readonly vault: Vault;

  constructor(@Inject(SECRET_KEYS) keys: Buffer[]) {
    this.vault = new Vault(keys);
  }

  seal(cursor: string | null): string | null {
    return cursor && this.vault.seal(cursor.padEnd(CHARACTERS), auditCursorPlace());
  }

  /** @throws BadRequestException if the text is no sealed cursor */
  open(sealed: string | undefined): string | undefined {
    try {
      return sealed && this.vault.open(sealed, auditCursorPlace()).trimEnd();
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      throw new BadRequestException('cursor must be a nextCursor returned by this list');
    }
  }
}
