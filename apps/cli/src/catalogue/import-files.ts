import { basename, resolve } from 'node:path';
import { type CatalogueImport, type CatalogueKind, importCatalogue } from '#libs/catalogue-store';
import { isoTime, isoTimeOrNull } from '#libs/domain';
import { usageError } from '../cli-error.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { readRows } from './catalogue-rows.ts';
import { withDownload } from './download.ts';
import { entriesOf } from './entries-of.ts';
import type { ImportOptions } from './import-options.ts';
import { onSite } from './on-site.ts';
import { readingPhase } from './reading-phase.ts';
import { siteImportLog } from './site-import-log.ts';
import { sizeOf } from './size-of.ts';

/**
 * Imports a catalogue into a site from files, or from an address.
 * @throws CliError exit 1 if a list has shrunk, another import is at work or something is unreachable; exit 2 if
 * the call is wrong, or a file cannot be read or is not as it must be (nothing has changed then)
 */
export async function importFiles(
  catalogue: CatalogueKind,
  paths: string[],
  { url, force = false, effectiveFrom, json = false }: ImportOptions,
  terminal: Terminal,
): Promise<void> {
  if ((url === undefined) === (paths.length === 0)) {
    throw usageError('name the files to import, or an address with --url');
  }
  const imported = await onSite(terminal.env, (site) => {
    const run = async (files: string[]) => {
      const phase = readingPhase(terminal, json, await sizeOf(files));
      try {
        return await importCatalogue(
          site.database.db,
          {
            catalogue,
            source: nameOf(files),
            read: () =>
              readRows(catalogue, files, { effectiveFrom: effectiveFrom ?? null, onBytes: phase.onBytes }),
            onRead: phase.onRows,
            mayShrink: force,
            effectiveFrom: effectiveFrom ?? null,
          },
          siteImportLog(site),
          Date.now,
        );
      } finally {
        phase.end();
      }
    };
    return url === undefined ? run(paths) : withDownload(url, terminal, json, (file) => run([file]));
  });
  terminal.stdout.write(json ? `${JSON.stringify(documentOf(imported))}\n` : sentenceOf(imported));
}

/** The same for the same call, so that an interrupted import is found again. */
function nameOf(files: string[]): string {
  const first = basename(resolve(files[0]!));
  return files.length === 1 ? first : `${first} and ${files.length - 1} more`;
}

const documentOf = ({ id, validFrom, nextFrom, ...imported }: CatalogueImport) => ({
  ok: true,
  importId: id,
  ...imported,
  inForceFrom: isoTime(validFrom),
  nextImportFrom: isoTimeOrNull(nextFrom),
});

function sentenceOf({
  catalogue,
  source,
  rows,
  added,
  changed,
  removed,
  validFrom,
  nextFrom,
}: CatalogueImport): string {
  const read = `Imported ${printable(source)}: ${rows} rows of the ${catalogue} catalogue`;
  if (added + changed + removed === 0) {
    return `${read}, identical to the rows in force: nothing changed, and no score is recomputed\n`;
  }
  const counts = `${added} ${entriesOf(catalogue)} added, ${changed} changed, ${removed} removed`;
  const until = nextFrom === null ? 'on' : `until the next import, at ${isoTime(nextFrom)}`;
  return `${read}, in force from ${isoTime(validFrom)} ${until}: ${counts}\n`;
}
