import { randomBytes } from 'node:crypto';
import { NIL, v4 as uuid } from 'uuid';
import { newDataKey, type SubjectKey, SubjectKeyError } from '#libs/sealing';
import { subjectKeyPlace, type Vault, VaultError } from '#libs/vault';
import { lookupsOf, shortOf } from './subject-keys.ts';

const INDEX_KEY_BYTES = 32;

/** A row of `subject_keys`, without its times. */
export interface SubjectRow {
  subject: string;
  /** In hexadecimal digits; null in the row of the key of the lookups. */
  lookup: string | null;
  wrapped: string;
}

/**
 * Rows with new keys for names, before there is a database that stores them.
 * @param accepts whether the subject with this id, in 22 characters, may have the name
 */
export function newSubjectRows(
  names: Iterable<string>,
  vault: Vault,
  accepts: (name: string, subject: string) => boolean,
): SubjectRow[] {
  const indexKey = randomBytes(INDEX_KEY_BYTES);
  const rowOf = (subject: string, lookup: string | null, key: Buffer): SubjectRow => ({
    subject,
    lookup,
    wrapped: vault.seal(key.toString('base64'), subjectKeyPlace(subject)),
  });
  const rows = lookupsOf([...names], indexKey).map(([lookup, name]) => {
    let subject = uuid();
    while (!accepts(name, shortOf(subject))) subject = uuid();
    return rowOf(subject, lookup, newDataKey());
  });
  return [rowOf(NIL, null, indexKey), ...rows];
}

/**
 * The keys of names in rows; names without one are left out.
 * @throws SubjectKeyError if they are wrapped with another secret, or were altered
 */
export function keysInRows(
  names: Iterable<string>,
  rows: readonly SubjectRow[],
  vault: Vault,
): Map<string, SubjectKey> {
  const open = ({ subject, wrapped }: SubjectRow): SubjectKey => {
    try {
      return {
        subject: shortOf(subject),
        key: Buffer.from(vault.open(wrapped, subjectKeyPlace(subject)), 'base64'),
      };
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      throw new SubjectKeyError(
        error.failure === 'key'
          ? `the key of subject ${subject} was encrypted with a different secret key`
          : `the key of subject ${subject} was changed, or belongs to another subject`,
      );
    }
  };
  const index = rows.find(({ subject }) => subject === NIL);
  if (!index) return new Map();
  const byLookup = new Map(rows.map((row) => [row.lookup, row]));
  return new Map(
    lookupsOf([...names], Buffer.from(open(index).key)).flatMap(([lookup, name]) => {
      const row = byLookup.get(lookup);
      return row ? [[name, open(row)] as const] : [];
    }),
  );
}
