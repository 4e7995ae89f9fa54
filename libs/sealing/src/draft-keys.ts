import type { KeySource } from './key-source.ts';
import type { SubjectKey } from './sealed-text.ts';
import { newSubjectKey } from './subject-key.ts';

/** Each key is encrypted before it is stored, which must not block other requests. */
const STORED_AT_ONCE = 500;

/**
 * Keys of one upload. Unknown subjects get keys that are only stored by `storeDrafts`: a preview, or an upload that is refused,
 * leaves none.
 */
export class DraftKeys implements KeySource {
  private readonly drafted = new Map<string, SubjectKey>();

  constructor(private readonly keys: KeySource) {}

  async obtain(names: readonly string[]): Promise<Map<string, SubjectKey>> {
    const found = await this.keys.find(names);
    return new Map(names.map((name) => [name, found.get(name) ?? this.draftOf(name)]));
  }

  store(keys: ReadonlyMap<string, SubjectKey>): Promise<void> {
    return this.keys.store(keys);
  }

  find(names: readonly string[]): Promise<Map<string, SubjectKey>> {
    return this.keys.find(names);
  }

  async read(...[subjects, onDamaged]: Parameters<KeySource['read']>): ReturnType<KeySource['read']> {
    const byId = new Map([...this.drafted.values()].map((key) => [key.subject, key]));
    const own = subjects.flatMap((subject) => byId.get(subject) ?? []);
    const others = subjects.filter((subject) => !byId.has(subject));
    const read = await this.keys.read(others, onDamaged);
    return new Map([...read, ...own.map((key) => [key.subject, key] as const)]);
  }

  /** Returns false if another upload has stored a key of a subject since: what was sealed cannot be opened. */
  async storeDrafts(): Promise<boolean> {
    const drafted = [...this.drafted];
    for (let from = 0; from < drafted.length; from += STORED_AT_ONCE) {
      const piece = new Map(drafted.slice(from, from + STORED_AT_ONCE));
      await this.keys.store(piece);
      const stored = await this.keys.find([...piece.keys()]);
      if ([...piece].some(([name, { subject }]) => stored.get(name)?.subject !== subject)) return false;
    }
    return true;
  }

  private draftOf(name: string): SubjectKey {
    const known = this.drafted.get(name);
    if (known) return known;
    const key = newSubjectKey();
    this.drafted.set(name, key);
    return key;
  }
}
