import { readFile, writeFile } from 'node:fs/promises';
import type { BenchReport } from '../benchmark.ts';
import { ROOT } from '../root.ts';
import { pageOf } from './page.ts';
import type { RecordBook, Recorded, RecordedSmoke } from './record-book.ts';

const PAGE = `${ROOT}docs/benchmarks.md`;
const FILE = `${ROOT}bench/recorded.json`;

export async function readBook(): Promise<RecordBook> {
  const text = await readFile(FILE, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? { benchmarks: {} } : (JSON.parse(text) as RecordBook);
}

/** Replaces the recorded report of a benchmark; `names` as for `withReport`. */
export async function recordReport(report: BenchReport, command: string, names: string[]): Promise<void> {
  await writeBook(withReport(await readBook(), report, command, names));
}

export async function recordSmoke(smoke: RecordedSmoke): Promise<void> {
  await writeBook({ ...(await readBook()), smoke });
}

/** @param names of all benchmarks, in the page's order: reports with other names are omitted */
export function withReport(
  book: RecordBook,
  { name, machine, cells, ratio }: BenchReport,
  command: string,
  names: string[],
): RecordBook {
  const recorded = { command, machine, cells, ...(ratio !== undefined && { ratio }) };
  const all: Record<string, Recorded> = { ...book.benchmarks, [name]: recorded };
  const kept = names.flatMap((one): [string, Recorded][] => (all[one] ? [[one, all[one]]] : []));
  return { ...book, benchmarks: Object.fromEntries(kept) };
}

async function writeBook(book: RecordBook): Promise<void> {
  await writeFile(FILE, `${JSON.stringify(book, null, 2)}\n`);
  await writeFile(PAGE, pageOf(book));
}
