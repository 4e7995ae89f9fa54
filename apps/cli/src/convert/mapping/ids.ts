const CVE = /(?<![\w-])CVE-\d{4}-\d{4,}(?![\w-])/gi;
const CWE = /(?<![A-Za-z])CWE[-_ ]?0*(\d{1,5})(?!\d)/gi;
const TECHNIQUE = /(?<![\w.])T\d{4}(?:\.\d{3})?(?!\w|\.\d)/g;

/** CVE ids in texts, in capitals, without repeats. */
export const cvesIn = (...texts: (string | null | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => text?.match(CVE) ?? []).map((id) => id.toUpperCase())),
];

/** CWE ids in texts, as `CWE-79`, without repeats. */
export const cwesIn = (...texts: (string | null | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => [...(text ?? '').matchAll(CWE)].map((match) => `CWE-${match[1]}`))),
];

/** The CWE of a number; none where it is 0, negative or no number, which scanners write for no CWE. */
export const cwesOf = (...numbers: (number | null)[]): string[] =>
  numbers
    .filter((number) => number !== null && Number.isInteger(number) && number > 0)
    .map((n) => `CWE-${n}`);

/** ATT&CK technique ids in texts, without repeats. */
export const techniquesIn = (...texts: (string | null | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => text?.match(TECHNIQUE) ?? [])),
];
