// Compares JSON schemas, as OpenAPI 3.0 has them. A request may contain more than before, an answer may not: a schema
// that accepts more values is compatible in a request, a schema that accepts fewer is compatible in an answer.
import { added, incompatible, isSame, keysOf } from './changes.mjs';

/** Keywords that contain schemas. */
const NESTED = new Set(['$ref', 'properties', 'required', 'items', 'allOf', 'anyOf', 'oneOf']);
const LOWER_BOUNDS = new Set(['minimum', 'minLength', 'minItems', 'minProperties']);
const UPPER_BOUNDS = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords whose absence accepts every value. */
const RESTRICTIONS = new Set([...LOWER_BOUNDS, ...UPPER_BOUNDS, 'type', 'enum', 'pattern', 'format']);

/**
 * @param {object | undefined} before
 * @param {object | undefined} after
 * @param {string} where names the place in the report
 * @param {{isRequest: boolean, seen: Set<string>, refsBefore: object, refsAfter: object}} context `seen` is shared by
 *   the places of one direction, so that a change of a shared schema is reported once
 * @returns {Generator<import('./changes.mjs').Change>}
 */
export function* compareSchemas(before, after, where, context) {
  if (before === undefined && after === undefined) return;
  if (before === undefined || after === undefined) {
    const grows = before !== undefined;
    yield changeOf(grows ? 'wider' : 'narrower', where, grows ? 'schema removed' : 'schema added', context);
    return;
  }
  const name = nameOf(after.$ref) ?? nameOf(before.$ref);
  if (name !== undefined) {
    const pair = `${before.$ref} ${after.$ref}`;
    if (context.seen.has(pair)) return;
    context.seen.add(pair);
  }
  const place = name === undefined ? where : `${name} (${context.isRequest ? 'request' : 'answer'})`;
  yield* compareResolved(
    resolve(before, context.refsBefore),
    resolve(after, context.refsAfter),
    place,
    context,
  );
}

function* compareResolved(before, after, where, context) {
  yield* compareKeywords(before, after, where, context);
  yield* compareProperties(before, after, where, context);
  if (before.items || after.items) yield* compareSchemas(before.items, after.items, `${where}[]`, context);
  yield* compareAlternatives('anyOf', before, after, where, context);
  yield* compareAlternatives('oneOf', before, after, where, context);
  yield* compareAlternatives('allOf', before, after, where, context);
}

function* compareProperties(before, after, where, context) {
  for (const name of keysOf(before.properties, after.properties)) {
    const [old, now] = [before.properties?.[name], after.properties?.[name]];
    const place = `${where}.${name}`;
    const [wasRequired, isRequired] = [before, after].map(({ required = [] }) => required.includes(name));
    if (now === undefined) yield incompatible(place, 'field removed');
    else if (old === undefined) yield newField(place, isRequired, context);
    else {
      if (wasRequired !== isRequired) {
        const effect = isRequired ? 'narrower' : 'wider';
        yield changeOf(effect, place, isRequired ? 'now required' : 'no longer required', context);
      }
      yield* compareSchemas(old, now, place, context);
    }
  }
}

const newField = (where, isRequired, { isRequest }) =>
  isRequired && isRequest ? incompatible(where, 'new required field') : added(where, 'new field');

function* compareKeywords(before, after, where, context) {
  for (const keyword of keysOf(before, after)) {
    const [old, now] = [before[keyword], after[keyword]];
    if (NESTED.has(keyword) || isSame(old, now)) continue;
    if (keyword === 'additionalProperties' && isSchema(old) && isSchema(now))
      yield* compareSchemas(old, now, `${where}.*`, context);
    else yield changeOf(effectOf(keyword, old, now), where, worded(keyword, old, now), context);
  }
}

function* compareAlternatives(keyword, before, after, where, context) {
  const [old, now] = [before[keyword] ?? [], after[keyword] ?? []];
  if (old.length !== now.length) {
    // Each schema of allOf restricts; each schema of anyOf and oneOf permits, unless there was none.
    const grows = now.length > old.length;
    const permits = keyword !== 'allOf' && old.length > 0 && now.length > 0;
    const what = `${keyword} has ${now.length} schemas (${old.length} before)`;
    yield changeOf(grows === permits ? 'wider' : 'narrower', where, what, context);
  }
  for (const [i, schema] of old.slice(0, now.length).entries())
    yield* compareSchemas(schema, now[i], old.length === 1 ? where : `${where}<${i + 1}>`, context);
}

/** How a change of a keyword affects the values that the schema accepts. */
function effectOf(keyword, old, now) {
  if (keyword === 'deprecated') return 'note';
  if (keyword === 'nullable') return now ? 'wider' : 'narrower';
  if (keyword === 'uniqueItems') return now ? 'narrower' : 'wider';
  if (keyword === 'additionalProperties')
    return now === false ? 'narrower' : old === false ? 'wider' : 'other';
  if (!RESTRICTIONS.has(keyword)) return 'other';
  if (old === undefined) return 'narrower';
  if (now === undefined) return 'wider';
  if (LOWER_BOUNDS.has(keyword)) return now < old ? 'wider' : 'narrower';
  if (UPPER_BOUNDS.has(keyword)) return now > old ? 'wider' : 'narrower';
  if (keyword === 'enum') return effectOfValues(old, now);
  if (keyword === 'type' && old === 'integer' && now === 'number') return 'wider';
  if (keyword === 'type' && old === 'number' && now === 'integer') return 'narrower';
  return 'other';
}

function effectOfValues(old, now) {
  if (isSame([...old].sort(), [...now].sort())) return 'note';
  if (old.every((value) => now.includes(value))) return 'wider';
  return now.every((value) => old.includes(value)) ? 'narrower' : 'other';
}

function changeOf(effect, where, what, { isRequest }) {
  const compatible = isRequest ? 'wider' : 'narrower';
  return effect === 'note' || effect === compatible ? added(where, what) : incompatible(where, what);
}

const worded = (keyword, old, now) => `${keyword} is ${text(now)} (${text(old)} before)`;
const text = (value) => (value === undefined ? 'absent' : JSON.stringify(value));

const isSchema = (value) => typeof value === 'object' && value !== null;
const nameOf = (ref) => ref?.split('/').at(-1);
const resolve = (schema, refs) => (schema.$ref ? (refs[nameOf(schema.$ref)] ?? {}) : schema);
