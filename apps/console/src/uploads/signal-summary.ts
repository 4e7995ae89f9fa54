/** Summary of the readable parts of a JSON signal. Only the service validates it. */
export interface SignalSummary {
  name: string;
  asset: string;
  types: string[];
}

type Json = Record<string, unknown> | null | undefined;

/** Null if the text is not a JSON object. */
export function summaryOf(text: string): SignalSummary | null {
  const signal = objectOf(parsed(text));
  if (!signal) return null;
  const contexts = [signal.securityContext, ...listOf(signal.securityContexts)];
  const types = contexts.map((context) => textOf(objectOf(context)?.type)).filter(Boolean);
  return {
    name: textOf(signal.name),
    asset: textOf(objectOf(signal.entity)?.name),
    types: [...new Set(types)],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && !Array.isArray(value) ? (value as Json) : null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
