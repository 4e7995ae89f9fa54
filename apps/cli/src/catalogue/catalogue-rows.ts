import { type ReadOptions, readAttack, readCtid, readCveStates, readEpss, readKev } from '#libs/catalogue';
import type { CatalogueKind, ReadRow } from '#libs/catalogue-store';
import { isoDay } from '#libs/domain';
import { unitedMappings } from './united-mappings.ts';

export interface RowOptions {
  /** From when on the rows count, epoch milliseconds: the day of forecasts whose file names none. */
  effectiveFrom: number | null;
  /** Receives how many bytes of all files were read. */
  onBytes: (bytes: number) => void;
}

type ReadPath = (path: string, options: ReadOptions & { day: string | null }) => AsyncIterable<ReadRow>;

/** The columns of each publisher's rows that scores need. */
const READERS: Record<CatalogueKind, ReadPath> = {
  async *attack(path, options) {
    for await (const { id, ...value } of readAttack(path, options)) yield { cve: id, value };
  },
  async *ctid(path, options) {
    for await (const { cve, technique } of readCtid(path, options)) {
      yield { cve, value: { techniques: [technique] } };
    }
  },
  async *cve(path, options) {
    for await (const { cve, state } of readCveStates(path, options)) yield { cve, value: { state } };
  },
  async *epss(path, options) {
    for await (const { cve, probability, date } of readEpss(path, options)) {
      yield { cve, value: { probability, date } };
    }
  },
  async *kev(path, options) {
    for await (const { cve, dateAdded, isUsedByRansomware, dueDate } of readKev(path, options)) {
      yield { cve, value: { dateAdded, isUsedByRansomware, ...(dueDate !== null && { dueDate }) } };
    }
  },
};

/**
 * The rows of a catalogue's files, one after the other; of `ctid` one for each CVE, with the techniques of all files.
 * @throws CatalogueFileError as their readers
 */
export function readRows(
  catalogue: CatalogueKind,
  paths: string[],
  options: RowOptions,
): AsyncGenerator<ReadRow> {
  const rows = readPaths(catalogue, paths, options);
  return catalogue === 'ctid' ? unitedMappings(rows as AsyncIterable<ReadRow<'ctid'>>) : rows;
}

async function* readPaths(
  catalogue: CatalogueKind,
  paths: string[],
  { effectiveFrom, onBytes }: RowOptions,
): AsyncGenerator<ReadRow> {
  const day = effectiveFrom === null ? null : isoDay(effectiveFrom);
  let before = 0;
  for (const path of paths) {
    let bytes = 0;
    yield* READERS[catalogue](path, {
      day,
      onBytes: (read) => {
        bytes = read;
        onBytes(before + bytes);
      },
    });
    before += bytes;
  }
}
