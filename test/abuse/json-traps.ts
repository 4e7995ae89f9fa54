import { plainSignal } from '../support/api-client.ts';

const MB = 1_048_576;

/** A text that is sent as a signal, and the status of its response. */
export interface JsonTrap {
  what: string;
  body: () => Buffer | string;
  status: 200 | 400 | 413;
}

const signal = JSON.stringify(plainSignal('a trap', 'trapped'));
/** A valid signal with this text as the value of an unknown field. */
const holding = (json: string): string => `{"unknown":${json},${signal.slice(1)}`;
const named = (json: string): string => signal.replace('"a trap"', json);

export const JSON_TRAPS: JsonTrap[] = [
  {
    what: '100,000 lists in one another',
    body: () => '['.repeat(100_000) + ']'.repeat(100_000),
    status: 400,
  },
  { what: '1 MB of opening brackets', body: () => '['.repeat(MB), status: 400 },
  { what: '100,000 objects in one another', body: () => '{"a":'.repeat(100_000), status: 400 },
  {
    what: '100,000 lists in a field that is not known',
    body: () => holding('['.repeat(100_000) + ']'.repeat(100_000)),
    status: 400,
  },
  {
    what: 'an object of 90,000 keys',
    body: () => holding(`{${Array.from({ length: 90_000 }, (_, i) => `"k${i}":0`).join()}}`),
    status: 200,
  },
  {
    what: '90,000 properties of the signal itself',
    body: () => `{${Array.from({ length: 90_000 }, (_, i) => `"k${i}":0`).join()},${signal.slice(1)}`,
    status: 200,
  },
  { what: '340,000 empty lists', body: () => holding(`[${'[],'.repeat(340_000)}[]]`), status: 200 },
  { what: 'a number of 900,000 digits', body: () => holding('9'.repeat(900_000)), status: 200 },
  { what: 'a severity beyond all numbers', body: () => signal.replace('7.5', '1e999999'), status: 400 },
  { what: 'a severity of no weight', body: () => signal.replace('7.5', '-0'), status: 200 },
  { what: 'a severity next to nothing', body: () => signal.replace('7.5', '1e-50'), status: 200 },
  {
    what: 'an expiry in the year 10000, by its zone',
    body: () => `{"expiresAt":"9999-12-31T23:59:59-05:00",${signal.slice(1)}`,
    status: 200,
  },
  {
    what: 'CVEs of the signal in 10,000 contexts',
    body: () =>
      JSON.stringify({
        ...plainSignal('a trap', 'trapped'),
        cves: Array.from({ length: 1_000 }, (_, i) => `${i}`.padEnd(200, 'x')),
        securityContext: undefined,
        securityContexts: Array.from({ length: 10_000 }, () => ({
          type: 'va',
          status: { complianceStatus: 'fail' },
          severity: { level: 'low' },
        })),
      }),
    status: 400,
  },
  {
    what: 'long ports, of which each has 200 protocols',
    body: () => {
      const port = ['1', ...Array.from({ length: 14 }, (_, i) => `${i}`.padEnd(65_536, 'x'))];
      const tags = { port, protocol: Array.from({ length: 200 }, (_, i) => `${i}`) };
      return JSON.stringify({ ...plainSignal('a trap', 'trapped'), tags });
    },
    status: 400,
  },
  {
    what: 'long names of mappings, of which each has 1,000 values',
    body: () => {
      const value = Array.from({ length: 1_000 }, (_, i) => `${i}`);
      const standardsMapping = Array.from({ length: 100 }, (_, i) => ({
        name: `${i}`.padEnd(200, 'x'),
        value,
      }));
      const plain = plainSignal('a trap', 'trapped');
      return JSON.stringify({ ...plain, securityContext: { ...plain.securityContext, standardsMapping } });
    },
    status: 400,
  },
  {
    what: '200,000 numbers that are longer in full',
    body: () => holding(`[${'1e20,'.repeat(200_000)}0]`),
    status: 400,
  },
  { what: 'a number with leading zeros', body: () => signal.replace('7.5', '007'), status: 400 },
  { what: 'NaN', body: () => signal.replace('7.5', 'NaN'), status: 400 },
  { what: 'a comment', body: () => `/* */${signal}`, status: 400 },
  {
    what: 'the same key twice: the last one counts',
    body: () => `{"name":7,${signal.slice(1)}`,
    status: 200,
  },
  {
    what: '__proto__ and constructor as keys',
    body: () => holding('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'),
    status: 200,
  },
  {
    what: '__proto__ behind an escape, at the top',
    body: () => `{"__pr\\u006fto__":{"isAdmin":true},${signal.slice(1)}`,
    status: 200,
  },
  { what: 'a byte order mark', body: () => `\ufeff${signal}`, status: 200 },
  { what: 'two byte order marks: none is content', body: () => `\ufeff\ufeff${signal}`, status: 200 },
  { what: 'UTF-16', body: () => Buffer.from(`\ufeff${signal}`, 'utf16le'), status: 400 },
  {
    what: 'bytes that are no UTF-8',
    body: () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80])]),
    status: 400,
  },
  { what: 'U+0000 as it is', body: () => named('"a\0b"'), status: 400 },
  {
    what: 'U+0000 and half a surrogate pair, escaped',
    body: () => named('"a\\u0000b\\ud800c"'),
    status: 200,
  },
  { what: 'an escape cut off', body: () => named('"a\\u00"'), status: 400 },
  { what: 'a name of 900 KB', body: () => named(`"${'n'.repeat(900_000)}"`), status: 400 },
  { what: 'a key of 900 KB', body: () => `{"${'k'.repeat(900_000)}":1,${signal.slice(1)}`, status: 200 },
  { what: '1 MB of backslashes', body: () => `"${'\\'.repeat(MB - 2)}"`, status: 400 },
  { what: '1 MB of quotes', body: () => '"'.repeat(MB), status: 400 },
  { what: '1 MB of blanks', body: () => ' '.repeat(MB), status: 400 },
  { what: '1 MB of escapes', body: () => `"${'\\u0000'.repeat(MB / 6 - 1)}"`, status: 400 },
  {
    what: 'one byte more than 1 MB',
    body: () => `${signal}${' '.repeat(MB - signal.length + 1)}`,
    status: 413,
  },
];
