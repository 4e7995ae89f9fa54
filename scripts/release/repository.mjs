// The repository that is released: what git and its files contain.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { compareSurfaces, REPORTS } from '../api/surface.mjs';
import { lastReleaseTag } from './version.mjs';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Paths that differ from the last commit, including untracked files. */
export const uncommittedPaths = () =>
  git('status', '--porcelain')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(3));

/** The tag of the last release; null before the first one. */
export const lastTag = () => lastReleaseTag(git('tag', '--list', 'v*', '--merged', 'HEAD').split('\n'));

/**
 * Changes of the public surface since a tag.
 * @returns {import('../api/changes.mjs').Change[] | null} null if the tag has no reports to compare with
 */
export function changesSince(tag) {
  const paths = Object.keys(REPORTS);
  if (tag === null || git('ls-tree', '--name-only', tag, ...paths).trim() === '') return null;
  const before = Object.fromEntries(paths.map((path) => [path, git('show', `${tag}:${path}`)]));
  const after = Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  return compareSurfaces(before, after);
}

/** Commits all changes, and tags the commit with the notes. */
export function commitAndTag(version, notes) {
  git('commit', '--all', '--message', `Release ${version}`);
  // Headings of the notes begin with #, which git would take for comments.
  git('tag', '--annotate', '--cleanup=verbatim', '--message', `${version}\n\n${notes}\n`, `v${version}`);
}
