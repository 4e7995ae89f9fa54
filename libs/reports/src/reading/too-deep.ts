import { DEPTH_MAX } from '#libs/readers';

/** Whether a text of JSON is nested deeper than that; brackets in its strings do not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isString) {
      if (char === '\\') i += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return false;
}
