import { basename, resolve } from 'node:path';
import { type CatalogueImport, type CatalogueKind, importCatalogue } from '#libs/catalogue-store';
import { usageError } from '../cli-error.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { readRows } from './catalogue-rows.ts';
import { withDownload } from './download.ts';
import type { ImportOptions } from './import-options.ts';
import { onSite } from './on-site.ts';
import { readingPhase } from './reading-phase.ts';
import { siteImportLog } from './site-import-log.ts';
import { sizeOf } from './size-of.ts';

/**
 * Imports a catalogue into a site from files, or from an address.
 * @throws CliError exit 1 where a list has shrunk, another import is at work or something is out of reach; exit 2 where
 * the call is wrong, or a file cannot be read or is not as it must be (nothing has changed then)
 */
export async function importFiles(
  catalogue: CatalogueKind,
  paths: string[],
  { url, force = false, json = false }: ImportOptions,
  terminal: Terminal,
): Promise<void> {
  if ((url === undefined) === (paths.length === 0)) {
    throw usageError('name the files to import, or with --url the address of one');
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
            read: () => readRows(catalogue, files, phase.onBytes),
            onRead: phase.onRows,
            mayShrink: force,
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

const documentOf = ({ id, validFrom, ...imported }: CatalogueImport) => ({
  ok: true,
  importId: id,
  ...imported,
  inForceFrom: new Date(validFrom).toISOString(),
});

function sentenceOf({
  catalogue,
  source,
  rows,
  added,
  changed,
  removed,
  validFrom,
}: CatalogueImport): string {
  const read = `Imported ${printable(source)}: ${rows} rows of the ${catalogue} catalogue`;
  if (added + changed + removed === 0) {
    return `${read}, all as they are in force already: nothing has changed, and nothing is scored again\n`;
  }
  const from = new Date(validFrom).toISOString();
  return `${read}, in force from ${from} on: ${added} CVEs added, ${changed} changed, ${removed} removed\n`;
}
