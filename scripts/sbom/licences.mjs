// Licences that shipped packages may have, and the licence of each package.

/** Licences that require attribution at most. The licence of OpenSSL 1.1.1 also requires it in advertising. */
export const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LicenseRef-public-domain',
  'MIT',
  'MIT-0',
  'OpenSSL',
  'PostgreSQL',
  'Python-2.0',
  'Unicode-DFS-2016',
  'Unlicense',
  'Zlib',
]);

/** The shipped packages, and the libraries and addons in them, each with its licence. */
export const licensed = (components) =>
  components.flatMap((one) => [row(one), ...(one.components ?? []).map((part) => row(part, one))]);

const row = ({ name, version, licenses }, owner) => ({
  name: owner ? `${owner.name}: ${name}` : name,
  version: version ?? 'unknown',
  licence: licenceOf(licenses),
});

export function isAllowed(expression) {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((id) => ALLOWED.has(id)));
}

export function tableOf(rows) {
  const lines = rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `# Licences of what is shipped\n\n| package | version | licence |\n|---|---|---|\n${lines.sort().join('\n')}\n`;
}

function licenceOf(licences = []) {
  return licences.map(({ expression, license }) => expression ?? license.id ?? license.name).join(' AND ');
}
