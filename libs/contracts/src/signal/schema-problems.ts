import type { AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';
import type { FieldMessage } from '#libs/domain';

const SHOWN_NAME_MAX = 100;

/** Ajv's errors in words: one for each field, its dotted path and what was expected, never the value. */
export function schemaProblems(errors: ErrorObject[], root: AnySchemaObject): FieldMessage[] {
  const problems = new Map<string, FieldMessage>();
  for (const error of errors) {
    const problem = problemOf(error, root);
    if (!problems.has(problem.field)) problems.set(problem.field, problem);
  }
  return [...problems.values()];
}

function problemOf(error: ErrorObject, root: AnySchemaObject): FieldMessage {
  const { keyword, instancePath, params, parentSchema = {}, propertyName } = error;
  const path = instancePath.split('/').slice(1).map(unescaped);
  if (keyword === 'required') {
    const name: string = params.missingProperty;
    const schema = resolved(parentSchema.properties?.[name] ?? {}, root);
    return { field: fieldOf([...path, name]), message: `is missing: it must be ${expectation(schema)}` };
  }
  if (propertyName !== undefined) {
    return {
      field: fieldOf(path),
      message: `must have names of at most ${grouped(params.limit)} characters`,
    };
  }
  return { field: fieldOf(path), message: `must be ${expectation(resolved(parentSchema, root))}` };
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** `securityContexts[1].tags.port`; names that a sender chose are cut to a length that can be shown. */
const fieldOf = (path: string[]): string =>
  path
    .map((part) => {
      if (/^\d+$/.test(part)) return `[${part}]`;
      return `.${part.length > SHOWN_NAME_MAX ? `${part.slice(0, SHOWN_NAME_MAX)}…` : part}`;
    })
    .join('')
    .replace(/^\./, '');

function resolved(schema: AnySchemaObject, root: AnySchemaObject): AnySchemaObject {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : null;
  return name === null ? schema : { ...root.$defs[name], ...schema };
}

/** The values that a part of the schema accepts, as the end of "must be …". */
function expectation(schema: AnySchemaObject): string {
  if (schema.expected) return schema.expected;
  if (schema.enumAnyCase) return `one of ${schema.enumAnyCase.join(', ')} (case-insensitive)`;
  const types: string[] = [schema.type ?? []].flat();
  return types.map((type) => expectationOfType(type, schema)).join(', or ');
}

function expectationOfType(type: string, schema: AnySchemaObject): string {
  switch (type) {
    case 'string':
      return schema.minLength
        ? `text of ${schema.minLength} to ${grouped(schema.maxLength)} characters`
        : `text of at most ${grouped(schema.maxLength)} characters`;
    case 'number':
      return `a number${rangeOf(schema)}`;
    case 'integer':
      return `an integer${rangeOf(schema)}`;
    case 'array':
      return `a list of at most ${grouped(schema.maxItems)} items${eachOf(schema)}`;
    case 'boolean':
      return 'true or false';
    default:
      return schema.maxProperties
        ? `an object of at most ${grouped(schema.maxProperties)} properties`
        : 'an object';
  }
}

const eachOf = ({ items }: AnySchemaObject): string =>
  items?.type === undefined || items.type === 'object' || items.maxLength === undefined
    ? ''
    : `, each ${expectation(items)}`;

function rangeOf({ minimum, maximum }: AnySchemaObject): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${grouped(minimum)} to ${grouped(maximum)}`;
  return minimum === undefined ? '' : `, ${grouped(minimum)} or more`;
}

const grouped = (value: number): string => value.toLocaleString('en-US');
