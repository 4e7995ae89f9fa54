import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { knownVulnerabilities } from '../data/scans/machines.ts';

/** About as many CVEs as a published file has. */
const OTHER_CVES = 280_000;
const DAY_MS = 86_400_000;

/**
 * Writes a complete EPSS file: the CVEs of the scanned machines and others. Two successive files differ in each value.
 * @param issue which file of the run, from 1; each is dated a day later
 * @returns its path
 */
export async function writeEpssFile(folder: string, issue: number, firstAt: number): Promise<string> {
  const path = join(folder, `epss-${issue}.csv`);
  const file = createWriteStream(path);
  const date = new Date(firstAt + issue * DAY_MS).toISOString();
  file.write(`#model_version:v2025.03.14,score_date:${date}\ncve,epss,percentile\n`);
  const named = knownVulnerabilities().map(({ cve }) => cve);
  for (const [i, cve] of named.entries()) file.write(`${cve},${probability(i, issue)},0.5\n`);
  for (let i = 0; i < OTHER_CVES; i++) {
    const line = `CVE-2016-${100_000 + i},${probability(i, issue)},0.5\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  return path;
}

/** From 0.00001 to 0.9, most of them low. */
const probability = (cve: number, issue: number): string =>
  (0.000_01 + 0.9 * (((cve * 37 + issue * 101) % 1_000) / 1_000) ** 6).toFixed(5);
