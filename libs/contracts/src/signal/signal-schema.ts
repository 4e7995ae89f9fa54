import { Ajv2020, type SchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type FieldMessage, REMARKS_MAX } from '#libs/domain';
import { readSchemaFile } from '../schema-files.ts';
import { excerptOf } from './excerpt.ts';
import { schemaProblems } from './schema-problems.ts';

/** The published contract, `schemas/signal.schema.json`, as it is served. */
export const signalSchema: SchemaObject = readSchemaFile('signal.schema.json');

/** Stops at the first error: the usual case is that there is none, and a hostile one has many. */
const isSignal = compile(false);
/** Compiled when it is first needed: most processes never see a bad signal. */
let listErrors: ValidateFunction | null = null;

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
 * What is wrong with a cleansed signal by the schema: path and what was expected, the first 20, in the schema's
 * order; empty where it is a `Signal`.
 */
export function checkSignal(value: unknown): FieldMessage[] {
  if (isSignal(value)) return [];
  const first = isSignal.errors ?? [];
  listErrors ??= compile(true);
  const errors = listErrors(excerptOf(value)) ? first : (listErrors.errors ?? first);
  return schemaProblems(errors, signalSchema).slice(0, REMARKS_MAX);
}
