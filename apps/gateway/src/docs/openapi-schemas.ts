/** A JSON Schema, with the keywords that the conversion uses. */
type Schema = { [keyword: string]: unknown };

const COMPONENTS = '#/components/schemas/';

/** What OpenAPI 3.0 has no word for; what some of it says goes into the description. */
const LEFT_OUT = new Set(['$schema', '$id', '$defs', 'enumAnyCase', 'expected', 'propertyNames', 'examples']);

/** Keywords that apply to only one type, so that a choice of types can be split. */
const ONLY_WITH: Record<string, string> = {
  items: 'array',
  maxItems: 'array',
  minItems: 'array',
  pattern: 'string',
};

/**
 * The components of an OpenAPI 3.0 document for a JSON Schema: the schema under `name`, and its definitions. The
 * OpenAPI document has one dialect, the published schema another.
 */
export function openApiSchemas(name: string, schema: Schema): Record<string, Schema> {
  const definitions = Object.entries((schema.$defs ?? {}) as Record<string, Schema>);
  const nameOf = (definition: string) => `${name}${definition[0]!.toUpperCase()}${definition.slice(1)}`;
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    return typeof value === 'object' && value !== null ? convertSchema(value as Schema) : value;
  };
  const convertSchema = (given: Schema): Schema => {
    if (typeof given.$ref === 'string')
      return { $ref: COMPONENTS + nameOf(given.$ref.replace('#/$defs/', '')) };
    const kept = Object.entries(given).filter(([keyword]) => !LEFT_OUT.has(keyword));
    const converted = Object.fromEntries(
      kept.map(([keyword, value]) => [
        keyword,
        keyword === 'properties' ? mapValues(value as Schema, convert) : convert(value),
      ]),
    );
    return withChoice({ ...converted, ...descriptionOf(given), ...exampleOf(given), ...anyCaseOf(given) });
  };
  return Object.fromEntries([
    [name, convertSchema(schema)],
    ...definitions.map(([definition, given]) => [nameOf(definition), convertSchema(given)]),
  ]);
}

const mapValues = (object: Schema, map: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

function descriptionOf({ description, expected, enumAnyCase }: Schema): Schema {
  const words = Array.isArray(enumAnyCase) ? `One of ${enumAnyCase.join(', ')}, in any case.` : undefined;
  const sentences = [description, expected && `Expected: ${expected}.`, words].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

/** `enum` compares exactly: words that are taken in any case are a pattern. */
function anyCaseOf({ enumAnyCase }: Schema): Schema {
  if (!Array.isArray(enumAnyCase)) return {};
  const inAnyCase = (word: string) =>
    word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return { pattern: `^(${enumAnyCase.map(inAnyCase).join('|')})$` };
}

const exampleOf = ({ examples }: Schema): Schema =>
  Array.isArray(examples) && examples.length > 0 ? { example: examples[0] } : {};

/** OpenAPI 3.0 knows one type a schema: several become a choice. */
function withChoice(schema: Schema): Schema {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const shared = Object.entries(rest).filter(([keyword]) => !(keyword in ONLY_WITH));
  const anyOf = (type as string[]).map((one) => ({
    type: one,
    ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => ONLY_WITH[keyword] === one)),
  }));
  return { ...Object.fromEntries(shared), anyOf };
}
