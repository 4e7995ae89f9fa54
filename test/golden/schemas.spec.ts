import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import avro from 'avsc';
import { changeSchemas } from '#libs/contracts';
import { frozenFile, isFrozen, releasedSchemas } from './released-schemas.ts';

/**
 * The meaning of bytes with a schema id never changes (R-LOG-5). `schemas/` in this folder contains every released
 * schema unchanged, one file an id. A new meaning is a new file under `schemas/`, a new id in `schemas/ids.json`, and
 * its frozen copy here.
 */

const released = releasedSchemas();

const frozen = (id: number): avro.Schema => JSON.parse(readFileSync(frozenFile(id), 'utf8'));

/** A schema without the parts that do not affect the encoding. */
function withoutDocs(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDocs);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'doc')
      .map(([key, value]) => [key, withoutDocs(value)]),
  );
}

/** Why records that were written with one schema cannot be read with another; null if they can. */
function whyUnreadable(reader: avro.Schema, writer: avro.Schema): string | null {
  const typeOf = (schema: avro.Schema) => avro.Type.forSchema(schema, { logicalTypes: {} });
  try {
    typeOf(reader).createResolver(typeOf(writer));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(released)('schema $id, $name', ({ id, name, schema }) => {
  it('is as it was released', () => {
    expect(isFrozen({ id, name, schema })).toBe(true);
    expect(withoutDocs(schema)).toEqual(withoutDocs(frozen(id)));
  });

  it('is read by the latest version of its name', () => {
    const latest = released.filter((other) => other.name === name).at(-1)!;
    expect(whyUnreadable(latest.schema as avro.Schema, frozen(id))).toBeNull();
  });
});

it.each(changeSchemas())('$subject: a subscriber of version $version reads the latest', ({ id, subject }) => {
  const latest = changeSchemas()
    .filter((other) => other.subject === subject)
    .at(-1)!;
  expect(whyUnreadable(frozen(id), latest.schema as avro.Schema)).toBeNull();
});

describe('a change of a released schema', () => {
  const finding = frozen(1001) as { fields: { name: string; type: unknown; default?: unknown }[] };
  const changed = (change: (fields: typeof finding.fields) => typeof finding.fields) =>
    ({ ...finding, fields: change(structuredClone(finding.fields)) }) as unknown as avro.Schema;
  const retyped = (name: string, type: unknown) =>
    changed((fields) => fields.map((field) => (field.name === name ? { ...field, type } : field)));

  it('is rejected if old records could not be read any more', () => {
    const breaking = {
      'a field without a default': changed((fields) => [...fields, { name: 'owner', type: 'string' }]),
      'a name for another': changed((fields) =>
        fields.map((field) => (field.name === 'version' ? { ...field, name: 'revision' } : field)),
      ),
      'a narrower type': retyped('severity', 'double'),
      'null no more': retyped('description', 'string'),
    };
    const unnoticed = Object.keys(breaking).filter(
      (what) => whyUnreadable(breaking[what as keyof typeof breaking], frozen(1001)) === null,
    );
    expect(unnoticed).toEqual([]);
  });

  it('is taken if it adds a field with a default', () => {
    const optional = { name: 'owner', type: ['null', 'string'], default: null };
    expect(
      whyUnreadable(
        changed((fields) => [...fields, optional]),
        frozen(1001),
      ),
    ).toBeNull();
  });
});
