import { readFile, writeFile } from 'node:fs/promises';
import type { BenchResult } from './benchmark.ts';
import { machineInWords } from './machine.ts';
import { ROOT } from './root.ts';

const FILE = `${ROOT}docs/benchmarks.md`;
const BEGINNING = `# Benchmarks

Written by \`npm run bench -- NAME --record\`: each figure beside its baseline from the same run.
A commit with \`+\` had changes in its tree.
`;
const HEADER = `| date | commit | findings/s | baseline | ratio | aims | machine |
|---|---|---|---|---|---|---|`;

/** Adds the result to the section of its benchmark in docs/benchmarks.md, as the last row of the section's table. */
export async function record(result: BenchResult): Promise<void> {
  const text = await readFile(FILE, 'utf8').catch(() => BEGINNING);
  await writeFile(FILE, withResult(text, result));
}

/** The page with the result in it; other sections stay as they are. */
export function withResult(page: string, result: BenchResult): string {
  const heading = `## ${result.name}`;
  const sections = page.trimEnd().split(/\n(?=## )/);
  const at = sections.findIndex((section) => section.split('\n')[0] === heading);
  if (at < 0) sections.push(`${heading}\n\n${HEADER}\n${rowOf(result)}\n`);
  else sections[at] = `${sections[at]!.trimEnd()}\n${rowOf(result)}\n`;
  return `${sections.map((section) => section.trimEnd()).join('\n\n')}\n`;
}

function rowOf({ figure, baseline, ratio, aims, machine }: BenchResult): string {
  const cells = [
    machine.date.slice(0, 10),
    machine.commit,
    Math.round(figure).toLocaleString('en-US'),
    Math.round(baseline).toLocaleString('en-US'),
    ratio.toFixed(2),
    aims.map(({ text, isMet }) => `${text}: ${isMet ? 'met' : 'not met'}`).join('; '),
    machineInWords(machine),
  ];
  return `| ${cells.join(' | ')} |`;
}
