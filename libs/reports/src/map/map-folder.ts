import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '#libs/project-files';
import type { Format } from '../format.ts';
import { readMapFile } from './map-file.ts';
import { WrongMap } from './wrong-map.ts';

/** A folder has few; each is read at every start. */
const MAPS_MAX = 200;

let shipped: Format[] | undefined;

/** The maps that the product brings; read once in a process. */
export function shippedMaps(): Format[] {
  shipped ??= readMapFolder(fileURLToPath(projectFile('libs/reports/maps')));
  return shipped;
}

/**
 * The maps of a folder, its files `*.json`, by name.
 * @throws WrongMap if the folder or a map cannot be read
 */
export function readMapFolder(folder: string): Format[] {
  const files = namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  if (files.length > MAPS_MAX) throw new WrongMap(`${folder} has more than ${MAPS_MAX} maps`);
  return files.map((file) => readMapFile(join(folder, file)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new WrongMap(`cannot read the folder of maps ${folder} (${(error as NodeJS.ErrnoException).code})`);
  }
}
