import { readFile, writeFile } from 'node:fs/promises';
import type { BenchReport } from './benchmark.ts';
import { machineInWords } from './machine.ts';
import { ROOT } from './root.ts';

const FILE = `${ROOT}docs/benchmarks.md`;
const BEGINNING = `# Benchmarks

Written by \`npm run bench -- NAME --record\`: each figure beside its baseline from the same run, where there is one.
A commit with \`+\` had changes in its tree.
`;
/** Adds a report to the section of its benchmark in docs/benchmarks.md, as the last row of the section's table. */
export async function record(report: BenchReport): Promise<void> {
  const text = await readFile(FILE, 'utf8').catch(() => BEGINNING);
  await writeFile(FILE, withReport(text, report));
}

/** The page with the report in it; other sections stay as they are. */
export function withReport(page: string, report: BenchReport): string {
  const heading = `## ${report.name}`;
  const sections = page.trimEnd().split(/\n(?=## )/);
  const at = sections.findIndex((section) => section.split('\n')[0] === heading);
  const { machine, cells } = report;
  const all: Record<string, string> = {
    date: machine.date.slice(0, 10),
    commit: machine.commit,
    ...cells,
    machine: machineInWords(machine),
  };
  const row = rowOf(Object.values(all));
  if (at < 0) {
    const header = Object.keys(all);
    sections.push([heading, '', rowOf(header), `|${'---|'.repeat(header.length)}`, row].join('\n'));
  } else sections[at] = `${sections[at]!.trimEnd()}\n${row}\n`;
  return `${sections.map((section) => section.trimEnd()).join('\n\n')}\n`;
}

const rowOf = (cells: string[]): string => `| ${cells.join(' | ')} |`;
