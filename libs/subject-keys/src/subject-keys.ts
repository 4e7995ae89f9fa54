import { createHmac, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { NIL, stringify } from 'uuid';
import type { Schema } from '#libs/database';
import {
  DamagedKeyError,
  type KeySource,
  newSubjectKey,
  OtherSecretError,
  type SubjectKey,
  SubjectKeyError,
} from '#libs/sealing';
import { subjectKeyPlace, type Vault, VaultError } from '#libs/vault';

const INDEX_KEY_BYTES = 32;
const CACHED_MAX = 10_000;
/** A process that did not destroy a key uses it for this long. */
const CACHED_MS = 30_000;

/** The table of keys does not answer: nothing can be sealed or opened. */
export class KeysUnavailableError extends Error {
  override name = 'KeysUnavailableError';
}

/** A data key, or null if it was destroyed. */
type StoredKey = SubjectKey | null;

/** The keys of subjects (`subject_keys`), unwrapped with the secret of the site. */
export class SubjectKeys implements KeySource {
  /** By the name and by the id of the subject. */
  private readonly known = new LRUCache<string, { key: StoredKey }>({ max: CACHED_MAX, ttl: CACHED_MS });
  private indexKey: Buffer | undefined;

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly vault: Vault,
  ) {}

  /**
   * The keys of subjects by their names, such as `user:ana` or `person:admin`; unknown ones get a key. Concurrent calls
   * for a new name return the same key.
   * @throws KeysUnavailableError, SubjectKeyError
   */
  async obtain(names: readonly string[]): Promise<Map<string, SubjectKey>> {
    const found = await this.find(names);
    const missing = names.filter((name) => !found.has(name));
    if (missing.length === 0) return found;
    await this.store(new Map(missing.map((name) => [name, newSubjectKey()])));
    return new Map([...found, ...(await this.find(missing))]);
  }

  /**
   * The keys of the names that are known.
   * @throws KeysUnavailableError, SubjectKeyError
   */
  async find(names: readonly string[]): Promise<Map<string, SubjectKey>> {
    const found = new Map<string, SubjectKey>();
    const unread = names.filter((name) => {
      const key = this.known.get(name)?.key;
      if (key) found.set(name, key);
      return !key;
    });
    if (unread.length === 0) return found;
    for (const { name, subject, wrapped } of await this.rowsOf(unread)) {
      const key = this.unwrapped(subject, wrapped!);
      this.known.set(name, { key });
      found.set(name, key);
    }
    return found;
  }

  /** The rows of the names that are known. */
  private async rowsOf(names: readonly string[]) {
    const indexKey = await this.readIndexKey();
    if (!indexKey) return [];
    const nameOf = new Map(lookupsOf(names, indexKey));
    const rows = await answered(
      this.db
        .selectFrom('subject_keys')
        .select(['subject', 'lookup', 'wrapped'])
        .where(sql<boolean>`lookup = any(${[...nameOf.keys()].map(hexBytes)}::bytea[])`)
        .execute(),
    );
    return rows.map(({ lookup, ...row }) => ({ ...row, name: nameOf.get(lookup!.toString('hex'))! }));
  }

  /**
   * The keys of subjects by their ids; null: destroyed. Unknown ids are left out.
   * @param onDamaged receives the first of the keys that cannot be used, and their number. They are left out, so that
   *   readers show the texts of others
   * @throws KeysUnavailableError; without `onDamaged` also SubjectKeyError
   */
  async read(
    subjects: readonly string[],
    onDamaged?: (first: SubjectKeyError, count: number) => void,
  ): Promise<Map<string, StoredKey>> {
    const found = new Map<string, StoredKey>();
    const unread = subjects.filter((subject) => {
      const known = this.known.get(subject);
      if (known) found.set(subject, known.key);
      return !known;
    });
    if (unread.length === 0) return found;
    const rows = await answered(
      this.db
        .selectFrom('subject_keys')
        .select(['subject', 'wrapped'])
        .where(sql<boolean>`subject = any(${unread.map(uuidOf)}::uuid[])`)
        .execute(),
    );
    const damaged: SubjectKeyError[] = [];
    for (const { subject, wrapped } of rows) {
      try {
        const key = wrapped === null ? null : this.unwrapped(subject, wrapped);
        this.known.set(shortOf(subject), { key });
        found.set(shortOf(subject), key);
      } catch (error) {
        if (!(onDamaged && error instanceof SubjectKeyError)) throw error;
        damaged.push(error);
      }
    }
    // Once: with a wrong secret key, no key of a page can be used.
    if (damaged.length > 0) onDamaged!(damaged[0]!, damaged.length);
    return found;
  }

  /**
   * Ids of the subjects of names that are known. No key is unwrapped: a damaged one can be erased.
   * @throws KeysUnavailableError; SubjectKeyError if the key of the lookups is damaged
   */
  async identify(names: readonly string[]): Promise<Map<string, string>> {
    return new Map((await this.rowsOf(names)).map(({ name, subject }) => [name, shortOf(subject)]));
  }

  /**
   * When the keys of subjects were destroyed, in epoch milliseconds; null: they exist. Unknown ids are left out.
   * @throws KeysUnavailableError
   */
  async destroyedAt(subjects: readonly string[]): Promise<Map<string, number | null>> {
    const rows = await answered(
      this.db
        .selectFrom('subject_keys')
        .select(['subject', 'destroyed_at'])
        .where(sql<boolean>`subject = any(${subjects.map(uuidOf)}::uuid[])`)
        .where('subject', '<>', NIL)
        .execute(),
    );
    return new Map(rows.map(({ subject, destroyed_at }) => [shortOf(subject), destroyed_at]));
  }

  /**
   * Destroys keys, for ever; repeating changes nothing. This process forgets them at once. A key that was lost, as by a
   * restore without keys, is destroyed too.
   * @throws KeysUnavailableError
   */
  async destroy(subjects: readonly string[]): Promise<void> {
    await answered(
      sql`insert into subject_keys as known (subject, destroyed_at)
        select subject, now() from unnest(${subjects.map(uuidOf)}::uuid[]) subject
         where subject <> ${NIL} order by subject
        on conflict (subject) do update set wrapped = null, lookup = null, destroyed_at = now()
         where known.destroyed_at is null`.execute(this.db),
    );
    const destroyed = new Set(subjects);
    for (const [name, { key }] of this.known.entries()) {
      if (key && destroyed.has(key.subject)) this.known.delete(name);
    }
  }

  /**
   * Stores new keys. A name that has a key keeps it.
   * @throws KeysUnavailableError
   */
  async store(keys: ReadonlyMap<string, SubjectKey>): Promise<void> {
    // In the order of their lookups: two that create the same names wait for each other, and not in a circle.
    const indexKey = (await this.readIndexKey()) ?? (await this.createIndexKey());
    const rows = lookupsOf([...keys.keys()], indexKey)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([lookup, name]) => {
        const { subject: id, key } = keys.get(name)!;
        const subject = stringify(Buffer.from(id, 'base64url'));
        return { subject, lookup: hexBytes(lookup), wrapped: this.wrapped(subject, key) };
      });
    const [subjects, lookups, wrapped] = [
      rows.map((row) => row.subject),
      rows.map((row) => row.lookup),
      rows.map((row) => row.wrapped),
    ];
    await answered(
      sql`insert into subject_keys (subject, lookup, wrapped)
        select * from unnest(${subjects}::uuid[], ${lookups}::bytea[], ${wrapped}::text[])
        on conflict (lookup) do nothing`.execute(this.db),
    );
  }

  /** Undefined before the first subject. */
  private async readIndexKey(): Promise<Buffer | undefined> {
    if (this.indexKey) return this.indexKey;
    const row = await answered(
      this.db.selectFrom('subject_keys').select('wrapped').where('subject', '=', NIL).executeTakeFirst(),
    );
    if (row) this.indexKey = Buffer.from(this.unwrapped(NIL, row.wrapped!).key);
    return this.indexKey;
  }

  private async createIndexKey(): Promise<Buffer> {
    const wrapped = this.wrapped(NIL, randomBytes(INDEX_KEY_BYTES));
    await answered(
      this.db
        .insertInto('subject_keys')
        .values({ subject: NIL, wrapped })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    return (await this.readIndexKey())!;
  }

  private wrapped(subject: string, key: Uint8Array): string {
    return this.vault.seal(Buffer.from(key).toString('base64'), subjectKeyPlace(subject));
  }

  /** @throws SubjectKeyError */
  private unwrapped(subject: string, wrapped: string): SubjectKey {
    try {
      return {
        subject: shortOf(subject),
        key: Buffer.from(this.vault.open(wrapped, subjectKeyPlace(subject)), 'base64'),
      };
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      if (error.failure === 'key') {
        throw new OtherSecretError(
          `the key of subject ${subject} was encrypted with a different secret key: set POSTURE_PREVIOUS_SECRET_KEY to it`,
        );
      }
      const Failure = subject === NIL ? SubjectKeyError : DamagedKeyError;
      throw new Failure(
        `the key of subject ${subject} was changed, or belongs to another subject: restore subject_keys`,
      );
    }
  }
}

/** Each name with its lookup, in hexadecimal digits. */
export const lookupsOf = (names: readonly string[], indexKey: Buffer): [lookup: string, name: string][] =>
  names.map((name) => [createHmac('sha256', indexKey).update(name).digest('hex'), name]);

const hexBytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
/** Id of a subject in 22 characters of base64url. @param subject as UUID */
export const shortOf = (subject: string): string =>
  hexBytes(subject.replaceAll('-', '')).toString('base64url');
const uuidOf = (subject: string): string => Buffer.from(subject, 'base64url').toString('hex');

async function answered<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw new KeysUnavailableError('the keys of personal texts cannot be read', { cause: error });
  }
}
