// Compares two OpenAPI documents: routes, parameters, bodies and answers.
import { added, incompatible, isSame, keysOf } from './changes.mjs';
import { compareSchemas } from './compare-schemas.mjs';

/** @returns {Generator<import('./changes.mjs').Change>} */
export function* compareOpenApi(before, after) {
  const refs = { refsBefore: before.components?.schemas ?? {}, refsAfter: after.components?.schemas ?? {} };
  const contexts = {
    request: { ...refs, isRequest: true, seen: new Set() },
    answer: { ...refs, isRequest: false, seen: new Set() },
  };
  // The client exports the schemas by name.
  for (const name of Object.keys(refs.refsBefore))
    if (!(name in refs.refsAfter)) yield incompatible(name, 'schema removed');
  const [old, now] = [operationsOf(before), operationsOf(after)];
  for (const where of keysOf(old, now)) {
    if (!(where in now)) yield incompatible(where, 'route removed');
    else if (!(where in old)) yield added(where, 'new route');
    else yield* compareOperations(old[where], now[where], where, contexts);
  }
}

const operationsOf = ({ paths }) =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );

function* compareOperations(before, after, where, contexts) {
  // Generated clients name their functions by it.
  if (before.operationId !== after.operationId)
    yield incompatible(where, `operationId is ${after.operationId} (${before.operationId} before)`);
  if (!isSame(before.security, after.security)) yield incompatible(where, 'security changed');
  yield* compareParameters(before.parameters, after.parameters, where, contexts.request);
  yield* compareRequestBodies(before.requestBody, after.requestBody, `${where} body`, contexts.request);
  yield* compareAnswers(before.responses, after.responses, where, contexts.answer);
}

function* compareParameters(before, after, where, context) {
  const [old, now] = [byName(before), byName(after)];
  for (const name of keysOf(old, now)) {
    const place = `${where} ${name}`;
    if (!(name in now)) yield incompatible(place, 'parameter removed');
    else if (!(name in old))
      yield now[name].required
        ? incompatible(place, 'new required parameter')
        : added(place, 'new optional parameter');
    else {
      yield* compareRequired(old[name], now[name], place);
      yield* compareSchemas(old[name].schema, now[name].schema, place, context);
    }
  }
}

const byName = (parameters = []) =>
  Object.fromEntries(parameters.map((one) => [`${one.in} parameter ${one.name}`, one]));

function* compareRequired(before, after, where) {
  if (Boolean(before.required) === Boolean(after.required)) return;
  yield after.required ? incompatible(where, 'now required') : added(where, 'no longer required');
}

function* compareRequestBodies(before, after, where, context) {
  if (before === undefined && after === undefined) return;
  if (after === undefined) yield incompatible(where, 'body removed');
  else if (before === undefined)
    yield after.required ? incompatible(where, 'new required body') : added(where, 'new optional body');
  else {
    yield* compareRequired(before, after, where);
    yield* compareContents(before.content, after.content, where, context);
  }
}

function* compareAnswers(before, after, where, context) {
  for (const status of keysOf(before, after)) {
    const place = `${where} ${status}`;
    if (!after[status]) yield incompatible(place, 'status removed');
    else if (!before[status]) yield added(place, 'new status');
    else {
      for (const header of keysOf(before[status].headers, after[status].headers)) {
        if (!after[status].headers?.[header]) yield incompatible(place, `header ${header} removed`);
        else if (!before[status].headers?.[header]) yield added(place, `new header ${header}`);
      }
      yield* compareContents(before[status].content, after[status].content, place, context);
    }
  }
}

function* compareContents(before, after, where, context) {
  for (const type of keysOf(before, after)) {
    if (!after?.[type]) yield incompatible(where, `${type} removed`);
    else if (!before?.[type]) yield added(where, `new media type ${type}`);
    else yield* compareSchemas(before[type].schema, after[type].schema, `${where} ${type}`, context);
  }
}
