import { open } from 'node:fs/promises';
import { entityKey } from '#libs/domain';
import { deflated, type PackableSignal, SIGNAL_BYTES_MAX } from '#libs/signal-zips';
import type { FoundFile } from './find-files.ts';
import { jsonProblem } from './json-problem.ts';

/** A measured file; its content is read again when its ZIP is packed. */
export interface SignalFile extends PackableSignal {
  path: string;
}

/** A file that cannot be packed. */
export interface UnusableFile {
  path: string;
  problem: string;
}

/** Reads and measures one file. */
export async function measureSignalFile(
  { path }: FoundFile,
  entryName: string,
): Promise<SignalFile | UnusableFile> {
  const content = await readSignalFile(path);
  if (typeof content === 'string') return { path, problem: content };
  const broken = jsonProblem(content);
  if (broken) return { path, problem: broken };
  const { entity } = JSON.parse(content.toString('utf8').replace(/^\uFEFF/, ''));
  const key = keyOf(entity);
  if (key === null) {
    return { path, problem: 'has no entity: expected entity.type machine or user, and entity.name' };
  }
  return {
    path,
    entryName,
    entityKey: key,
    deflatedBytes: deflated(content).bytes.length,
    unpackedBytes: content.length,
  };
}

/** The content of a file of at most 1 MB, or the problem with it. */
export async function readSignalFile(path: string): Promise<Buffer | string> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      return size > SIGNAL_BYTES_MAX ? 'is larger than 1 MB' : await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** The entity key of a signal's `entity`; null if it names no valid entity. */
export function keyOf(entity: unknown): string | null {
  const { type, name } = (entity ?? {}) as { type?: unknown; name?: unknown };
  if (typeof type !== 'string' || typeof name !== 'string' || name.trim() === '') return null;
  switch (type.trim().toLowerCase()) {
    case 'machine':
      return entityKey('machine', name);
    case 'user':
    case 'identity':
      return entityKey('user', name);
    default:
      return null;
  }
}
