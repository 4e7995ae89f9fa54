import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { script } from '../api/scripts.ts';

const { lastReleaseTag, lowestVersion, whyNotVersion } = await script('release/version.mjs');
const { unreleasedNotes, releasedChangelog } = await script('release/changelog.mjs');
const { planRelease } = await script('release/plan.mjs');

const ADDED = { kind: 'added', where: 'GET /findings', what: 'new route' };
const INCOMPATIBLE = { kind: 'incompatible', where: 'GET /findings', what: 'route removed' };

describe('lowestVersion', () => {
  it.each([
    ['1.2.3', [], '1.2.4'],
    ['1.2.3', [ADDED], '1.3.0'],
    ['1.2.3', [ADDED, INCOMPATIBLE], '2.0.0'],
    ['0.1.0', [], '0.1.1'],
    ['0.1.0', [INCOMPATIBLE], '0.2.0'],
  ])('after %s with %j is %3$s', (last, changes, expected) => {
    expect(lowestVersion(last, changes)).toBe(expected);
  });
});

describe('whyNotVersion', () => {
  it.each([
    ['1.2', /is not a version/],
    ['v1.3.0', /is not a version/],
    ['1.3.0-rc.1', /is a pre-release/],
    ['1.2.3', /greater than 1\.2\.3/],
    ['1.2.4', /must be 1\.3\.0 or greater/],
  ])('rejects %s', (version, expected) => {
    expect(whyNotVersion(version, '1.2.3', [ADDED])).toMatch(expected);
  });

  it('accepts a greater version than the changes require', () => {
    expect(whyNotVersion('2.0.0', '1.2.3', [ADDED])).toBeNull();
  });
});

describe('lastReleaseTag', () => {
  it('is the greatest version, and no pre-release', () => {
    expect(lastReleaseTag(['v0.9.0', 'v0.10.0', 'v0.10.0-rc.1', 'v0.11.0-rc.1', 'v1', ''])).toBe('v0.10.0');
    expect(lastReleaseTag(['v0.1.0-rc.1', ''])).toBeNull();
  });
});

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A route.

## [0.1.0] - 2026-11-22

### Added

- All of it.
`;
const EMPTY = CHANGELOG.replace('- A route.\n', '');

describe('the changelog', () => {
  it('returns only the entries under Unreleased', () => {
    expect(unreleasedNotes(CHANGELOG)).toBe('### Added\n\n- A route.');
    expect(unreleasedNotes(EMPTY)).toBe('');
    expect(() => unreleasedNotes('# Changelog\n')).toThrow('no heading');
  });

  it('moves them to the version', () => {
    const released = releasedChangelog(CHANGELOG, '0.2.0', '2026-12-01');
    expect(released).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A route.\n');
    expect(unreleasedNotes(released)).toBe('');
  });

  it('of the project has the form of Keep a Changelog', async () => {
    const headings = (await readFile('CHANGELOG.md', 'utf8')).match(/^#{2,3} .*$/gm)!;
    expect(headings[0]).toBe('## [Unreleased]');
    const others = headings
      .slice(1)
      .filter(
        (line) =>
          !/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$|^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(
            line,
          ),
      );
    expect(others).toEqual([]);
  });
});

describe('planRelease', () => {
  const state = { version: '0.2.0', last: '0.1.0', changelog: CHANGELOG, changes: [ADDED], uncommitted: [] };

  it('has no problem with a clean tree, an entry and a fitting version', () => {
    expect(planRelease(state)).toEqual({ problems: [], notes: '### Added\n\n- A route.' });
  });

  it('names every problem', () => {
    const bad = { ...state, version: '0.1.1', changelog: EMPTY, uncommitted: ['README.md'] };
    expect(planRelease(bad).problems).toEqual([
      expect.stringContaining('0.2.0 or greater'),
      expect.stringContaining('no entry'),
      expect.stringContaining('README.md'),
    ]);
  });
});

it('npm run release without a version explains its use', async () => {
  const failure = await promisify(execFile)(process.execPath, ['scripts/release.mjs']).catch(
    (error) => error,
  );
  expect([failure.code, failure.stderr]).toEqual([2, 'Usage: npm run release -- VERSION [--dry-run]\n']);
});

it('the page about deploying builds the version of the overlay, whichever it is', async () => {
  const page = await readFile('docs/deploying.md', 'utf8');
  const images = page.slice(page.indexOf('### Prerequisites'), page.indexOf('### Starting'));
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(images).toContain('docker build');
  expect(images).not.toContain(version);
});
