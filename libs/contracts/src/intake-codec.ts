import avro from 'avsc';
import type { Envelope, IntakeEvent, IntakePayload } from '#libs/domain';
import { readSchemaFile, schemaIds } from './schema-files.ts';
import { WireFormat } from './wire-format.ts';

/** Intake events as bytes; no registry is asked for their schemas (design "Events and the fold"). */

type EventType = IntakePayload['type'];

/** Each schema is built in a registry of its own, so that it stands alone. */
function buildType(
  file: string,
  logicalTypes: NonNullable<avro.ForSchemaOptions['logicalTypes']>,
): avro.Type {
  const registry: Record<string, avro.Type> = {};
  for (const part of schemaIds.parts) {
    avro.Type.forSchema(readSchemaFile(`intake/${part}.avsc`), { registry, logicalTypes });
  }
  return avro.Type.forSchema(readSchemaFile(`intake/${file}.avsc`), { registry, logicalTypes });
}

const wireFormat = new WireFormat<EventType>(
  schemaIds.intake.map(({ id, type, file }) => ({ id, name: type, type: buildType(file, {}) })),
);

/** Leaves the number as it is; a type that knows no logical types would leave their names out of its schema. */
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
    const complete = buildType(file, { 'timestamp-millis': NamedInstant });
    return {
      id,
      type,
      recordName: complete.name!,
      version: schemaIds.intake.slice(0, i + 1).filter((other) => other.type === type).length,
      schema: complete.schema({ exportAttrs: true }) as object,
    };
  });

export const encodeIntake = ({ envelope, payload }: IntakeEvent): Buffer =>
  wireFormat.encode(payload.type, { ...payload, envelope });

/**
 * @throws UnknownSchemaError where the schema id is not in ids.json
 * @throws CorruptRecordError where the bytes are not in wire format or do not decode
 */
export function decodeIntake(value: Buffer): IntakeEvent {
  const { name, record } = wireFormat.decode(value);
  const { envelope, ...payload } = record as { envelope: Envelope };
  return { envelope, payload: { type: name, ...payload } as IntakePayload };
}
