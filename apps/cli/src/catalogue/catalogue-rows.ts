import { type ReadOptions, readCveStates, readEpss, readKev } from '#libs/catalogue';
import type { CatalogueKind, ReadRow } from '#libs/catalogue-store';

/** Of each publisher's row what scores need. */
const READERS: Record<CatalogueKind, (path: string, options: ReadOptions) => AsyncIterable<ReadRow>> = {
  async *cve(path, options) {
    for await (const { cve, state } of readCveStates(path, options)) yield { cve, value: { state } };
  },
  async *epss(path, options) {
    for await (const { cve, probability, date } of readEpss(path, options)) {
      yield { cve, value: { probability, date } };
    }
  },
  async *kev(path, options) {
    for await (const { cve, dateAdded } of readKev(path, options)) yield { cve, value: { dateAdded } };
  },
};

/**
 * The rows of a catalogue's files, one after the other.
 * @param onBytes hears how many bytes of them all were read
 * @throws CatalogueFileError as their readers
 */
export async function* readRows(
  catalogue: CatalogueKind,
  paths: string[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<ReadRow> {
  let before = 0;
  for (const path of paths) {
    let bytes = 0;
    yield* READERS[catalogue](path, {
      onBytes: (read) => {
        bytes = read;
        onBytes(before + bytes);
      },
    });
    before += bytes;
  }
}
