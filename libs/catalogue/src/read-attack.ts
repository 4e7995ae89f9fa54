import { AttackBundle, type AttackRow } from './attack-bundle.ts';
import type { CatalogueFile, ReadOptions } from './files/catalogue-file.ts';
import { CatalogueFileError, failOf } from './files/catalogue-file-error.ts';
import { catalogueFiles } from './files/catalogue-files.ts';
import { jsonValues } from './files/json-values.ts';

const OBJECTS = 'objects';

/**
 * The techniques of ATT&CK from STIX 2 bundles as MITRE publishes them, of any matrix: enterprise, mobile or ICS. In a
 * directory, each `.json` file is a bundle. Objects are streamed, and only those about techniques are kept; the rows of
 * a bundle follow when all of it is read, sorted by id.
 *
 * @throws CatalogueFileError if a file is not a STIX bundle, has no techniques, attack patterns of another catalogue
 * such as CAPEC, or more objects than any release
 */
export async function* readAttack(path: string, options: ReadOptions = {}): AsyncGenerator<AttackRow> {
  let bundles = 0;
  for await (const file of catalogueFiles(path, options)) {
    if (file.name !== path && !/\.json(\.gz)?$/.test(file.baseName)) continue;
    yield* (await readBundle(file)).techniques();
    bundles += 1;
  }
  if (bundles === 0) throw new CatalogueFileError(path, null, 'has no STIX bundles');
}

async function readBundle(file: CatalogueFile): Promise<AttackBundle> {
  const bundle = new AttackBundle(failOf(file.name));
  let type: unknown;
  for await (const { index, value } of jsonValues(file, OBJECTS, ['type'])) {
    if (index === null) type = value;
    else bundle.add(value, `${OBJECTS}[${index}]`);
  }
  if (type !== 'bundle') {
    throw new CatalogueFileError(
      file.name,
      null,
      'is not a STIX bundle: `type` must be `bundle`, as in ATT&CK STIX',
    );
  }
  if (bundle.isEmpty) throw new CatalogueFileError(file.name, null, 'has no ATT&CK techniques');
  return bundle;
}
