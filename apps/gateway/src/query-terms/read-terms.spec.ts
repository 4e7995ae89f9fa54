import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AssetFindingsQuery, FindingFilterQuery } from '../findings/finding.dto.ts';
import { QueryTextError, readTerms } from './read-terms.ts';
import { namedForm, termForms, written } from './term-forms.ts';

const LISTED = termForms(FindingFilterQuery);
const FORMS = [...LISTED, namedForm('customField.')];

/** The words, and the parameters of the terms. */
function read(text: string): [string, Record<string, string>] {
  const { words, terms } = readTerms(text, FORMS);
  return [words, Object.fromEntries(terms.map(({ parameter, value }) => [parameter, value]))];
}

function failure(text: string, forms = FORMS): [number, string] {
  try {
    readTerms(text, forms);
  } catch (error) {
    if (error instanceof QueryTextError) return [error.position, error.message];
    throw error;
  }
  throw new Error(`${text} was read`);
}

describe('a query text', () => {
  it.each<[string, string, Record<string, string>]>([
    ['', '', {}],
    ['log4j  remote code', 'log4j remote code', {}],
    ['log4j severity:critical,high', 'log4j', { severity: 'critical,high' }],
    ['severity:>=7 severity:critical', '', { severityMin: '7', severity: 'critical' }],
    ['STATE:Failed assettype:Server', '', { state: 'Failed', assetType: 'Server' }],
    ['department:"Human Resources" rdp', 'rdp', { department: 'Human Resources' }],
    [String.raw`name:"a \"b\" \\ c"`, '', { name: String.raw`a "b" \ c` }],
    ['name:a"b', '', { name: 'a"b' }],
    ['assignee:"" x', 'x', { assignee: '' }],
    [
      'firstSeen:>=2026-01-01 firstSeen:<2026-02-01T12:00:00+01:00',
      '',
      { firstSeenAfter: '2026-01-01T00:00:00Z', firstSeenBefore: '2026-02-01T12:00:00+01:00' },
    ],
    ['due:<2026-06-30', '', { dueBefore: '2026-06-30T00:00:00Z' }],
    ['acceptedUntil:<2026-06-30', '', { acceptedUntilBefore: '2026-06-30T00:00:00Z' }],
    ['name:2026-01-01', '', { name: '2026-01-01' }],
    ['"state:on" "remote code"', '"state:on" "remote code"', {}],
    ['"state:on', "'state:on", {}],
    ['"a name:"x" " sla:due "', '\'a " sla:due "', { name: 'x' }],
    ['a "sla:due" b', 'a "sla:due" b', {}],
    ['-word 5" 3"', '-word 5" 3"', {}],
    ['customField.Team:red x', 'x', { 'customField.Team': 'red' }],
    ['CUSTOMFIELD.Team:"a b" customField.team:c', '', { 'customField.Team': 'a b', 'customField.team': 'c' }],
    [
      String.raw`customField."Business unit":Payments customField."a \"b\": c":"x y"`,
      '',
      { 'customField.Business unit': 'Payments', 'customField.a "b": c': 'x y' },
    ],
    ['customField.Team customField. customField:x', 'customField.Team customField. customField:x', {}],
    ['"customField.Team:red" xcustomField.a:b', '"customField.Team:red" xcustomField.a:b', {}],
  ])('%s', (text, words, parameters) => {
    expect(read(text)).toEqual([words, parameters]);
  });

  it.each([
    'arn:aws:s3:::my-bucket/key',
    'fe80::1%eth0',
    '2001:db8::8a2e:370:7334',
    'https://web01.corp.example:8443/path?state:x',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*',
    'pkg:npm/%40angular/core@12.3.1',
    'nginx:1.25',
    'C:\\Windows\\System32',
    '10:30',
    ':',
    '::',
    '<state:on>',
  ])('%s is a word', (text) => {
    expect(read(text)).toEqual([text, {}]);
    expect(read(`state:Failed ${text} log4j`)).toEqual([`${text} log4j`, { state: 'Failed' }]);
  });

  it.each([
    ['x state:', 9, 'expected a value after state:'],
    ['state: Failed', 7, 'expected a value after state:'],
    ['department:"Human', 12, 'expected a closing quote, and then a space'],
    ['department:"Human"Resources', 12, 'expected a closing quote, and then a space'],
    ['-tag:x', 1, 'a filter cannot be negated: omit the -'],
    ['due:2026-06-30', 5, 'expected due:<'],
    ['x due:>=2026-06-30', 7, 'expected due:<'],
    ['severity:>7', 10, 'expected severity:>= or severity:'],
    ['state:<Failed', 7, 'expected state:'],
    ['log4j severityMin:7', 7, 'expected severity:>='],
    ['x customField."Business unit', 15, 'expected a closing quote, and then a colon'],
    ['customField."Business unit" :x', 13, 'expected a closing quote, and then a colon'],
    ['customField.Team: red', 18, 'expected a value after customField.NAME:'],
    ['-customField.Team:red', 1, 'a filter cannot be negated: omit the -'],
    ['customField.a:1 customField."a":2', 17, 'this filter is given twice: separate alternatives by commas'],
    ['state:Failed state:Qualified', 14, 'this filter is given twice: separate alternatives by commas'],
  ])('%s fails at character %d', (text, position, message) => {
    expect(failure(text)).toEqual([position, message]);
  });

  it('names a filter that the query lacks', () => {
    expect(failure('rdp assetId:1', termForms(FindingFilterQuery, AssetFindingsQuery))).toEqual([
      5,
      'assetId: is not a filter here',
    ]);
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...FORMS.flatMap((form) => [written(form), `-${written(form)}`, `${form.parameter}:`]),
    ...[
      ' ',
      '  ',
      '"',
      '\\',
      '\\"',
      ':',
      '>=',
      '<',
      ',',
      'log4j',
      'arn:aws:iam',
      '\u00a0',
      '\n',
      '🔥',
      '\ud800',
    ],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 }))).map((parts) => parts.join('')),
  );

  it('is read, or fails at one of its characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const { words, terms } = readTerms(text, FORMS);
          expect(new Set(terms.map(({ parameter }) => parameter)).size).toBe(terms.length);
          // Words have no terms.
          expect(readTerms(words, FORMS)).toEqual({ words, terms: [] });
        } catch (error) {
          if (!(error instanceof QueryTextError)) throw error;
          expect(error.position).toBeGreaterThanOrEqual(1);
          expect(error.position).toBeLessThanOrEqual(text.length + 1);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of words without colons is what it was', () => {
    const words = fc.array(fc.string({ unit: 'grapheme' }).map((word) => word.replaceAll(/[\s:"]/g, '')));
    fc.assert(
      fc.property(words, (given) => {
        const text = given.filter((word) => word !== '').join(' ');
        expect(read(text)).toEqual([text, {}]);
      }),
    );
  });
});

it('expresses any filters: their text gives the same parameters', () => {
  const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
  const filters = fc.uniqueArray(fc.tuple(fc.constantFrom(...LISTED), fc.string({ unit: 'binary' })), {
    selector: ([{ parameter }]) => parameter,
  });
  fc.assert(
    fc.property(filters, fc.constantFrom(' ', '\n  '), (given, space) => {
      const text = given.map(([form, value]) => written(form) + quoted(value)).join(space);
      expect(read(text)).toEqual([
        '',
        Object.fromEntries(given.map(([form, value]) => [form.parameter, value])),
      ]);
    }),
  );
});

it('expresses any custom fields: their text gives the same names and values', () => {
  const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (given) => {
      const text = Object.entries(given).map(
        ([name, value]) => `customField.${quoted(name)}:${quoted(value)}`,
      );
      const parameters = Object.entries(given).map(([name, value]) => [`customField.${name}`, value]);
      expect(read(text.join(' '))).toEqual(['', Object.fromEntries(parameters)]);
    }),
  );
});
