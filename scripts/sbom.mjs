// npm run sbom [-- FOLDER]: writes what is shipped as a CycloneDX document, and its licences as a table.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What Vite builds into the console, as far as it is there. */
const CONSOLE = ['apps/console/src', 'client/src'];
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Which licences the product may be shipped with: none of them asks more than to be named. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

const folder = process.argv[2] ?? 'sbom';
const document = shipped(read(), new Set(CONSOLE.filter(existsSync).flatMap(packagesOf)));
const rows = document.components.map(({ name, version, licenses }) => ({
  name,
  version,
  licence: licenceOf(licenses),
}));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'posture.cdx.json'), `${JSON.stringify(document, null, 2)}\n`);
writeFileSync(join(folder, 'licences.md'), tableOf(rows));
const refused = rows.filter(({ licence }) => !isAllowed(licence));
for (const { name, version, licence } of refused) {
  console.error(
    `${name} ${version}: ${licence || 'no licence is named'} is none of ${[...ALLOWED].join(', ')}`,
  );
}
console.log(`${rows.length} packages are shipped: ${join(folder, 'posture.cdx.json')}, licences.md`);
process.exitCode = refused.length > 0 ? 1 : 0;

/** All that is installed. */
function read() {
  const { stdout, stderr, status } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    shell: process.platform === 'win32',
  });
  if (status === 0) return JSON.parse(stdout);
  console.error(`npm sbom failed: ${stderr}`);
  process.exit(1);
}

/** What a folder imports by name: for npm these are of development alone. */
function packagesOf(source) {
  const packages = [];
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.spec)\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(source, file), 'utf8');
    for (const [, name] of text.matchAll(
      /^(?:import|\} from|export)\b[^;]*?'((?:@[\w-]+\/)?[\w-]+)[^']*';/gm,
    )) {
      packages.push(name);
    }
  }
  return packages;
}

/** What the programs depend on, and what is built into the console, each with all that it depends on. */
function shipped(all, builtIn) {
  const root = all.metadata.component['bom-ref'];
  const { name, version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const isDirect = (ref) => {
    const component = all.components.find((one) => one['bom-ref'] === ref);
    return component && (component.name in dependencies || builtIn.has(component.name));
  };
  const needs = new Map(all.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const direct = needs.get(root).filter(isDirect);
  const reached = new Set();
  const waiting = [...direct];
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (reached.has(ref)) continue;
    reached.add(ref);
    waiting.push(...needs.get(ref));
  }
  return {
    ...all,
    metadata: {
      ...all.metadata,
      component: { ...all.metadata.component, type: 'application', name, version },
    },
    components: all.components.filter((one) => reached.has(one['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => ref === root || reached.has(ref))
      .map((one) => (one.ref === root ? { ...one, dependsOn: direct } : one)),
  };
}

function licenceOf(licences = []) {
  return licences.map(({ expression, license }) => expression ?? license.id ?? license.name).join(' AND ');
}

function isAllowed(expression) {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((id) => ALLOWED.has(id)));
}

function tableOf(packages) {
  const lines = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `# Licences of what is shipped\n\n| package | version | licence |\n|---|---|---|\n${lines.sort().join('\n')}\n`;
}
