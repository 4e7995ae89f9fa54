import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { EncodingCheck } from './encoding-check.ts';
import type { Evidence } from './evidence.ts';
import { UnreadableReport } from './unreadable-report.ts';

/** A scanner's report, read as often as its format needs, and never whole. */
export interface ReportFile {
  /** As the user named it. */
  name: string;
  bytes: number;
  /** By the first character that is no white space. */
  syntax: 'xml' | 'json' | 'text';
  /** The beginning of its text, 64 KB at most. */
  head: string;
  /** Receives the remarks of the readers, once the format is known. */
  evidence?: Evidence;
  /**
   * The text in pieces, without a byte order mark; invalid bytes become U+FFFD.
   * @param onProgress receives the bytes read so far
   */
  text(onProgress?: (bytes: number) => void): AsyncGenerator<string>;
  /** The encoding of the file, and the first line read so far with bytes that are invalid in it. */
  encodingProblem(): { encoding: string; line: number } | null;
}

const HEAD_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

/**
 * @param name in messages
 * @throws UnreadableReport if the file does not exist, is empty, or has an unknown encoding
 */
export async function openReport(path: string, name = path): Promise<ReportFile> {
  const { start, bytes } = await readStart(path, name);
  const encoding = encodingOf(name, start);
  const head = new TextDecoder(encoding).decode(start).replaceAll('\0', '');
  const first = head.trimStart()[0];
  if (first === undefined) throw new UnreadableReport(name, null, 'is empty');
  let check = new EncodingCheck(encoding);
  return {
    name,
    bytes,
    syntax: first === '<' ? 'xml' : /^\s*([{[]|null\s*$)/.test(head) ? 'json' : 'text',
    head,
    text: (onProgress) => {
      check = new EncodingCheck(encoding);
      return textOf(path, name, check, onProgress);
    },
    encodingProblem: () => (check.line === null ? null : { encoding, line: check.line }),
  };
}

async function readStart(path: string, name: string): Promise<{ start: Buffer; bytes: number }> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return { start: buffer.subarray(0, bytesRead), bytes: size };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw cannotRead(name, error);
  }
}

function cannotRead(name: string, error: unknown): UnreadableReport {
  const { code } = error as NodeJS.ErrnoException;
  return new UnreadableReport(name, null, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
}

/**
 * A byte order mark, as PowerShell writes it, else the XML declaration, else UTF-8. A declaration that is read byte by
 * byte is not UTF-16, though .NET writes that into texts that are stored as UTF-8.
 */
function encodingOf(name: string, start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const declared = /^\s*<\?xml[^>]*?encoding=["']([\w.:-]+)["']/.exec(
    start.toString('latin1', 0, 1_000),
  )?.[1];
  try {
    const { encoding } = new TextDecoder(declared ?? 'utf-8');
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    throw new UnreadableReport(name, 'line 1', 'has an unknown encoding');
  }
}

async function* textOf(
  path: string,
  name: string,
  check: EncodingCheck,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(check.encoding);
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      bytes += chunk.length;
      const text = decoder.decode(chunk, { stream: true });
      check.take(chunk, text);
      yield text;
      onProgress?.(bytes);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw cannotRead(name, error);
  }
  const rest = decoder.decode();
  check.take(null, rest);
  if (rest !== '') yield rest;
}
