import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readZip } from '../fixtures/cli/read-zip.ts';
import { type LargeReport, writeLargeNessus, writeLargeNuclei } from '../support/large-reports.ts';

/** The drill of docs/converting.md takes 300. */
const megabytes = (usually: number): number => Number(process.env.CONVERT_DRILL_MB ?? usually);
/**
 * Of V8's old space: a whole report in memory would need several times its size. With less, V8 of Node 24 collects
 * most of the time; that of Node 20 needs 144 MB.
 */
const HEAP_MB_MAX = 208;

const program = fileURLToPath(new URL('../../apps/cli/posture.js', import.meta.url));
const ZIP_BYTES_MAX = 5_242_880;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-large-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** The command line as a separate process, with a bounded heap; V8 ends one that needs more. */
async function convert(path: string) {
  const startedAt = Date.now();
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MB_MAX}`,
      program,
      'convert',
      path,
      '--out',
      join(dir, 'signals.zip'),
      '--json',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  let peakKb = 0;
  const look = setInterval(() => {
    peakKb = Math.max(peakKb, peakKbOf(child.pid!));
  }, 200);
  const [code] = await once(child, 'close');
  clearInterval(look);
  return {
    code,
    err: Buffer.concat(err).toString('utf8').slice(-500),
    outcome: code === 0 ? JSON.parse(Buffer.concat(out).toString('utf8')) : null,
    seconds: (Date.now() - startedAt) / 1_000,
    peakMb: Math.round(peakKb / 1_024),
  };
}

/** Only Linux reports it; elsewhere only the heap's limit applies. */
function peakKbOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

it.each<[number, string, string, (path: string, bytesMin: number) => Promise<LargeReport>]>([
  [megabytes(20), 'Nessus', 'large.nessus', writeLargeNessus],
  [megabytes(8), 'JSON Lines whose hosts interleave', 'large.jsonl', writeLargeNuclei],
])(
  `%d MB of %s convert within a heap of ${HEAP_MB_MAX} MB, each asset in one ZIP`,
  async (size, title, name, write) => {
    const path = join(dir, name);
    const made = await write(path, size * 1_048_576);
    const { code, err, outcome, seconds, peakMb } = await convert(path);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    if (process.env.CONVERT_DRILL_MB) {
      const { read, signals, assets, zips } = outcome;
      process.stderr.write(
        `${title}: ${size} MB, ${read} findings, ${signals} signals, ${assets} assets, ${zips.length} ZIPs, ` +
          `${seconds.toFixed(1)} s, peak ${peakMb} MB resident\n`,
      );
    }
    expect(outcome).toMatchObject({
      read: made.findings,
      mapped: made.findings,
      listed: 0,
      assets: made.hosts,
    });
    const seenIn = new Map<string, string>();
    for (const { file, bytes } of outcome.zips) {
      expect(bytes).toBeLessThanOrEqual(ZIP_BYTES_MAX);
      for (const text of (await readZip(await readFile(file))).values()) {
        const { name: asset } = JSON.parse(text).entity;
        if ((seenIn.get(asset) ?? file) !== file) throw new Error(`${asset} is in more than one ZIP`);
        seenIn.set(asset, file);
      }
    }
    expect(seenIn.size).toBe(made.hosts);
  },
  1_800_000,
);
