import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { DirectionProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage } from './language.ts';

/** Draws everything anew after a change of language: texts of functions and attributes are no state of React. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  return (
    <I18nProvider i18n={i18n}>
      <DirectionProvider key={useLanguage()}>{children}</DirectionProvider>
    </I18nProvider>
  );
}
