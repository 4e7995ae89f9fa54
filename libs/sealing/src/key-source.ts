import type { SubjectKey } from './sealed-text.ts';

/** The key of a subject cannot be used; the message names the subject. */
export class SubjectKeyError extends Error {
  override name = 'SubjectKeyError';
}

/** The row of the key was changed. Those of other subjects can be used. */
export class DamagedKeyError extends SubjectKeyError {
  override name = 'DamagedKeyError';
}

/** The key needs a secret that this process was not given; another process may have it. */
export class OtherSecretError extends SubjectKeyError {
  override name = 'OtherSecretError';
}

/** Where keys of subjects come from: `SubjectKeys`. Every call can fail; then nothing is sealed or opened. */
export interface KeySource {
  /** By names, such as `user:ana` or `person:admin`; unknown ones get a key. */
  obtain(names: readonly string[]): Promise<Map<string, SubjectKey>>;
  /** Stores keys by the names of their subjects. A name that has a key keeps it. */
  store(keys: ReadonlyMap<string, SubjectKey>): Promise<void>;
  /** By names, those that are known. */
  find(names: readonly string[]): Promise<Map<string, SubjectKey>>;
  /**
   * By the ids of subjects; null: destroyed. Unknown ids are left out.
   * @param onDamaged receives the first of the keys that cannot be used, and their number; they are left out. Without
   *   it, one such key is an error
   */
  read(
    subjects: readonly string[],
    onDamaged?: (first: Error, count: number) => void,
  ): Promise<Map<string, SubjectKey | null>>;
}
