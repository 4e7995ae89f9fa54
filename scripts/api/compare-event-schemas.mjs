// Compares two reports of event schemas. Records stay readable for as long as the log exists: each released id stays,
// and the latest schema of a name reads what earlier ones wrote. Subscribers of topics also read newer records.
import avro from 'avsc';
import { added, incompatible, isSame, keysOf } from './changes.mjs';

/** @returns {Generator<import('./changes.mjs').Change>} */
export function* compareEventSchemas(before, after) {
  for (const name of keysOf(before, after)) {
    const [old, now] = [before[name], after[name]];
    if (now === undefined) yield incompatible(name, 'schema removed');
    else if (old === undefined) yield added(name, 'new schema');
    else yield* compareVersions(old, now, name);
  }
}

function* compareVersions(old, now, where) {
  for (const id of old.ids) if (!now.ids.includes(id)) yield incompatible(where, `schema id ${id} removed`);
  if (isSame(old.latest, now.latest)) return;
  const reason =
    whyUnreadable(now.latest, old.latest) ?? (now.isPublished ? whyUnreadable(old.latest, now.latest) : null);
  yield reason === null ? added(where, 'schema changed compatibly') : incompatible(where, reason);
}

/** Why a reader cannot read the records of a writer; null if it can. */
function whyUnreadable(reader, writer) {
  const typeOf = (schema) => avro.Type.forSchema(structuredClone(schema), { logicalTypes: {} });
  try {
    typeOf(reader).createResolver(typeOf(writer));
    return null;
  } catch (error) {
    return error.message;
  }
}
