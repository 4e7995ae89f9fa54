import type { OpenAPIObject } from '@nestjs/swagger';
import { WITHOUT_NUL_PATTERN } from '../paging/is-text.ts';

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type Parameter = NonNullable<Operation['parameters']>[number];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation of the document, with its path. */
export const operationsOf = ({ paths }: Pick<OpenAPIObject, 'paths'>): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): [string, Operation][] => (item[method] ? [[path, item[method]]] : [])),
  );

/**
 * Adds to every operation the facts without a decorator: that it is public, that ids are UUIDs, that bodies are closed.
 */
export function describeOperations(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  for (const [path, operation] of operationsOf(document)) {
    operation.security ??= [];
    operation.parameters?.forEach((parameter) => {
      describeId(path, parameter);
    });
    for (const name of bodySchemas(operation)) closeObject(schemas, name);
  }
}

/** Resources are read by UUID; the ids of the schema registry are integers. */
function describeId(path: string, parameter: Parameter): void {
  if ('$ref' in parameter || parameter.in !== 'path' || parameter.name !== 'id') return;
  parameter.schema = path.startsWith('/schemas/')
    ? { type: 'integer', minimum: 1 }
    : { type: 'string', format: 'uuid' };
}

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

const nameOf = (schema: Schema | undefined): string[] =>
  schema && '$ref' in schema ? [schema.$ref.replace(REFERENCE, '$1')] : [];

/** DTOs that are checked with `forbidNonWhitelisted`; a signal keeps unknown fields. */
function bodySchemas({ requestBody }: Operation): string[] {
  if (!requestBody || '$ref' in requestBody) return [];
  return Object.values(requestBody.content)
    .flatMap(({ schema }) => nameOf(schema))
    .filter((name) => name !== 'Signal');
}

/** Nothing but the properties it names, and so for the objects in it. */
function closeObject(schemas: Schemas, name: string): void {
  const schema = schemas[name];
  if (!schema || '$ref' in schema || schema.additionalProperties !== undefined) return;
  schema.additionalProperties = false;
  for (const property of Object.values(schema.properties ?? {})) {
    // U+0000 in a body is replaced when the body is parsed.
    if (!('$ref' in property) && property.pattern === WITHOUT_NUL_PATTERN) delete property.pattern;
    for (const inner of innerNames(property)) closeObject(schemas, inner);
  }
}

function innerNames(schema: Schema | undefined): string[] {
  if (!schema || '$ref' in schema) return nameOf(schema);
  const inner = [schema.items, ...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return inner.flatMap(innerNames);
}
