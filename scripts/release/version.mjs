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
 * The tag of the greatest version; null if there is none. Tags of pre-releases are no releases.
 * @param {string[]} tags
 */
export function lastReleaseTag(tags) {
  const released = tags.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && semver.valid(tag));
  return released.sort(semver.rcompare)[0] ?? null;
}

/**
 * @param {string} version
 * @param {string} last
 * @param {import('../api/changes.mjs').Change[]} changes
 * @returns {string | null} why the version cannot be released; null if it can
 */
export function whyNotVersion(version, last, changes) {
  if (semver.valid(version) !== version) return `${version} is not a version: write it as MAJOR.MINOR.PATCH`;
  if (semver.prerelease(version))
    return `${version} is a pre-release: only MAJOR.MINOR.PATCH can be released`;
  if (!semver.gt(version, last)) return `${version} must be greater than ${last}, the last version`;
  const lowest = lowestVersion(last, changes);
  return semver.gte(version, lowest)
    ? null
    : `the public surface changed: ${version} must be ${lowest} or greater`;
}
