import type { Envelope, IntakePayload, UploadHeader } from '#libs/domain';
import { onFirstUse } from './on-first-use.ts';
import { readSchemaFile, schemaIds } from './schema-files.ts';

/** Whose a personal text is, as the event schemas declare it in `personal` (docs/privacy.md). */
export type PersonalKind = 'entity' | 'name' | 'address' | 'actor' | 'written' | 'person' | 'mentioned';

/** Kinds of the texts about the entity of an event. */
const OF_ENTITY: ReadonlySet<PersonalKind> = new Set(['entity', 'name', 'address']);

/** Replaces a personal text of the log. @param record the record that has the field */
export type ReplaceText = (text: string, kind: PersonalKind, record: object) => string;

type Replace = (value: unknown, replace: ReplaceText, record: object) => unknown;
/** Replaces what is personal in a value, and says what kinds there are. */
interface Replacer {
  in: Replace;
  kinds: ReadonlySet<PersonalKind>;
}
type Field = { name: string; type: Schema; personal?: string };
type RecordSchema = { type: 'record'; name: string; fields: Field[] };
type Schema = string | Schema[] | RecordSchema | { type: Schema; items?: Schema; values?: Schema };

const KINDS: ReadonlySet<string> = new Set([
  ...OF_ENTITY,
  'actor',
  'written',
  'person',
  'mentioned',
] satisfies PersonalKind[]);

const isPersonal = (personal: string | undefined): personal is PersonalKind =>
  personal !== undefined && KINDS.has(personal);

const isRecord = (schema: Schema): schema is RecordSchema =>
  typeof schema === 'object' && !Array.isArray(schema) && schema.type === 'record';

/** Finds the personal texts of events by the latest schema of their type: a new field is found without more code. */
class Replacers {
  private readonly records = new Map<string, Replacer | null>();
  private readonly payloads = new Map<string, Replacer | null>();
  readonly envelope: Replacer;

  constructor() {
    const schemaOf = (file: string): RecordSchema => readSchemaFile(`intake/${file}.avsc`);
    for (const part of schemaIds.parts) this.ofRecord(schemaOf(part));
    this.envelope = this.records.get('Envelope')!;
    for (const { type, file } of schemaIds.intake) {
      const { fields, ...schema } = schemaOf(file);
      const own = fields.filter(({ name }) => name !== 'envelope');
      this.payloads.set(type, this.ofRecord({ ...schema, fields: own }));
    }
  }

  get header(): Replacer {
    return this.records.get('UploadHeader')!;
  }

  payload(type: IntakePayload['type']): Replacer | null {
    return this.payloads.get(type) ?? null;
  }

  /** Null if no text in it is personal. */
  private of(schema: Schema, personal: string | undefined): Replacer | null {
    if (Array.isArray(schema)) return this.ofUnion(schema, personal);
    if (typeof schema === 'string') {
      if (schema === 'string') return isPersonal(personal) ? textOf(personal) : null;
      return this.records.get(schema.split('.').at(-1)!) ?? null;
    }
    if (isRecord(schema)) return this.ofRecord(schema);
    if (schema.items !== undefined) return eachOf(this.of(schema.items, personal));
    if ('values' in schema && schema.values !== undefined) return valuesOf(this.of(schema.values, personal));
    return this.of(schema.type, personal);
  }

  /** Every union of the schemas is a type or null. */
  private ofUnion(types: Schema[], personal: string | undefined): Replacer | null {
    const [inner = null, ...more] = types.flatMap((type) =>
      type === 'null' ? [] : (this.of(type, personal) ?? []),
    );
    if (more.length > 0) throw new Error('a union of two types with personal texts is not supported');
    return inner && { ...inner, in: (value, replace, record) => value && inner.in(value, replace, record) };
  }

  private ofRecord({ name, fields }: RecordSchema): Replacer | null {
    const inner = fields.flatMap((field) => {
      const replacer = this.of(field.type, field.personal);
      return replacer ? [{ name: field.name, replacer }] : [];
    });
    const replaceIn: Replace = (value, replace) => {
      const record = value as Record<string, unknown>;
      const copy = { ...record };
      for (const { name, replacer } of inner) {
        if (record[name] !== undefined) copy[name] = replacer.in(record[name], replace, record);
      }
      return copy;
    };
    const kinds = new Set(inner.flatMap(({ replacer }) => [...replacer.kinds]));
    const replacer = inner.length === 0 ? null : { in: replaceIn, kinds };
    this.records.set(name, replacer);
    return replacer;
  }
}

/** The empty text stays: it states that there is none, such as the key of the unnamed instance (R-FIND-3). */
const textOf = (kind: PersonalKind): Replacer => ({
  in: (text, replace, record) => (text === '' ? text : replace(text as string, kind, record)),
  kinds: new Set([kind]),
});

const eachOf = (inner: Replacer | null): Replacer | null =>
  inner && {
    ...inner,
    in: (list, replace, record) => (list as unknown[]).map((one) => inner.in(one, replace, record)),
  };

const valuesOf = (inner: Replacer | null): Replacer | null =>
  inner && {
    ...inner,
    in: (map, replace, record) =>
      Object.fromEntries(
        Object.entries(map as object).map(([key, one]) => [key, inner.in(one, replace, record)]),
      ),
  };

const replacers = onFirstUse(() => new Replacers());

/** A copy of an envelope with its personal texts replaced; its entity key stays. */
export const replaceInEnvelope = (envelope: Envelope, replace: ReplaceText): Envelope =>
  replacers().envelope.in(envelope, replace, envelope) as Envelope;

/** As `replaceInEnvelope`. */
export const replaceInHeader = (header: UploadHeader, replace: ReplaceText): UploadHeader =>
  replacers().header.in(header, replace, header) as UploadHeader;

/** A copy of a payload with its personal texts replaced; the payload itself if its type has none. */
export function replaceInPayload<P extends IntakePayload>(payload: P, replace: ReplaceText): P {
  const replacer = replacers().payload(payload.type);
  return replacer ? (replacer.in(payload, replace, payload) as P) : payload;
}

/** Whether all personal texts of a type of events are about the entity: there are none if it is no subject. */
export const isAboutEntityAlone = (type: IntakePayload['type']): boolean =>
  [...(replacers().payload(type)?.kinds ?? [])].every((kind) => OF_ENTITY.has(kind));
