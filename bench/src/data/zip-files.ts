import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SampleSignal } from '#libs/sample-data';
import { deflated, PART_BYTES_MAX, writeZip } from '#libs/signal-zips';
import type { ScannedMachine } from './scans/machines.ts';

/** A ZIP on disk, within the size limit of the service. */
export interface ZipFile {
  path: string;
  bytes: number;
  signals: number;
  machines: number;
  /** The last machine in it, and the number of its signals. */
  last: { name: string; signals: number };
}

/** Both headers of an entry and its data descriptor as yazl writes them, without the name, which both contain. */
const ENTRY_HEADERS_BYTES = 104;
const END_BYTES = 1_024;
/** Size of the other signals of a machine relative to its first, far above that in a ZIP of many machines. */
const SPREAD = 1.02;

/** Packs complete machines into ZIPs slightly below 5 MB, and writes them to `folder`. */
export async function writeZipFiles(machines: Iterable<ScannedMachine>, folder: string): Promise<ZipFile[]> {
  const files: ZipFile[] = [];
  for await (const file of zipFiles(machines, folder)) files.push(file);
  return files;
}

/** Like `writeZipFiles`, but writes each ZIP when it is requested: only its machines are in memory. */
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

/** Estimated from the first signal, because compressing each signal only to measure it would double the work. */
const roughBytes = ({ signals }: ScannedMachine): number =>
  Math.ceil(signals.length * entryBytes(signals[0]!) * SPREAD);

const entryBytes = ({ entryName, content }: SampleSignal): number =>
  ENTRY_HEADERS_BYTES + 2 * Buffer.byteLength(entryName) + deflated(content).bytes.length;

async function writeOne(machines: ScannedMachine[], path: string): Promise<ZipFile> {
  const signals = machines.flatMap((machine) => machine.signals);
  const zip = await writeZip(
    signals.map(({ entryName, content }) => ({ name: entryName, read: async () => deflated(content) })),
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
