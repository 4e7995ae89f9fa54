import type { FieldMessage, Signal } from '#libs/domain';
import { cleanse } from './cleanse.ts';
import { parseJson } from './parse-json.ts';
import { checkSignal } from './signal-schema.ts';

export type SignalParsing = { ok: true; signal: Signal } | { ok: false; problems: FieldMessage[] };

/**
 * A signal from the bytes of a JSON body or a ZIP entry: UTF-8, JSON, cleansed (R-SIG-2, R-SIG-3) and checked by the schema.
 * Never throws; problems name path or line and what was expected, the first 20, and never quote the content.
 */
export function parseSignal(bytes: Uint8Array): SignalParsing {
  const parsed = parseJson(bytes);
  if (!parsed.ok) return refused(parsed.message);
  const { value } = parsed;
  if (Array.isArray(value)) return refused('must be one signal, an object {…}, not a list of signals');
  if (typeof value !== 'object' || value === null) return refused('must be one signal, an object {…}');
  const signal = cleanse(value);
  const problems = checkSignal(signal);
  return problems.length === 0 ? { ok: true, signal: signal as Signal } : { ok: false, problems };
}

const refused = (message: string): SignalParsing => ({ ok: false, problems: [{ field: '', message }] });
