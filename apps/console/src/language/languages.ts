/** Languages of the console, by BCP 47 tag, in the order of the menu, each in its own words. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', format: 'en' },
  de: { name: 'Deutsch', direction: 'ltr', format: 'de' },
  // Versions, CVE IDs and addresses have these digits, so numbers have them too.
  ar: { name: 'العربية', direction: 'rtl', format: 'ar-u-nu-latn' },
} as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/** The first of the tags that the console speaks, region aside; English if none. */
export const languageOf = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.split('-')[0]!.toLowerCase()).find(isLanguage) ?? 'en';

/** How numbers and times are written: as in the reader's region where the browser names one of this language. */
export function formatOf(language: Language, tags: readonly string[]): string {
  const regional = tags.find((tag) => tag.toLowerCase().startsWith(`${language}-`) && isValid(tag));
  if (regional === undefined) return LANGUAGES[language].format;
  return new Intl.Locale(regional, language === 'ar' ? { numberingSystem: 'latn' } : {}).toString();
}

/** Chromium takes `en-US@posix` from the environment, which the formats reject. */
function isValid(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
