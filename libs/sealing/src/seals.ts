import { LRUCache } from 'lru-cache';
import {
  type EncodableEvent,
  EncodedPayload,
  isAboutEntityAlone,
  type PersonalKind,
  replaceInEnvelope,
  replaceInHeader,
  replaceInPayload,
} from '#libs/contracts';
import {
  type EntityType,
  type Envelope,
  type IntakePayload,
  isMachineName,
  posture2,
  type UploadHeader,
} from '#libs/domain';
import { hasSealedText, type SubjectKey, sealHostName, sealPublicAddress, sealText } from './sealed-text.ts';
import { ERASED } from './text-opener.ts';

/** Entity keys of subjects in the log are a mark and the id of the subject (ADR-0078). */
const SEALED_KEY = /^(?:user|machine):~([\w-]{22})$/;
export const sealedKey = (subject: string, type: EntityType = 'user'): string => `${type}:~${subject}`;
/** The subject of an entity key of the log; undefined if the entity is none. */
export const subjectOfKey = (entityKey: string): string | undefined => SEALED_KEY.exec(entityKey)?.[1];

export const entityTypeOf = (entityKey: string): EntityType =>
  entityKey.startsWith('machine:') ? 'machine' : 'user';
const isMachine = (entityKey: string): boolean => entityTypeOf(entityKey) === 'machine';

/** A subject by its id. It differs from every name, also from that of a user who is called `~…`. */
const SUBJECT = 'subject:';
export const subjectIn = (name: string): string | null =>
  name.startsWith(SUBJECT) ? name.slice(SUBJECT.length) : null;

/** Subject by its name: the entity key as received, `person:` and a user name, or `subject:` and its id. */
export type SealKeys = ReadonlyMap<string, SubjectKey | null>;

/** The user name of an API token in acts and uploads. */
export const tokenUser = (name: string): string => `token:${name}`;

export const personName = (user: string): string => `person:${user}`;

/** Whom an event is about, and who caused it. */
interface Origin {
  entityKey: string;
  cause: Pick<Envelope['cause'], 'user'>;
}

/** Whose text it is; null: of no subject, the text stays. @param record the record that has the field */
function subjectName(kind: PersonalKind, text: string, record: object, { entityKey, cause }: Origin) {
  switch (kind) {
    case 'entity':
    case 'name':
    case 'address':
      return nameInLog(entityKey);
    case 'actor':
      return cause.user === null ? null : personName(cause.user);
    case 'written':
      return nameInLog(entityKey) ?? (cause.user === null ? null : personName(cause.user));
    case 'person':
      return credentialName(text, record as { act?: string });
    case 'mentioned':
      return (record as { about?: string }).about ?? null;
  }
}

/** A token acts as `token:` and its name; those of roles and identity providers are names of no person. */
function credentialName(name: string, { act = '' }: { act?: string }): string | null {
  if (act.startsWith('role') || act.startsWith('identityProvider')) return null;
  return personName(act.startsWith('token') ? tokenUser(name) : name);
}

/** Subjects whose texts an event contains. */
export function subjectsOf({ envelope, payload }: EncodableEvent): Set<string> {
  const names = new Set<string>();
  const note = (text: string, kind: PersonalKind, record: object) => {
    const name = hasSealedText(text) ? null : subjectName(kind, text, record, envelope);
    if (name !== null) names.add(name);
    return text;
  };
  replaceInEnvelope(envelope, note);
  if (!(payload instanceof EncodedPayload)) replaceInPayload(payload, note);
  return names;
}

/** Null for an entity that is no subject: most machines, and users from before sealing began. */
function nameInLog(entityKey: string): string | null {
  const subject = subjectOfKey(entityKey);
  return subject === undefined ? null : `${SUBJECT}${subject}`;
}

const KNOWN_MAX = 1_000;
const KNOWN_CHARACTERS_MAX = 200;

/** Seals texts with keys that were read before. */
export class Seals {
  private readonly keys: SealKeys;
  /** Texts of the last signals: those of an entity repeat the same name, addresses and tags. Undefined until one is sealed. */
  private known: LRUCache<string, string> | undefined;

