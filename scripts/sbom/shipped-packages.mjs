// The shipped npm packages, as a CycloneDX document that npm writes.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose code Vite builds into the console. A missing folder is skipped. */
const CONSOLE = ['apps/console/src', 'client/src'];
/** Peers of a built-in package that only its build needs: Lingui's macros. */
const BUILD_ONLY = ['@lingui/babel-plugin-lingui-macro', 'babel-plugin-macros'];
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The dependencies of the programs, and the packages that are built into the console.
 * @throws Error with npm's message if it fails
 */
export const shippedPackages = () => shipped(read(), new Set(CONSOLE.filter(existsSync).flatMap(packagesOf)));

/** All installed packages. */
function read() {
  const { stdout, stderr, status } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    shell: process.platform === 'win32',
  });
  if (status === 0) return JSON.parse(stdout);
  throw new Error(`npm sbom failed: ${stderr}`);
}

/** Packages that the files of a folder import. For npm they are development dependencies. */
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

/** The direct dependencies of the programs and the packages of the console, with their transitive dependencies. */
function shipped(all, builtIn) {
  const root = all.metadata.component['bom-ref'];
  const { name, version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const names = new Map(all.components.map((one) => [one['bom-ref'], one.name]));
  const nameOf = (ref) => names.get(ref);
  const isDirect = (ref) =>
    nameOf(ref) !== undefined && (nameOf(ref) in dependencies || builtIn.has(nameOf(ref)));
  const needs = new Map(all.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const direct = needs.get(root).filter(isDirect);
  const reached = new Set();
  const waiting = [...direct];
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (reached.has(ref)) continue;
    reached.add(ref);
    waiting.push(...needs.get(ref).filter((needed) => !BUILD_ONLY.includes(nameOf(needed))));
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
      .map((one) => ({
        ...one,
        dependsOn: one.ref === root ? direct : one.dependsOn.filter((ref) => reached.has(ref)),
      })),
  };
}
