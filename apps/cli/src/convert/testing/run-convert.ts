import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runPosture } from '../../posture.ts';
import { readZip } from '../../testing/read-zip.ts';
import { recordingTerminal } from '../../testing/simulated-service.ts';

/** What a call of `posture convert` came to. */
export interface Converted {
  exitCode: number;
  out: string;
  err: string;
  /** ZIPs in the order of their names. */
  zips: { name: string; bytes: Buffer }[];
  /** Signals of all ZIPs in their order. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into them
  signals: any[];
  /** Other files in the folder. */
  left: string[];
}

/** Writes reports into a folder of their own and converts them there. */
export async function runConvert(
  dir: string,
  reports: Record<string, string | Buffer>,
  ...args: string[]
): Promise<Converted> {
  const folder = join(dir, randomUUID());
  await mkdir(folder);
  const paths = Object.keys(reports).map((name) => join(folder, name));
  for (const [i, content] of Object.values(reports).entries()) await writeFile(paths[i]!, content);
  const out = join(folder, 'signals.zip');
  const terminal = recordingTerminal({});
  const exitCode = await runPosture(['convert', ...paths, '--out', out, ...args], terminal);
  const names = (await readdir(folder)).sort().filter((name) => !Object.keys(reports).includes(name));
  const zips = [];
  const signals = [];
  for (const name of names.filter((name) => name.endsWith('.zip'))) {
    const bytes = await readFile(join(folder, name));
    zips.push({ name, bytes });
    for (const [entry, text] of await readZip(bytes))
      if (entry !== 'config.json') signals.push(JSON.parse(text));
  }
  return {
    exitCode,
    out: terminal.out(),
    err: terminal.err(),
    zips,
    signals,
    left: names.filter((name) => !name.endsWith('.zip')),
  };
}
