import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '#libs/project-files';
import { usageError } from '../../cli-error.ts';
import type { Format } from '../format.ts';
import { readMapFile } from './map-file.ts';

/** A folder has few; each is read at every start. */
const MAPS_MAX = 200;

/** The maps that the product brings. */
export const shippedMaps = (): Format[] => readMapFolder(fileURLToPath(projectFile('apps/cli/maps')));

/**
 * The maps of a folder, its files `*.json`, by name.
 * @throws CliError exit 2 if the folder or a map cannot be read
 */
export function readMapFolder(folder: string): Format[] {
  const files = namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (files.length > MAPS_MAX) throw usageError(`${folder} has more than ${MAPS_MAX} maps`);
  return files.map((file) => readMapFile(join(folder, file)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw usageError(`cannot read the folder of maps ${folder} (${(error as NodeJS.ErrnoException).code})`);
  }
}
