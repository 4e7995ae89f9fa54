// Which fields of the event schemas are personal: each states it itself, in the attribute `personal`.
import { readdirSync, readFileSync } from 'node:fs';

/** Values of the attribute, each with its meaning. */
const PERSONAL = {
  no: 'not personal',
  entity: 'describes the entity of the event: a user, or a machine',
  name: 'as `entity`, a name: of a machine, its host name and domain are sealed separately',
  address: 'as `entity`, an IP address: of a machine, its sealed text states whether it is public',
  actor: 'names the user who acted, or was written by that user',
  written:
    'a text of the user who acted about the entity: sealed with the key of the entity if that is a user, otherwise of the user who acted',
  person: 'names a user: the owner of a credential, an assignee, or a user that a comment mentions',
  mentioned: 'may name another entity than that of the event',
  pseudonym:
    'an id or a key that is the same in all records of an entity or a person; the entity key still contains its name',
  state: 'values of stored state as JSON, which contain the fields above',
};

/**
 * @typedef {{schema: string, path: string, personal: string | undefined, isText: boolean}} Field
 *   `path` has a dot before each inner name
 */

/** @returns {object[]} the schemas of `schemas/FOLDER`, by file name */
function schemasIn(folder) {
  const directory = new URL(`../../schemas/${folder}/`, import.meta.url);
  return readdirSync(directory)
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, directory), 'utf8')));
}

/**
 * The fields of a record that contain values. Fields that contain records are replaced by the fields of these records;
 * records that are only named have a schema of their own.
 * @param {object} record
 * @param {(name: string) => boolean} isRecord whether a type name is the name of a record
 * @returns {Field[]}
 */
export function fieldsOf(record, isRecord, schema = record.name, prefix = '') {
  return record.fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const items = itemTypes(field.type);
    const inner = items.filter((type) => type.type === 'record');
    if (inner.length > 0) {
      const fields = inner.flatMap((one) => fieldsOf(one, isRecord, schema, `${path}.`));
      return 'personal' in field ? [{ schema, path, personal: 'twice', isText: false }, ...fields] : fields;
    }
    if (items.some((type) => typeof type === 'string' && isRecord(type))) return [];
    return [{ schema, path, personal: field.personal, isText: items.includes('string') }];
  });
}

/** The types of the single values of a field: without null, and without the lists and maps around them. */
function itemTypes(type) {
  if (Array.isArray(type)) return type.filter((one) => one !== 'null').flatMap(itemTypes);
  if (type.type === 'array') return itemTypes(type.items);
  if (type.type === 'map') return itemTypes(type.values);
  return [typeof type === 'object' && type.type !== 'record' ? type.type : type];
}

/** @returns {Field[]} all fields of the event schemas: of the log, then of the topics */
export function allFields() {
  const schemas = ['intake', 'changes'].flatMap(schemasIn);
  const names = new Set(schemas.map(({ name }) => name));
  return schemas.flatMap((schema) => fieldsOf(schema, (name) => names.has(name)));
}

/** Why the attribute of a field is wrong; null if it is right. */
export function problemOf({ schema, path, personal, isText }) {
  const where = `${schema}.${path}`;
  if (personal === undefined) return `${where} does not state whether it is personal`;
  if (personal === 'twice')
    return `${where} contains records: only their fields state whether they are personal`;
  if (!Object.hasOwn(PERSONAL, personal))
    return `${where}: personal must be one of ${Object.keys(PERSONAL).join(', ')} (got ${personal})`;
  if (!isText && personal !== 'no') return `${where}: only texts can be ${personal}`;
  return null;
}

/** The meanings of the attribute as Markdown. */
const meaningsTable = () =>
  [
    '| `personal` | meaning |',
    '|---|---|',
    ...Object.entries(PERSONAL).map(([value, meaning]) => `| \`${value}\` | ${meaning} |`),
  ].join('\n');

/** The personal fields as Markdown: a row for each schema and value of the attribute. */
function fieldsTable() {
  const rows = new Map();
  for (const { schema, path, personal } of allFields()) {
    if (personal === 'no') continue;
    const key = `\`${schema}\` | \`${personal}\``;
    rows.set(key, [...(rows.get(key) ?? []), `\`${path}\``]);
  }
  // Versions of one schema share their rows.
  const lines = [...rows].map(([key, paths]) => `| ${key} | ${[...new Set(paths)].join(', ')} |`);
  return ['| schema | `personal` | fields |', '|---|---|---|', ...lines].join('\n');
}

const BEGIN = '<!-- npm run personal-fields -->';
const END = '<!-- end -->';
const LEFT_OUT =
  'Fields that are not listed below are `no`. A record that occurs in several schemas, such as `Envelope`, is listed once.';

/** The page with the present tables between its marks. */
export function withTables(page) {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no place for the tables: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${meaningsTable()}\n\n${LEFT_OUT}\n\n${fieldsTable()}\n\n${page.slice(end)}`;
}
