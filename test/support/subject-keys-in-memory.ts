import { createHash } from 'node:crypto';
import { type SubjectKey, TextOpener } from '#libs/sealing';

/** Keys of subjects without a database: the same name always has the same key; those of users are of the earlier form. */
export class SubjectKeysInMemory {
  private readonly keys = new Map<string, SubjectKey | null>();

  async obtain(names: readonly string[]): Promise<Map<string, SubjectKey>> {
    return new Map(names.map((name) => [name, this.keyOf(name)]));
  }

  async read(subjects: readonly string[]): Promise<Map<string, SubjectKey | null>> {
    return new Map(
      subjects.flatMap((subject) =>
        this.keys.has(subject) ? [[subject, this.keys.get(subject)!] as const] : [],
      ),
    );
  }

  destroy({ subject }: SubjectKey): void {
    this.keys.set(subject, null);
  }

  keyOf(name: string): SubjectKey {
    const key = createHash('sha256').update(name).digest();
    const subject = key.subarray(0, 16).toString('base64url');
    const made = {
      subject,
      key: name.startsWith('machine:') ? createHash('sha512').update(name).digest() : key,
    };
    this.keys.set(made.subject, made);
    return made;
  }
}

/** For readers on tables without sealed texts. */
export const NOTHING_SEALED = new TextOpener(new SubjectKeysInMemory(), (error) => {
  throw error;
});
