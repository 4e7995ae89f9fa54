import type { OrList } from './or-list.ts';

const CVE = /(?<![\w-])CVE-\d{4}-\d{4,19}(?![\w-])/gi;
const CWE = /(?<![A-Za-z])CWE(?:[-_ ]|: ?)?0*(\d{1,5})(?!\d)/gi;
const TECHNIQUE = /(?<![\w.])T\d{4}(?:\.\d{3})?(?!\w|\.\d)/g;

/** CVE ids in texts, in capitals, without repeats. */
export const cvesIn = (...texts: OrList<string | null | undefined>[]): string[] => [
  ...new Set(
    texts
      .flat()
      .flatMap((text) => text?.match(CVE) ?? [])
      .map((id) => id.toUpperCase()),
  ),
];

/** CWE ids in texts, as `CWE-79`, without repeats. */
export const cwesIn = (...texts: OrList<string | null | undefined>[]): string[] => [
  ...new Set(
    texts.flat().flatMap((text) => [...(text ?? '').matchAll(CWE)].map((match) => `CWE-${match[1]}`)),
  ),
];

const BARE_CWE = /^(?:CWE[-_ :]?)?0*([1-9]\d{0,4})$/i;

/** CWE ids of fields that hold one each, as `79` or `CWE-79`; none for 0 and -1, which scanners write for no CWE. */
export const cwesOf = (...fields: OrList<string | number | null>[]): string[] => [
  ...new Set(
    fields.flat().flatMap((field) => {
      const id = BARE_CWE.exec(String(field ?? '').trim())?.[1];
      return id === undefined ? [] : [`CWE-${id}`];
    }),
  ),
];

/** ATT&CK technique ids in texts, without repeats. */
export const techniquesIn = (...texts: OrList<string | null | undefined>[]): string[] => [
  ...new Set(texts.flat().flatMap((text) => text?.match(TECHNIQUE) ?? [])),
];
