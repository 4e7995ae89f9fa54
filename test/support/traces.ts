import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type EventLog, type StoredRecord, TOPICS } from '#libs/event-log';
import type { TestDatabase } from './database.ts';

/** Where a marker that was planted in personal texts is found again: in the clear, in base64 or in hexadecimal digits. */

const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
/** SHA-256 at the end of the files of the log and of backups. */
const CHECKSUM_BYTES = 32;
const BYTEA = /\\\\?x((?:[0-9a-f]{2})+)/g;

/** The digits of base64 that depend on the marker only, for each place of its first byte in a group of three. */
function base64FormsOf(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const after = (before + bytes.length) % 3;
    return text.slice([0, 2, 3][before], after === 0 ? undefined : -1);
  });
}

/** Of texts in the case in which they are planted, in lower and in upper case. */
function formsOf(marker: string): string[] {
  const cases = [marker, marker.toLowerCase(), marker.toUpperCase()];
  const encodings = cases.flatMap((one) => [
    ...base64FormsOf(Buffer.from(one)),
    ...base64FormsOf(Buffer.from(one, 'utf16le')),
    Buffer.from(one, 'utf16le').toString('latin1'),
  ]);
  return [...new Set(encodings)];
}

export interface Traces {
  /** Markers of which there is a trace. */
  in(content: Buffer | string): string[];
}

export function tracesOf(markers: readonly string[]): Traces {
  const searched = markers.map((marker) => ({
    marker,
    forms: formsOf(marker),
    lower: [marker, ...[marker, marker.toUpperCase()].map((one) => Buffer.from(one).toString('hex'))].map(
      (one) => one.toLowerCase(),
    ),
  }));
  const inText = (text: string) => {
    const urlText = text.replaceAll('+', '-').replaceAll('/', '_');
    const lowerText = text.toLowerCase();
    return searched
      .filter(
        ({ forms, lower }) =>
          lower.some((form) => lowerText.includes(form)) || forms.some((form) => urlText.includes(form)),
      )
      .map(({ marker }) => marker);
  };
  return {
    in: (content) => {
      const found = partsOf(content).flatMap((part) => inText(part.toString('latin1')));
      return [...new Set(found)];
    },
  };
}

/** A content, and what is packed in it: columns of bytes, and streams of gzip. */
function partsOf(content: Buffer | string): Buffer[] {
  const bytes = Buffer.from(content);
  const columns =
    typeof content === 'string'
      ? [...content.matchAll(BYTEA)].map(([, hex]) => Buffer.from(hex!, 'hex'))
      : [];
  return [bytes, ...unpacked(bytes), ...columns.flatMap((column) => [column, ...unpacked(column)])];
}

function unpacked(bytes: Buffer): Buffer[] {
  const at = bytes.indexOf(GZIP);
  if (at < 0) return [];
  for (const end of [bytes.length, bytes.length - CHECKSUM_BYTES]) {
    try {
      return [gunzipSync(bytes.subarray(at, end))];
    } catch {
      // Other bytes follow the stream, or it is none.
    }
  }
  return [];
}

/** Tables of all schemas that contain a trace. */
export async function tablesWithTraces(pool: TestDatabase['pool'], traces: Traces): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: contents } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    if (contents.some(({ row }) => traces.in(row).length > 0)) found.push(name.replace(/^public\./, ''));
  }
  return found;
}

/** Files of a folder that contain a trace, in their names too; the folder may be in use. */
export async function filesWithTraces(folder: string, traces: Traces): Promise<string[]> {
  for (;;) {
    const found = await search(folder, traces);
    if (found) return found.sort();
  }
}

/** Null if a file went before it was read: what it held can be under another name, as when a broker cleans its log. */
async function search(folder: string, traces: Traces): Promise<string[] | null> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const { parentPath, name } of files.filter((file) => file.isFile())) {
    const content = await contentOf(join(parentPath, name));
    if (!content) return null;
    if (traces.in(content).length > 0 || traces.in(name).length > 0) found.push(name);
  }
  return found;
}

const contentOf = (path: string): Promise<Buffer | null> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Topics of a log, with keys and headers, that contain a trace; and how many records were read. */
export async function topicsWithTraces(
  log: EventLog,
  traces: Traces,
): Promise<{ read: Record<string, number>; found: string[] }> {
  const read: Record<string, number> = {};
  const found = new Set<string>();
  for (const { name } of TOPICS) {
    read[name] = 0;
    for (const [partition, end] of (await log.ends(name)).entries()) {
      for await (const records of log.read(name, partition, 0, end)) {
        read[name] += records.length;
        if (records.some((record) => isTraced(record, traces))) found.add(name);
      }
    }
  }
  return { read, found: [...found] };
}

const isTraced = ({ key, value, headers }: StoredRecord, traces: Traces): boolean =>
  [value, JSON.stringify({ key, headers })].some((part) => traces.in(part).length > 0);
