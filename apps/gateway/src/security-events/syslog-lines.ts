import { hostname } from 'node:os';
import type { ExportFormat } from '../paging/export-format.ts';
import { ocsfAuthentication } from './ocsf-authentication.ts';
import type { SecurityEventDto } from './security-event.dto.ts';

/** `authpriv` (RFC 5424, §6.2.1). */
const FACILITY = 10;
const SEVERITY = { informational: 6, warning: 4 };
const HOST_CHARACTERS_MAX = 255;
/** Messages of RFC 5424 name their host in printable ASCII without spaces. */
const HOST =
  hostname()
    .replace(/[^!-~]/g, '')
    .slice(0, HOST_CHARACTERS_MAX) || '-';

/**
 * Messages of RFC 5424, separated by line feeds (RFC 6587, §3.4.2). The text is an OCSF event, in ASCII: receivers do
 * not agree on the encoding of a text without a byte order mark.
 */
export const syslogLines: ExportFormat<SecurityEventDto> = {
  mediaType: 'text/plain; charset=utf-8',
  extension: 'syslog',
  beginning: () => '',
  items: (items) => items.map((item) => `${messageOf(item)}\n`).join(''),
  end: () => '',
};

const messageOf = (item: SecurityEventDto): string => {
  const severity = item.outcome === 'success' ? SEVERITY.informational : SEVERITY.warning;
  const text = asciiOf(JSON.stringify(ocsfAuthentication(item)));
  return `<${FACILITY * 8 + severity}>1 ${item.at} ${HOST} posture - ${item.kind} - ${text}`;
};

/** The same JSON value with escapes instead of other characters. */
const asciiOf = (json: string): string =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
