import avro from 'avsc';
import type { Envelope, IntakeEvent, IntakePayload } from '#libs/domain';
import { encodeAvro } from './encode-avro.ts';
import { onFirstUse } from './on-first-use.ts';
import { readSchemaFile, schemaIds } from './schema-files.ts';
import { schemaType } from './schema-type.ts';
import { CorruptRecordError, HEADER_BYTES, WireFormat } from './wire-format.ts';

/** Intake events as bytes. Their schemas never come from a registry (R-LOG-5). */

type EventType = IntakePayload['type'];

/** Each schema is built in a separate registry, so that it depends on no other schema. */
function buildType(
  schema: avro.Schema,
  logicalTypes: NonNullable<avro.ForSchemaOptions['logicalTypes']>,
): avro.Type {
  const registry: Record<string, avro.Type> = {};
  for (const part of schemaIds.parts) {
    schemaType(readSchemaFile(`intake/${part}.avsc`), { registry, logicalTypes });
  }
  return schemaType(schema, { registry, logicalTypes });
}

const schemaOf = (file: string) => readSchemaFile(`intake/${file}.avsc`);

const wireFormat = new WireFormat<EventType>(
  schemaIds.intake.map(({ id, type, file }) => ({
    id,
    name: type,
    type: onFirstUse(() => buildType(schemaOf(file), {})),
  })),
);

/** Does not convert the number. It keeps the name of the logical type in the schema. */
class NamedInstant extends avro.types.LogicalType {
  protected override _fromValue(value: unknown): unknown {
    return value;
  }
  protected override _toValue(value: unknown): unknown {
    return value;
  }
}

/** An event type's schema, complete. */
export interface IntakeSchema {
  id: number;
  type: EventType;
  /** Full name of the record. */
  recordName: string;
  /** Counts the schemas of the type in the order of their release, from 1. */
  version: number;
  schema: object;
}

export const intakeSchemas = (): IntakeSchema[] =>
  schemaIds.intake.map(({ id, type, file }, i) => {
    const complete = buildType(schemaOf(file), { 'timestamp-millis': NamedInstant });
    return {
      id,
      type,
      recordName: complete.name!,
      version: schemaIds.intake.slice(0, i + 1).filter((other) => other.type === type).length,
      schema: complete.schema({ exportAttrs: true }) as object,
    };
  });

const envelopeType = onFirstUse(() => buildType('posture.intake.Envelope', {}));

/** The latest version of each event type, without its envelope. */
const payloadTypes = new Map<EventType, () => avro.Type>(
  schemaIds.intake.map(({ type, file }) => [
    type,
    onFirstUse(() => buildType(withoutEnvelope(schemaOf(file)), {})),
  ]),
);

/** In Avro the fields of a record follow one another: envelope and payload can be encoded apart. */
function withoutEnvelope(schema: { fields: { name: string }[] }): avro.Schema {
  const [first, ...fields] = schema.fields;
  if (first?.name !== 'envelope') throw new Error('the envelope must be the first field of an intake schema');
  return { ...schema, fields } as unknown as avro.Schema;
}

/**
 * The fields of `SignalReceived` in parts that follow one another. What the fold compares with a finding is in
 * `content` and `observations`, which are digested, and in no other part (ADR-0142).
 */
const SIGNAL_PARTS = {
  head: ['envelope', 'signalId'],
  entity: ['entity', 'assetRules', 'overrideAccepted'],
  content: ['source', 'name', 'description', 'confidence'],
  times: ['firstSeen', 'lastSeen', 'expiresAt', 'retainUntil', 'ignored', 'revoked'],
  observations: ['observations', 'extra'],
  rest: ['trustedSources', 'isTypeGiven'],
};

export type SignalParts = Record<keyof typeof SIGNAL_PARTS, avro.Type>;

/** By schema id, the type of each part of a signal. Signals of the first schema have no digests. */
export const signalParts: ReadonlyMap<number, () => SignalParts> = new Map(
  schemaIds.intake
    .filter(({ type }) => type === 'SignalReceived')
    .slice(1)
    .map(({ id, file }) => [id, onFirstUse(() => partsOf(file))]),
);

function partsOf(file: string): SignalParts {
  const schema = schemaOf(file) as { fields: { name: string }[] };
  const names = schema.fields.map(({ name }) => name);
  const parts = Object.values(SIGNAL_PARTS).flat();
  if (`${names}` !== `${parts.filter((name) => names.includes(name))}`) {
    throw new Error(`SIGNAL_PARTS must have the fields of ${file} in their order`);
  }
  const typeOf = (part: readonly string[]) =>
    buildType(
      {
        ...schema,
        fields: schema.fields.filter(({ name }) => part.includes(name)),
      } as unknown as avro.Schema,
      {},
    );
  const types = Object.entries(SIGNAL_PARTS).map(([part, fields]) => [part, typeOf(fields)]);
  return Object.fromEntries(types) as SignalParts;
}

/** An event without its envelope: the encoded bytes of the payload. */
export class EncodedPayload {
  private constructor(
    readonly type: EventType,
    readonly bytes: Buffer,
  ) {}

  static of(payload: IntakePayload): EncodedPayload {
    return new EncodedPayload(payload.type, encodeAvro(payloadTypes.get(payload.type)!(), payload));
  }

  decoded(): IntakePayload {
    const fields = payloadTypes.get(this.type)!().fromBuffer(this.bytes);
    return { type: this.type, ...fields } as IntakePayload;
  }
}

/** An event on its way to the log. */
export interface EncodableEvent {
  envelope: Envelope;
  payload: IntakePayload | EncodedPayload;
}

export function encodeIntake({ envelope, payload }: EncodableEvent): Buffer {
  const { type, bytes } = payload instanceof EncodedPayload ? payload : EncodedPayload.of(payload);
  const head = wireFormat.stamp(type, encodeAvro(envelopeType(), envelope, HEADER_BYTES));
  return Buffer.concat([head, bytes]);
}

/**
 * @throws UnknownSchemaError if the schema id is not in ids.json
 * @throws CorruptRecordError if the bytes are not in wire format or do not decode
 */
export function decodeIntake(value: Buffer): IntakeEvent {
  const { name, record } = wireFormat.decode(value);
  const { envelope, ...payload } = record as { envelope: Envelope };
  return { envelope, payload: { type: name, ...payload } as IntakePayload };
}

/**
 * As `decodeIntake`; null if the bytes are corrupt.
 * @throws UnknownSchemaError
 */
export function decodeIfIntact(value: Buffer): IntakeEvent | null {
  try {
    return decodeIntake(value);
  } catch (error) {
    if (error instanceof CorruptRecordError) return null;
    throw error;
  }
}
