// CHANGELOG.md, in the form of Keep a Changelog.

const UNRELEASED = '## [Unreleased]';

/**
 * The entries under Unreleased.
 * @param {string} changelog
 * @returns {string} empty if there is none; headings without entries are no entries
 */
export function unreleasedNotes(changelog) {
  const start = changelog.indexOf(UNRELEASED);
  if (start < 0) throw new Error(`CHANGELOG.md has no heading "${UNRELEASED}"`);
  const [section] = changelog.slice(start + UNRELEASED.length).split(/^(?=## |\[[^\]]+\]: )/m);
  return /^- /m.test(section) ? section.trim() : '';
}

/**
 * Moves the entries under Unreleased to a version.
 * @param {string} changelog with such entries
 * @param {string} version
 * @param {string} date as YYYY-MM-DD
 */
export const releasedChangelog = (changelog, version, date) =>
  changelog.replace(UNRELEASED, () => `${UNRELEASED}\n\n## [${version}] - ${date}`);
