import { getMetadataStorage, MAX, MIN } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { targetConstructorToSchema } from 'class-validator-jsonschema';

/** Metadata keys of @nestjs/swagger for `@ApiProperty`; it does not export them. */
const DECLARED = 'swagger/apiModelProperties';
/** The names of a class's properties, each after a colon. */
const DECLARED_KEYS = 'swagger/apiModelPropertiesArray';

/**
 * The fields that a check may add to a declaration. Types of objects, descriptions and `required` are only declared.
 */
const BOUNDS = [
  'enum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
  'uniqueItems',
] as const;

type Keywords = Partial<Record<(typeof BOUNDS)[number], unknown>> & {
  type?: unknown;
  items?: Keywords;
  isArray?: boolean;
  oneOf?: unknown;
  description?: string;
};

/** The converters of class-validator-jsonschema add `number`, which would hide the `integer` of another check. */
const WITHOUT_TYPE = {
  [MIN]: ({ constraints }: ValidationMetadata) => ({ minimum: constraints[0] }),
  [MAX]: ({ constraints }: ValidationMetadata) => ({ maximum: constraints[0] }),
};

export type Dto = new () => unknown;

/**
 * Adds to the declared properties of every DTO what its class-validator checks enforce: bounds, patterns, formats,
 * enums, and `integer` for `@IsInt`. Declarations of a DTO stay. Call it before the document is created; a second call
 * has no effect.
 */
export function describeChecks(): void {
  for (const dto of checkedClasses()) describeChecksOf(dto);
}

/** As `describeChecks`, of one DTO. */
export function describeChecksOf(dto: Dto): void {
  const { properties = {} } = targetConstructorToSchema(dto, { additionalConverters: WITHOUT_TYPE });
  for (const [name, declared] of declaredProperties(dto)) {
    const checked = properties[name] as Keywords | undefined;
    if (checked) Reflect.defineMetadata(DECLARED, withChecks(declared, checked), dto.prototype, name);
  }
}

/** What `@ApiProperty` declares of each property, inherited ones too. */
export function declaredProperties({ prototype }: Dto): [string, Keywords][] {
  const keys: string[] = Reflect.getMetadata(DECLARED_KEYS, prototype) ?? [];
  return keys.map((key) => {
    const name = key.slice(1);
    return [name, Reflect.getMetadata(DECLARED, prototype, name)];
  });
}

/** class-validator has no public list of the classes that it checks. */
export function checkedClasses(): Dto[] {
  const storage = getMetadataStorage() as unknown as { validationMetadatas: Map<Dto, unknown> };
  return [...storage.validationMetadatas.keys()];
}

/** An instant is text to the sender and an integer once it is read: the declared type decides. */
function withChecks(declared: Keywords, checked: Keywords): Keywords {
  // Each accepted form has separate bounds.
  if (declared.oneOf) return declared;
  const isNumber = declared.type === Number || declared.type === 'number';
  return {
    ...boundsOf(checked),
    ...declared,
    ...(isNumber && checked.type === 'integer' && { type: 'integer' }),
    ...(checked.items && withItems(declared, checked.items)),
  };
}

const boundsOf = (checked: Keywords): Keywords =>
  Object.fromEntries(
    BOUNDS.filter((name) => checked[name] !== undefined).map((name) => [name, checked[name]]),
  );

/** `type: [String]` has no place for the bounds of its items: an array with `items` has. */
function withItems({ type, isArray, items }: Keywords, checked: Keywords): Keywords {
  if (items) return { items: { ...boundsOf(checked), ...items } };
  return isArray && type === String
    ? { type: 'array', isArray: false, items: { type: 'string', ...boundsOf(checked) } }
    : {};
}