  constructor(keys: SealKeys) {
    const byId = [...keys.values()].flatMap((key) =>
      key ? [[`${SUBJECT}${key.subject}`, key] as const] : [],
    );
    this.keys = new Map([...keys, ...byId]);
  }

  /** @param entityKey as received @returns the key of the entity in the log */
  readonly entityKeyOf = (entityKey: string): string => {
    const key = this.keys.get(entityKey);
    return key ? sealedKey(key.subject, entityTypeOf(entityKey)) : entityKey;
  };

  /** @param event with the entity key of the log; an encoded payload is sealed already (`sealPayload`) */
  readonly seal = <E extends EncodableEvent>({ envelope, payload }: E): EncodableEvent => {
    if (this.keys.size === 0) return { envelope, payload };
    const replace = this.replaceIn(envelope);
    return {
      envelope: replaceInEnvelope(envelope, replace),
      payload: payload instanceof EncodedPayload ? payload : this.sealPayload(envelope, payload),
    };
  };

  /** The payload of an event, before it is encoded. @param origin of the event, with the entity key of the log */
  sealPayload<P extends IntakePayload>(origin: Origin, payload: P): P {
    if (this.keys.size === 0) return payload;
    const hasTexts = nameInLog(origin.entityKey) !== null || !isAboutEntityAlone(payload.type);
    return hasTexts ? replaceInPayload(payload, this.replaceIn(origin)) : payload;
  }

  /** As events contain it: without the names that its warnings are about. */
  header(header: UploadHeader): UploadHeader {
    const sealed = this.keys.size === 0 ? header : replaceInHeader(header, this.replaceIn(NO_EVENT));
    const { warnings, ...rest } = sealed;
    return { ...rest, warnings: warnings.map(({ entry, field, message }) => ({ entry, field, message })) };
  }

  /** A user name, or a text of that user. */
  personal(user: string, text = user): string {
    return this.text(text, personName(user));
  }

  /** A text about an entity. @param entityKey as received */
  textOf(entityKey: string, text: string, kind: PersonalKind = 'entity'): string {
    return this.text(text, entityKey, formOf(kind, text, entityKey));
  }

  private replaceIn(origin: Origin) {
    return (text: string, kind: PersonalKind, record: object) => {
      const name = subjectName(kind, text, record, origin);
      return name === null ? text : this.text(text, name, formOf(kind, text, origin.entityKey));
    };
  }

  private text(text: string, name: string, { mark, seal }: Form = PLAIN): string {
    const key = this.keys.get(name);
    if (key === undefined || hasSealedText(text)) return text;
    if (key === null) return ERASED;
    if (text.length > KNOWN_CHARACTERS_MAX) return seal(text, key);
    this.known ??= new LRUCache({ max: KNOWN_MAX });
    const place = `${mark}${key.subject}${text}`;
    const known = this.known.get(place) ?? seal(text, key);
    this.known.set(place, known);
    return known;
  }
}

/** What a sealed text shows of the text. */
interface Form {
  mark: string;
  seal: (text: string, key: SubjectKey) => string;
}
const PLAIN: Form = { mark: '', seal: sealText };
const HOST_NAME: Form = { mark: 'h', seal: sealHostName };
/** Names of machines are compared in any case. */
const OTHER_NAME: Form = { mark: 'n', seal: (name, key) => sealText(name.toLowerCase(), key) };
const PUBLIC_ADDRESS: Form = { mark: 'p', seal: sealPublicAddress };

function formOf(kind: PersonalKind, text: string, entityKey: string): Form {
  if (kind === 'name' && isMachine(entityKey)) return isMachineName(text) ? HOST_NAME : OTHER_NAME;
  if (kind === 'address' && isMachine(entityKey) && posture2.isPublicAddress(text)) return PUBLIC_ADDRESS;
  return PLAIN;
}

const NO_EVENT: Origin = { entityKey: '', cause: { user: null } };
