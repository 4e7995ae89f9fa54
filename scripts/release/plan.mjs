// Computes what a release does, and the problems that prevent it. Reads and writes no files.
import { unreleasedNotes } from './changelog.mjs';
import { whyNotVersion } from './version.mjs';

/**
 * @param {object} state of the repository
 * @param {string} state.version to release
 * @param {string} state.last the last version
 * @param {string} state.changelog
 * @param {import('../api/changes.mjs').Change[]} state.changes of the public surface since the last version
 * @param {string[]} state.uncommitted paths
 * @returns {{problems: string[], notes: string}}
 */
export function planRelease({ version, last, changelog, changes, uncommitted }) {
  const notes = unreleasedNotes(changelog);
  const problems = [
    whyNotVersion(version, last, changes),
    notes === '' && 'CHANGELOG.md has no entry under Unreleased',
    uncommitted.length > 0 && `the working tree has uncommitted changes: ${uncommitted.join(', ')}`,
  ];
  return { problems: problems.filter(Boolean), notes };
}
