const PART_CHARS_MAX = 60;

/** `web01/000012-log4j.json`: shown with a finding's history, so it contains asset and finding; the number makes it unique. */
export const entryName = (entityKey: string, number: number, findingName: string): string =>
  `${slug(entityKey.slice(entityKey.indexOf(':') + 1))}/${String(number).padStart(6, '0')}-${slug(findingName)}.json`;

/** Letters and digits of ASCII: no archive tool reads them in another way. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, PART_CHARS_MAX)
    .replace(/^-|-$/g, '') || 'x';
