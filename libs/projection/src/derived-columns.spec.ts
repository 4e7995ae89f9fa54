import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Finding, SEALED_BEGIN, SEALED_END } from '#libs/domain';
import { newDataKey, sealHostName, sealPublicAddress, sealText } from '#libs/sealing';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { runs } from '../../../test/support/long-run.ts';
import { textIdOf } from './derived-columns.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Characters of a description that searches look into. */
const SEARCHED_MAX = 4_000;
const SUBJECT = 'A'.repeat(22);
const KEYS = [newDataKey(), new Uint8Array(32)].map((key) => ({ subject: SUBJECT, key }));
const [KEY, EARLIER_KEY] = [KEYS[0]!, KEYS[1]!];

const findingOf = (description: string | null) => ({ name: 'naïve 名前', description }) as Finding;

/** The text ids that PostgreSQL makes of findings' rows, as the trigger for earlier projectors does. */
async function storedIdsOf(findings: Finding[]): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select md5(finding_text(body ->> 'name', body)) as id
       from json_array_elements($1::json) with ordinality as f (body, n) order by n`,
    [JSON.stringify(findings)],
  );
  return rows.map(({ id }) => id);
}

/** A text of `length` characters that ends so many characters before the last one that is searched. */
const endingBefore = (cut: number): string => 'a'.repeat(SEARCHED_MAX - cut);

/** What a description can consist of, sealed texts in all forms and marks without the other one among it. */
const part = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ' ')),
  fc.constantFrom(' ', '\n', '\r\n', '\t', '😀', SEALED_BEGIN, SEALED_END),
  fc.tuple(fc.string(), fc.constantFrom(...KEYS)).map(([text, key]) => sealText(text, key)),
  fc.constantFrom('web01', 'web01.example.com').map((name) => sealHostName(name, KEY)),
  fc.ipV4().map((address) => sealPublicAddress(address, KEY)),
);

/** So long that the end of what is searched is often within a sealed text. */
const filler = fc
  .tuple(fc.constantFrom('a', '😀', '\n'), fc.integer({ min: SEARCHED_MAX - 250, max: SEARCHED_MAX }))
  .map(([character, length]) => character.repeat(length));

const description = fc
  .tuple(fc.array(part, { maxLength: 3 }), fc.option(filler, { nil: '' }), fc.array(part, { maxLength: 6 }))
  .map(([before, long, after]) => [...before, long, ...after].join(''));

describe('the text of a finding', () => {
  it.each([
    ['without a description', null],
    ['with an empty one', ''],
    ['of several scripts', 'Größe: 値 «ok» \\ "quoted"\n\ttab'],
    ['with the greatest length that is searched', endingBefore(0)],
    ['one character longer', `${endingBefore(0)}b`],
    ['of characters with two code units', '😀'.repeat(SEARCHED_MAX - 1)],
    ['of more of them than are searched', `a${'😀'.repeat(SEARCHED_MAX)}`],
    ['whose last searched character has two code units', `${endingBefore(1)}😀😀`],
    ['that is sealed', sealText('Ana opened a mail', KEY)],
    ['that an earlier version sealed', sealText('Ana opened a mail', EARLIER_KEY)],
    [
      'with sealed parts',
      `on ${sealHostName('web01.example.com', KEY)} of ${sealText('Ana', KEY)},\nat ${sealPublicAddress('192.0.2.1', KEY)}`,
    ],
    ['whose sealed part is cut off', `${endingBefore(9)}${sealText('Ana', KEY)} and more`],
    [
      'whose sealed part begins with the last searched character',
      `${endingBefore(1)}${sealText('Ana', KEY)}`,
    ],
    [
      'whose sealed part ends with it',
      `${endingBefore(sealText('Ana', KEY).length)}${sealText('Ana', KEY)} b`,
    ],
    ['with the end of a sealed part alone', `a${SEALED_END}b`],
  ])('is the one that PostgreSQL makes of the row: %s', async (_, given) => {
    const finding = findingOf(given);
    expect([textIdOf(finding)]).toEqual(await storedIdsOf([finding]));
  });

  it('is the one that PostgreSQL makes of the row, for any description with sealed parts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(description, { minLength: 20, maxLength: 20 }), async (descriptions) => {
        const findings = descriptions.map(findingOf);
        expect(findings.map(textIdOf)).toEqual(await storedIdsOf(findings));
      }),
      { numRuns: runs(100) },
    );
  });

  /*
   * Nothing stored is migrated: no release that seals texts has written text ids in the projector. Rows of migration
   * 0061's trigger, and of the generated column before it, have these ids already.
   */
  it('is shared by findings of one name whose descriptions are sealed', () => {
    const [ana, ben] = ['Ana opened a mail', 'Ben opened a mail'].map((text) =>
      findingOf(sealText(text, KEY)),
    );
    expect(textIdOf(ana!)).toBe(textIdOf(ben!));
  });
});
