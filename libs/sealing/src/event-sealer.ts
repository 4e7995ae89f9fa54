import type { EncodableEvent } from '#libs/contracts';
import { DraftKeys } from './draft-keys.ts';
import { type KeySource, SubjectKeyError } from './key-source.ts';
import { sealedMachines } from './sealed-machines.ts';
import type { SubjectKey } from './sealed-text.ts';
import { entityTypeOf, personName, type SealKeys, Seals, sealedKey, subjectIn, subjectsOf } from './seals.ts';
import { TextOpener } from './text-opener.ts';

/** Replaces the personal texts of events by sealed texts before they are appended. */
export class EventSealer {
  private readonly isSealedMachine: (entityKey: string) => boolean;

  /**
   * @param keys null: sealing is off, and everything stays as it is
   * @param machines patterns of the machines that are subjects (`SEAL_MACHINES`)
   */
  constructor(
    private readonly keys: KeySource | null,
    private readonly machines = '',
  ) {
    this.isSealedMachine = sealedMachines(machines);
  }

  get isOn(): boolean {
    return this.keys !== null;
  }

  /** A sealer that stores keys of unknown subjects only with `keys.storeDrafts`. `keys` is null if sealing is off. */
  drafted(): { sealer: EventSealer; keys: DraftKeys | null } {
    const keys = this.keys && new DraftKeys(this.keys);
    return { sealer: new EventSealer(keys, this.machines), keys };
  }

  /**
   * The keys of subjects by name; unknown ones get a key. Names that are no subject, such as those of most machines, are
   * left out.
   * @throws KeysUnavailableError, SubjectKeyError: then nothing may be appended
   */
  async keysOf(names: Iterable<string>): Promise<SealKeys> {
    if (!this.keys) return new Map();
    const all = [...new Set(names)];
    const stored = all.flatMap((name) => subjectIn(name) ?? []);
    const named = all.filter((name) => this.isSubject(name));
    const [byName, byId] = await Promise.all([this.keys.obtain(named), everyKey(this.keys, stored)]);
    return new Map<string, SubjectKey | null>([
      ...byName,
      ...[...byId].map(([subject, key]) => [`subject:${subject}`, key] as const),
    ]);
  }

  /**
   * The keys in the log of entities, by those as received. It only looks: a subject that is unknown is left out, since
   * nothing in the log is about it.
   * @throws KeysUnavailableError, SubjectKeyError
   */
  async knownKeys(entityKeys: readonly string[]): Promise<string[]> {
    if (!this.keys) return [...entityKeys];
    const found = await this.keys.find(entityKeys.filter((key) => this.isSubject(key)));
    return entityKeys.flatMap((key) => {
      if (!this.isSubject(key)) return [key];
      const known = found.get(key);
      return known ? [sealedKey(known.subject, entityTypeOf(key))] : [];
    });
  }

  /** @throws as `keysOf` */
  async sealsFor(names: Iterable<string>): Promise<Seals> {
    return this.keys ? new Seals(await this.keysOf(names)) : NO_SEALS;
  }

  /**
   * Events whose entity keys are those of the log.
   * @throws as `keysOf`
   */
  async seal(events: EncodableEvent[]): Promise<EncodableEvent[]> {
    if (!this.keys) return events;
    const seals = await this.sealsFor(events.flatMap((event) => [...subjectsOf(event)]));
    return events.map(seals.seal);
  }

  /**
   * A user name, or a text of that user, for a table outside the log.
   * @throws as `keysOf`
   */
  async personal(user: string, text = user): Promise<string> {
    return (await this.sealsFor([personName(user)])).personal(user, text);
  }

  /**
   * A text about an entity, for a table outside the log. The text of an entity that is no subject stays.
   * @param entityKey as received
   * @throws as `keysOf`
   */
  async entityText(entityKey: string, text: string): Promise<string> {
    return (await this.sealsFor([entityKey])).textOf(entityKey, text);
  }

  /**
   * A value with its sealed texts opened, for a decision about the next events.
   * @throws as `keysOf`
   */
  async open<T>(value: T): Promise<T> {
    const keys = this.keys ?? NO_KEYS;
    const opener = new TextOpener({ read: (subjects) => everyKey(keys, subjects) }, (error) => {
      throw error;
    });
    return opener.value(value);
  }

  private isSubject(name: string): boolean {
    return name.startsWith('user:') || name.startsWith('person:') || this.isSealedMachine(name);
  }

  /** How log lines name a user: the name, or the id of the subject. */
  async logName(user: string): Promise<string> {
    if (!this.keys) return user;
    return this.keys.obtain([personName(user)]).then(
      (keys) => keys.get(personName(user))!.subject,
      () => UNAVAILABLE,
    );
  }
}

/**
 * Only the text of a destroyed key is `erased`: a missing key can be restored, and its texts with it.
 * @throws KeysUnavailableError, SubjectKeyError
 */
async function everyKey(keys: Pick<KeySource, 'read'>, subjects: readonly string[]) {
  const found = await keys.read(subjects);
  const missing = subjects.find((subject) => !found.has(subject));
  if (missing === undefined) return found;
  throw new SubjectKeyError(`the key of subject ${missing} is missing: restore subject_keys`);
}

const UNAVAILABLE = 'unavailable';
const NO_SEALS = new Seals(new Map());
const NO_KEYS: Pick<KeySource, 'read'> = { read: async () => new Map() };
