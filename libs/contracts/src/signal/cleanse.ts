type Json = Record<string, unknown>;

/** U+0000, which PostgreSQL does not store, and halves of surrogate pairs, which UTF-8 does not have. */
const UNSTORABLE = /[\0\ud800-\udfff]/gu;
const HAS_UNSTORABLE = /[\0\ud800-\udfff]/u;
const REPLACEMENT = '\ufffd';

const storable = (text: string): string =>
  HAS_UNSTORABLE.test(text) ? text.replace(UNSTORABLE, REPLACEMENT) : text;

/**
 * What a sender means, from parsed JSON, in place as far as nothing is taken out: null at any depth and an object
 * without content are absent (D21), U+0000 and lone surrogates in keys and values are U+FFFD (D18). An object at the
 * top stays, empty too. Recursion is as deep as the value: bound that first (`JSON_DEPTH_MAX`).
 * `mayBeUnstorable: false` says that no text can hold such a character, and spares looking for it.
 */
export function cleanse(value: unknown, mayBeUnstorable = true): unknown {
  const fix = mayBeUnstorable ? storable : null;
  const cleansed = cleanseValue(value, fix);
  return cleansed === undefined && typeof value === 'object' && value !== null ? {} : cleansed;
}

type Fix = ((text: string) => string) | null;

/** undefined: absent. */
function cleanseValue(value: unknown, fix: Fix): unknown {
  if (typeof value === 'string') return fix ? fix(value) : value;
  if (typeof value !== 'object') return value;
  if (value === null) return undefined;
  return Array.isArray(value) ? cleanseList(value, fix) : cleanseObject(value as Json, fix);
}

function cleanseList(list: unknown[], fix: Fix): unknown[] {
  let length = 0;
  for (const item of list) {
    const cleansed = cleanseValue(item, fix);
    if (cleansed !== undefined) list[length++] = cleansed;
  }
  list.length = length;
  return list;
}

function cleanseObject(object: Json, fix: Fix): Json | undefined {
  let isEmpty = true;
  let isWhole = true;
  for (const key of Object.keys(object)) {
    const value = object[key];
    const cleansed = cleanseValue(value, fix);
    if (cleansed === undefined || (fix && fix(key) !== key)) isWhole = false;
    if (cleansed !== undefined) isEmpty = false;
    if (cleansed !== value) object[key] = cleansed;
  }
  if (isEmpty) return undefined;
  return isWhole ? object : rebuilt(object, fix);
}

/** A new object is read faster later than one that properties were deleted from. */
function rebuilt(object: Json, fix: Fix): Json {
  const copy: Json = {};
  for (const key of Object.keys(object)) {
    if (object[key] !== undefined) copy[fix ? fix(key) : key] = object[key];
  }
  return copy;
}
