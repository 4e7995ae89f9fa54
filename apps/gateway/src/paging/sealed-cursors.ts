import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import { type SecretPlace, Vault, VaultError } from '#libs/vault';
import { SECRET_KEYS } from '../tokens.ts';

/** Of all sealed cursors: the length would show the digits of an offset otherwise. */
const CHARACTERS = 96;

/**
 * Cursors of lists for limited callers, whose plain ones contain offsets of the log or sequences of a history. Each list
 * has a place of its own, so that no other list accepts its cursors.
 */
@Injectable()
export class SealedCursors {
  private readonly vault: Vault;

  constructor(@Inject(SECRET_KEYS) keys: Buffer[]) {
    this.vault = new Vault(keys);
  }

  seal(cursor: string, list: SecretPlace): string {
    return this.vault.seal(cursor.padEnd(CHARACTERS), list);
  }

  /** @throws BadRequestException if the text is no sealed cursor of the list */
  open(sealed: string | undefined, list: SecretPlace): string | undefined {
    try {
      return sealed && this.vault.open(sealed, list).trimEnd();
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      throw new BadRequestException('cursor must be a nextCursor returned by this list');
    }
  }
}
