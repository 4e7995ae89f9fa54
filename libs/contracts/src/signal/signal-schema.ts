import { Ajv2020, type SchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type FieldMessage, REMARKS_MAX } from '#libs/domain';
import { onFirstUse } from '../on-first-use.ts';
import { readSchemaFile } from '../schema-files.ts';
import { excerptOf } from './excerpt.ts';
import { schemaProblems } from './schema-problems.ts';

/** The published contract, `schemas/signal.schema.json`, as it is served. */
export const signalSchema: SchemaObject = readSchemaFile('signal.schema.json');

/** Stops at the first error: the usual case is that there is none, and a hostile one has many. */
const isSignal = onFirstUse(() => compile(false));
/** Most processes never see a bad signal. */
const listErrors = onFirstUse(() => compile(true));

function compile(allErrors: boolean): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    formats: {},
  });
  ajv.addKeyword({
    keyword: 'enumAnyCase',
    type: 'string',
    schemaType: 'array',
    compile: (words: string[]) => {
      const known = new Set(words.flatMap((word) => [word, word.toLowerCase()]));
      return (text: string) => known.has(text) || known.has(text.toLowerCase());
    },
  });
  ajv.addKeyword({ keyword: 'expected', schemaType: 'string' });
  return ajv.compile(signalSchema);
}

/**
 * The schema errors of a cleansed signal: path and expected value, the first 20, in the schema's order; empty if it is
 * a `Signal`.
 */
export function checkSignal(value: unknown): FieldMessage[] {
  const check = isSignal();
  if (check(value)) return [];
  const first = check.errors ?? [];
  const list = listErrors();
  const errors = list(excerptOf(value)) ? first : (list.errors ?? first);
  return schemaProblems(errors, signalSchema).slice(0, REMARKS_MAX);
}
