// npm run sbom [-- FOLDER]: writes the shipped packages as a CycloneDX document, and their licences as a table.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOWED, isAllowed, licensed, tableOf } from './sbom/licences.mjs';
import { withNativeCode } from './sbom/native-components.mjs';
import { shippedPackages } from './sbom/shipped-packages.mjs';
import { withValidReferences } from './sbom/valid-references.mjs';

const folder = process.argv[2] ?? 'sbom';
const packages = shippedPackages();
const document = {
  ...packages,
  components: packages.components.map(withValidReferences).map(withNativeCode),
};
const rows = licensed(document.components);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'posture.cdx.json'), `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(join(folder, 'licences.md'), tableOf(rows));
const refused = rows.filter(({ licence }) => !isAllowed(licence));
for (const { name, version, licence } of refused) {
  console.error(
    `${name} ${version}: ${licence || 'no licence is named'} is none of ${[...ALLOWED].join(', ')}`,
  );
}
const { length } = document.components;
const parts = rows.length - length;
console.log(
  `${length} packages are shipped, with ${parts} native libraries and addons: ${join(folder, 'posture.cdx.json')}, licences.md`,
);
process.exitCode = refused.length > 0 ? 1 : 0;
