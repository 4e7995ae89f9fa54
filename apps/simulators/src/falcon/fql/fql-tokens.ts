export type FqlToken =
  | { kind: 'name' | 'text' | 'number' | 'boolean'; text: string }
  | { kind: 'sign'; text: ':' | '!' | '>' | '>=' | '<' | '<=' | '*' | '[' | ']' | '(' | ')' | '+' | ',' };

/** A filter that cannot be read. */
export class FqlError extends Error {}

const TOKEN =
  /\s*(?:(?<name>[a-z_][a-z0-9_.]*)(?=\s*:)|(?<boolean>true|false)\b|(?<number>-?\d+(?:\.\d+)?)|'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<sign>>=|<=|[:!><*[\]()+,]))/iy;

/** @throws FqlError if a character belongs to no token */
export function fqlTokens(filter: string): FqlToken[] {
  const tokens: FqlToken[] = [];
  const end = filter.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const groups = TOKEN.exec(filter)?.groups;
    if (groups === undefined) throw new FqlError();
    tokens.push(tokenOf(groups));
  }
  return tokens;
}

function tokenOf({ name, boolean, number, single, double, sign }: Record<string, string>): FqlToken {
  if (name !== undefined) return { kind: 'name', text: name };
  if (boolean !== undefined) return { kind: 'boolean', text: boolean.toLowerCase() };
  if (number !== undefined) return { kind: 'number', text: number };
  if (sign !== undefined) return { kind: 'sign', text: sign } as FqlToken;
  return { kind: 'text', text: (single ?? double ?? '').replace(/\\(.)/g, '$1') };
}
