// npm run release -- VERSION [--dry-run]: checks that VERSION can be released, then commits and tags it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { releasedChangelog } from './release/changelog.mjs';
import { planRelease } from './release/plan.mjs';
import { changesSince, commitAndTag, lastTag, uncommittedPaths } from './release/repository.mjs';

/** Files that contain the version, in addition to package.json and its lock. */
const NAMES_VERSION = [
  'client/README.md',
  'deploy/kubernetes/large/kustomization.yaml',
  'deploy/kubernetes/small/kustomization.yaml',
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});
const [version] = positionals;
if (version === undefined || positionals.length > 1) {
  console.error('Usage: npm run release -- VERSION [--dry-run]');
  process.exit(2);
}

const tag = lastTag();
const current = JSON.parse(readFileSync('package.json', 'utf8')).version;
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const changes = changesSince(tag);
const { problems, notes } = planRelease({
  version,
  last: tag?.slice(1) ?? current,
  changelog,
  changes: changes ?? [],
  uncommitted: uncommittedPaths(),
});

if (changes === null) console.log('The public surface is not compared: no earlier tag has api/.');
else console.log(`Public surface since ${tag}: ${changes.length} changes`);
for (const { kind, where, what } of changes ?? []) console.log(`  ${kind}: ${where}: ${what}`);
for (const problem of problems) console.error(`Problem: ${problem}`);
if (problems.length > 0) process.exit(1);

const run = (command, args, cwd = '.') => execFileSync(command, args, { cwd, stdio: 'inherit' });
const STEPS = [
  ['check everything (.ci/run)', () => run('.ci/run', [])],
  [
    `move the entries under Unreleased to ${version} in CHANGELOG.md`,
    () => {
      const date = new Date().toISOString().slice(0, 10);
      writeFileSync('CHANGELOG.md', releasedChangelog(changelog, version, date));
    },
  ],
  [`set the version in package.json, package-lock.json and client/package.json`, setVersion],
  [`replace ${current} in ${NAMES_VERSION.join(', ')}`, replaceVersion],
  ['write the SBOM to sbom/', () => run('npm', ['run', '--silent', 'sbom'])],
  [`commit, and tag v${version}`, () => commitAndTag(version, notes)],
];

function attempt(act) {
  try {
    act();
  } catch (error) {
    console.error(`The release stopped: ${error.message}. To undo its changes: git restore .`);
    process.exit(1);
  }
}

function setVersion() {
  const args = ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'];
  run('npm', args);
  run('npm', args, 'client');
}

function replaceVersion() {
  for (const path of NAMES_VERSION)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(current, version));
}

for (const [what, act] of STEPS) {
  console.log(values['dry-run'] ? `Would ${what}.` : `${what} …`);
  if (!values['dry-run']) attempt(act);
}
if (!values['dry-run']) console.log(`Push the commit and the tag: git push --follow-tags`);
