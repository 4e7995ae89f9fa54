import typescript from '@typescript-eslint/parser';
import lingui from 'eslint-plugin-lingui';

/** Every text of the console can be translated. All other rules are Biome's. */
export default [
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    ignores: ['apps/console/src/api/schema.ts', 'apps/console/src/overview/first-signal-line.ts'],
    languageOptions: {
      parser: typescript,
      parserOptions: { project: 'apps/console/tsconfig.json', ecmaFeatures: { jsx: true } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { lingui },
    rules: {
      'lingui/t-call-in-function': 'error',
      'lingui/no-single-tag-to-translate': 'error',
      'lingui/no-single-variables-to-translate': 'error',
      'lingui/no-trans-inside-trans': 'error',
      'lingui/no-expression-in-message': 'error',
      'lingui/no-unlocalized-strings': [
        'error',
        {
          useTsTypes: true,
          ignore: [
            // No letter.
            '^[^a-zA-Z]*$',
            // A word of code: `failed`, `created-at`, `--mantine-color-dimmed`, `10rem`.
            '^[-#a-z0-9_.:/%]+$',
            // `createdAt`, the beginning of a path `byDepartment.`.
            '^[a-z]+([A-Z][a-z0-9]*)+\\.?$',
            // A path in a body: `filter.severityMin`. A time zone.
            '^[a-zA-Z]+(\\.[a-zA-Z]+)+$',
            '^UTC$',
            // Keys.
            '^(Arrow(Up|Down|Left|Right)|Home|End)$',
            // Names of products.
            '^(· )?Risk Posture$',
            '^(MITRE )?ATT&CK ?\\.?$',
            // Abbreviations that are the same in all languages.
            '^(CVE|EDR|FQDN|ICS)$',
            '^(Slack|Microsoft Teams)$',
            // A code point, a path of SVG.
            '^⟨U\\+⟩$',
            // Addresses, queries, media types.
            '^(/|\\.{1,2}/|https?://|\\?|&)\\S*$',
            // Functions of CSS, commands of SVG paths, ISO 8601 durations.
            '^(var|calc|min|max)\\(',
            '^[0-9]+px solid var\\(',
            '^\\(max-width: [0-9]+em\\)$',
            '^[MHVLZ][0-9 ]*$',
            '^P[0-9TYMWDHS]+$',
            '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z$',
            // Authentication schemes.
            '^(Basic|Bearer)$',
            // Scopes of OpenID Connect.
            '^openid( [a-z]+)*$',
            // Examples in fields: an e-mail address, a tag, a pattern, a system, a currency.
            '^\\S+@\\S+\\.\\S+$',
            '^[*=a-z]+$',
            '^[A-Z]+-?[0-9][-0-9.]*$',
            '^(Windows Server 2022 Datacenter|EUR)$',
            // Browsers and operating systems, and their marks in a User-Agent.
            '^(Edge?|OPR|Opera|Firefox|Chrome|Safari)/?$',
            '^(iPhone|iPad|Android|Windows|Mac OS X|macOS|CrOS|ChromeOS|Linux)$',
            // Methods of HTTP, queries, commands.
            '^(GET|POST|PUT|PATCH|DELETE)$',
            '^[a-z][A-Za-z]*=\\S*$',
            '^npm run ',
          ],
          ignoreNames: [
            'className',
            'key',
            'id',
            'to',
            'href',
            {
              regex: {
                pattern:
                  '^(c|m|p|w|h|gap|fz|fw|bg|size|color|variant|type|name|style|styles|classNames|sizes|d|viewBox)$',
              },
            },
            { regex: { pattern: '^[A-Z][A-Z0-9_]*_(KEY|FORMAT|EXAMPLE)$' } },
            'KEY',
            'queryKey',
            'displayName',
            { regex: { pattern: '^font|^FONT$' } },
            'NOT_THERE',
            'WINDOW',
            'flex',
            'rel',
            'DRAFT',
            'draft',
          ],
          ignoreFunctions: [
            '*.get',
            '*.set',
            '*.has',
            '*.append',
            '*.delete',
            '*.useQuery',
            '*.useMutation',
            '*.useInfiniteQuery',
            '*.GET',
            '*.POST',
            '*.PUT',
            '*.PATCH',
            '*.DELETE',
            '*.addEventListener',
            '*.removeEventListener',
            '*.includes',
            '*.startsWith',
            '*.endsWith',
            '*.split',
            '*.join',
            '*.querySelector',
            'useHotkeys',
            'useKept',
            'useUnsaved',
            'useKeptFields',
            'useDraft',
            '*.closest',
            'Error',
            'TypeError',
            'DOMException',
            'lazy',
            'import',
          ],
        },
      ],
    },
  },
];
