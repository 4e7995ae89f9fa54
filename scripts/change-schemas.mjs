// The changes that the stream of server-sent events sends, as OpenAPI schemas: its data has the fields of the
// published Avro schemas, times in ISO 8601.
import { readFileSync } from 'node:fs';

/** @returns {Record<string, object>} record name → schema */
export function changeSchemas() {
  return Object.fromEntries(
    ['asset-4', 'finding-5', 'score'].map((name) => {
      const file = new URL(`../schemas/changes/${name}.avsc`, import.meta.url);
      const record = JSON.parse(readFileSync(file, 'utf8'));
      return [record.name, asSent(schemaOf(record))];
    }),
  );
}

/** Callers who are limited to departments or locations do not learn how much else has changed. */
const UNLIMITED = ['sequence', 'position'];

function asSent(schema) {
  const { change } = schema.properties;
  const properties = Object.entries(change.properties).map(([name, property]) => [
    name,
    UNLIMITED.includes(name)
      ? {
          ...property,
          description: `${property.description}; not sent to callers with limits to departments or locations`,
        }
      : property,
  ]);
  const required = change.required.filter((name) => !UNLIMITED.includes(name));
  const sent = { ...change, required, properties: Object.fromEntries(properties) };
  return { ...schema, properties: { ...schema.properties, change: sent } };
}

const SIMPLE = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int: { type: 'integer' },
  long: { type: 'integer' },
  double: { type: 'number' },
};

function schemaOf(avro) {
  if (typeof avro === 'string') {
    if (!(avro in SIMPLE)) throw new Error(`no OpenAPI schema is known for the Avro type ${avro}`);
    return SIMPLE[avro];
  }
  if (Array.isArray(avro)) {
    const [nothing, type, ...others] = avro;
    if (nothing !== 'null' || others.length > 0) throw new Error('a union that is more than a type or null');
    return { ...schemaOf(type), nullable: true };
  }
  if (avro.logicalType === 'timestamp-millis') return { type: 'string', format: 'date-time' };
  switch (avro.type) {
    case 'record':
      return {
        type: 'object',
        description: avro.doc,
        required: avro.fields.map(({ name }) => name),
        properties: Object.fromEntries(
          avro.fields.map(({ name, type, doc }) => [
            name,
            { ...schemaOf(type), ...(doc && { description: doc }) },
          ]),
        ),
      };
    case 'array':
      return { type: 'array', items: schemaOf(avro.items) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(avro.values) };
    default:
      return schemaOf(avro.type);
  }
}
