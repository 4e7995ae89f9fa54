/** Undefined for a text that is not JSON: the fold is total (R-FOLD-2). */
export function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
