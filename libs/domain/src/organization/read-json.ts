/** Undefined for a text that is no JSON: the fold is total (rule 2). */
export function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
