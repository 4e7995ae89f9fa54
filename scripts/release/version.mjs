// Semantic versioning: which version the changes of the public surface require.
import semver from 'semver';

/**
 * The lowest version after `last` that may contain the changes. Before 1.0.0 an incompatible change is a minor one.
 * @param {string} last
 * @param {import('../api/changes.mjs').Change[]} changes
 */
export function lowestVersion(last, changes) {
  const isIncompatible = changes.some(({ kind }) => kind === 'incompatible');
  if (isIncompatible) return semver.inc(last, semver.major(last) === 0 ? 'minor' : 'major');
  return semver.inc(last, changes.length > 0 ? 'minor' : 'patch');
}

/**
 * @param {string} version
 * @param {string} last
 * @param {import('../api/changes.mjs').Change[]} changes
 * @returns {string | null} why the version cannot be released; null if it can
 */
export function whyNotVersion(version, last, changes) {
  if (semver.valid(version) !== version) return `${version} is not a version: write it as MAJOR.MINOR.PATCH`;
  if (!semver.gt(version, last)) return `${version} must be greater than ${last}, the last version`;
  const lowest = lowestVersion(last, changes);
  return semver.gte(version, lowest)
    ? null
    : `the public surface changed: ${version} must be ${lowest} or greater`;
}
