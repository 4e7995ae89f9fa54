import { t } from '@lingui/core/macro';
import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** With words in the language that is shown. One accent colour, system fonts, and greys with a contrast of at least 4.5 to 1 (WCAG AA). */
export const themeIn = () =>
  createTheme({
    primaryColor: 'indigo',
    primaryShade: { light: 8, dark: 7 },
    autoContrast: true,
    defaultRadius: 'md',
    fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    headings: { fontWeight: '650' },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: { CloseButton: { defaultProps: { 'aria-label': t`Close` } } },
  });

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636b',
    '--mantine-color-placeholder': '#5f666d',
    '--mantine-color-anchor': colors.indigo![8],
    '--mantine-color-error': '#c92a2a',
    '--posture-surface': '#ffffff',
    '--posture-page': '#f6f7f9',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a8b0',
    '--mantine-color-placeholder': '#9aa0a8',
    '--mantine-color-anchor': colors.indigo![3],
    '--mantine-color-error': '#ff8787',
    '--posture-surface': '#1f2126',
    '--posture-page': '#17191d',
  },
});
