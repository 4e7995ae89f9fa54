import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PART_BYTES_MAX } from '../../../apps/cli/src/upload/plan-zips.ts';
import { deflatedBytes, writeZip } from '../../../apps/cli/src/upload/write-zip.ts';
import type { ScannedMachine, ScannedSignal } from './machines.ts';

/** A ZIP on disk, as large as the service takes them. */
export interface ZipFile {
  path: string;
  bytes: number;
  signals: number;
  machines: number;
  /** The machine whose signals come last in it, and how many they are. */
  last: { name: string; signals: number };
}

/** Both headers of an entry and its data descriptor as yazl writes them, without the name, which is there twice. */
const ENTRY_HEADERS_BYTES = 104;
const END_BYTES = 1_024;
/** Of the others against the first signal of a machine, far above what a ZIP of many machines adds up to. */
const SPREAD = 1.02;

/** Packs machines, whole, into ZIPs a little below 5 MB; writes them into `folder`. */
export async function writeZipFiles(machines: Iterable<ScannedMachine>, folder: string): Promise<ZipFile[]> {
  const files: ZipFile[] = [];
  for await (const file of zipFiles(machines, folder)) files.push(file);
  return files;
}

/** The same one by one, each written when it is asked for: the machines of one are in memory at a time. */
export async function* zipFiles(
  machines: Iterable<ScannedMachine>,
  folder: string,
): AsyncGenerator<ZipFile, void, void> {
  await mkdir(folder, { recursive: true });
  let files = 0;
  const write = (packed: ScannedMachine[]) =>
    writeOne(packed, join(folder, `${String(++files).padStart(4, '0')}.zip`));
  let waiting: ScannedMachine[] = [];
  let bytes = END_BYTES;
  for (const machine of machines) {
    const size = roughBytes(machine);
    if (bytes + size > PART_BYTES_MAX && waiting.length > 0) {
      yield await write(waiting);
      waiting = [];
      bytes = END_BYTES;
    }
    waiting.push(machine);
    bytes += size;
  }
  if (waiting.length > 0) yield await write(waiting);
}

/** By its first signal, as all of a machine's compress alike: to deflate each one to know would double the work. */
const roughBytes = ({ signals }: ScannedMachine): number =>
  Math.ceil(signals.length * entryBytes(signals[0]!) * SPREAD);

const entryBytes = ({ entryName, content }: ScannedSignal): number =>
  ENTRY_HEADERS_BYTES + 2 * Buffer.byteLength(entryName) + deflatedBytes(content);

async function writeOne(machines: ScannedMachine[], path: string): Promise<ZipFile> {
  const signals = machines.flatMap((machine) => machine.signals);
  const zip = await writeZip(
    signals.map(({ entryName, content }) => ({ name: entryName, read: async () => content })),
    null,
  );
  await writeFile(path, zip);
  const { name, signals: last } = machines.at(-1)!;
  return {
    path,
    bytes: zip.length,
    signals: signals.length,
    machines: machines.length,
    last: { name, signals: last.length },
  };
}

export const signalsIn = (zips: readonly ZipFile[]): number =>
  zips.reduce((sum, { signals }) => sum + signals, 0);
