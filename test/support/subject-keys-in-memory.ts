import { createHash } from 'node:crypto';
import { DamagedKeyError, type KeySource, type SubjectKey, TextOpener } from '#libs/sealing';

/** Keys of subjects without a database: the same name always has the same key; those of users are of the earlier form. */
export class SubjectKeysInMemory implements KeySource {
  private readonly keys = new Map<string, SubjectKey | null>();
  private readonly damaged = new Set<string>();

  async obtain(names: readonly string[]): Promise<Map<string, SubjectKey>> {
    this.assertWhole(names.map((name) => keyFor(name).subject));
    return new Map(names.map((name) => [name, this.keyOf(name)]));
  }

  async store(keys: ReadonlyMap<string, SubjectKey>): Promise<void> {
    for (const name of keys.keys()) this.keyOf(name);
  }

  async find(names: readonly string[]): Promise<Map<string, SubjectKey>> {
    this.assertWhole(names.map((name) => keyFor(name).subject));
    const known = names.filter((name) => this.keys.get(keyFor(name).subject));
    return new Map(known.map((name) => [name, keyFor(name)]));
  }

  async read(subjects: readonly string[]): Promise<Map<string, SubjectKey | null>> {
    this.assertWhole(subjects);
    return new Map(
      subjects.flatMap((subject) =>
        this.keys.has(subject) ? [[subject, this.keys.get(subject)!] as const] : [],
      ),
    );
  }

  destroy({ subject }: SubjectKey): void {
    this.keys.set(subject, null);
  }

  damage(...names: string[]): void {
    for (const name of names) this.damaged.add(keyFor(name).subject);
  }

  private assertWhole(subjects: readonly string[]): void {
    const found = subjects.find((subject) => this.damaged.has(subject));
    if (found !== undefined) throw new DamagedKeyError(`the key of subject ${found} is damaged`);
  }

  keyOf(name: string): SubjectKey {
    const made = keyFor(name);
    this.keys.set(made.subject, made);
    return made;
  }
}

function keyFor(name: string): SubjectKey {
  const key = createHash('sha256').update(name).digest();
  const subject = key.subarray(0, 16).toString('base64url');
  return { subject, key: name.startsWith('machine:') ? createHash('sha512').update(name).digest() : key };
}

/** For readers on tables without sealed texts. */
export const NOTHING_SEALED = new TextOpener(new SubjectKeysInMemory(), (error) => {
  throw error;
});
