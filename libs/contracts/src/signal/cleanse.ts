type Json = Record<string, unknown>;

/**
 * Removes null at any depth and objects without content from parsed JSON, because senders use them for absent values
 * (R-SIG-2). Works in place unless something is removed. The top object stays, even if it is empty. Recursion is as
 * deep as the value: bound that first (`JSON_DEPTH_MAX`).
 */
export function cleanse(value: unknown): unknown {
  const cleansed = cleanseValue(value);
  return cleansed === undefined && typeof value === 'object' && value !== null ? {} : cleansed;
}

/** undefined: absent. */
function cleanseValue(value: unknown): unknown {
  if (typeof value !== 'object') return value;
  if (value === null) return undefined;
  return Array.isArray(value) ? cleanseList(value) : cleanseObject(value as Json);
}

function cleanseList(list: unknown[]): unknown[] {
  let length = 0;
  for (const item of list) {
    const cleansed = cleanseValue(item);
    if (cleansed !== undefined) list[length++] = cleansed;
  }
  list.length = length;
  return list;
}

function cleanseObject(object: Json): Json | undefined {
  let isEmpty = true;
  let isWhole = true;
  for (const key of Object.keys(object)) {
    const value = object[key];
    const cleansed = cleanseValue(value);
    if (cleansed === undefined) isWhole = false;
    else isEmpty = false;
    if (cleansed !== value) object[key] = cleansed;
  }
  if (isEmpty) return undefined;
  return isWhole ? object : rebuilt(object);
}

/** A new object is read faster later than one that properties were deleted from. */
function rebuilt(object: Json): Json {
  const copy: Json = {};
  for (const key of Object.keys(object)) {
    if (object[key] !== undefined) copy[key] = object[key];
  }
  return copy;
}
