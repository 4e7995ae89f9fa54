import { describe, expect, it } from '@jest/globals';
import avro from 'avsc';
import { changeSchemas } from './change-codec.ts';
import { intakeSchemas } from './intake-codec.ts';

const typeOf = (schema: object) => avro.Type.forSchema(schema as avro.Schema);

/** Each schema with the latest one of its name. */
function withLatest<S extends { schema: object }>(schemas: S[], nameOf: (schema: S) => string) {
  const latest = new Map(schemas.map((schema) => [nameOf(schema), schema]));
  return schemas.map((schema) => ({ ...schema, latest: latest.get(nameOf(schema))!.schema }));
}

describe('released schemas', () => {
  const intake = withLatest(intakeSchemas(), ({ type }) => type);
  const changes = withLatest(changeSchemas(), ({ subject }) => subject);

  it.each([...intake, ...changes])(
    'the latest version of its name reads schema $id',
    ({ schema, latest }) => {
      expect(() => typeOf(latest).createResolver(typeOf(schema))).not.toThrow();
    },
  );
});
