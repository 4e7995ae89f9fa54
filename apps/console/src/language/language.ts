import { i18n, type Messages } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import { formatOf, isLanguage, LANGUAGES, type Language, languageOf } from './languages.ts';

const KEY = 'posture-language';

const CATALOGS: Record<Language, () => Promise<{ messages: Messages }>> = {
  // The pages contain the English messages.
  en: async () => ({ messages: {} }),
  de: () => import('./de.po'),
  ar: () => import('./ar.po'),
};

/** The language that the user has selected in this browser, otherwise the first that the browser asks for. */
function preferred(): Language {
  const selected = readSelected();
  return selected !== null && isLanguage(selected) ? selected : languageOf(navigator.languages);
}

function readSelected(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Loads a language and shows the console in it; rejects if its texts cannot be loaded. */
async function activate(language: Language): Promise<void> {
  const { messages } = await CATALOGS[language]();
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  i18n.loadAndActivate({ locale: language, locales: formatOf(language, navigator.languages), messages });
}

const onChange = (tell: () => void) => i18n.on('change', tell);

/** The language that is shown. */
export const useLanguage = (): Language => useSyncExternalStore(onChange, () => i18n.locale as Language);

/** Before the first page is drawn. English if the texts of the preferred language cannot be loaded. */
export const activatePreferred = (): Promise<void> => activate(preferred()).catch(() => activate('en'));

/** Keeps the choice in this browser; a private window that stores nothing has it until a reload. */
export async function selectLanguage(language: Language): Promise<void> {
  await activate(language);
  try {
    localStorage.setItem(KEY, language);
  } catch {}
}
