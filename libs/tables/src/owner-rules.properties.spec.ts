import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { assigneeKey, type OwnerRule, ownerOf, type RuledAsset } from '#libs/domain';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { runs } from '../../../test/support/long-run.ts';
import { isOwned, RULED_STATE, type RuledColumns, ruledRow, ruleOf, withKeys } from './owner-rules.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const LONG = 'x'.repeat(700);
const names = fc.subarray(['Sales', 'IT', LONG, `${LONG}y`]);
const keys = ['env', 'team', '__proto__'];
const values = ['prod', 'a"b', '%'];
const owners = fc.constantFrom<Pick<OwnerRule, 'user' | 'team'>>(
  { user: 'ana', team: null },
  { user: null, team: 'ana' },
  { user: null, team: 'blue' },
  { user: null, team: null },
);
const rule: fc.Arbitrary<OwnerRule> = fc
  .tuple(
    fc.record({
      departments: names,
      locations: names,
      tags: fc.array(fc.record({ key: fc.constantFrom(...keys), value: fc.constantFrom(...values) }), {
        maxLength: 3,
      }),
    }),
    owners,
  )
  .map(([conditions, owner]) => ({ ...conditions, ...owner }));
const asset: fc.Arbitrary<RuledAsset> = fc.record({
  department: fc.constantFrom('Sales', 'IT', LONG, `${LONG}y`),
  location: fc.constantFrom('Sales', 'IT', LONG, `${LONG}y`),
  tags: fc
    .array(fc.tuple(fc.constantFrom(...keys), fc.subarray(values)), { maxLength: 3 })
    .map((tags) => Object.fromEntries(tags)),
});

/** The place of the rule, and whether the owner is one of those with the keys, for each asset, as PostgreSQL says it. */
async function asked(
  from: RawBuilder<unknown>,
  columns: RuledColumns,
  rules: OwnerRule[],
  wanted: string[],
): Promise<{ rule: number | null; isTheirs: boolean }[]> {
  const { rows } = await sql<{ rule: number | null; isTheirs: boolean }>`
    select ${ruleOf(rules, columns)} as rule, ${isOwned(rules, withKeys(wanted), columns)} as "isTheirs"
    from ${from} order by place`.execute(database.db);
  return rows;
}

it('rules give the same owner in PostgreSQL, of rows and of states, as in the domain', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { maxLength: 5 }),
      fc.array(asset, { minLength: 1, maxLength: 8 }),
      fc.subarray(['user:ana', 'team:ana', 'team:blue']),
      async (rules, assets, wanted) => {
        const expected = assets.map((one) => {
          const ruled = ownerOf(rules, one);
          return ruled && { ...ruled, key: assigneeKey(ruled.owner) };
        });
        const text = JSON.stringify(assets);
        const given = sql`json_array_elements(${text}::json) with ordinality as given (state, place)`;
        const asRows = sql`(select place, state ->> 'department' as department, state ->> 'location' as location, state
          from ${given}) a`;
        const asStates = sql`(select place, state from ${given}) h`;
        for (const [from, columns] of [
          [asRows, ruledRow('a')],
          [asStates, RULED_STATE],
        ] as const) {
          const found = await asked(from, columns, rules, wanted);
          expect(found.map(({ isTheirs }) => isTheirs)).toEqual(
            expected.map((one) => one !== null && wanted.includes(one.key)),
          );
          // A rule that names nobody has a place, and no owner.
          expect(
            found.map(({ rule: place }) => (place !== null && hasOwner(rules[place]!) ? place : null)),
          ).toEqual(expected.map((one) => one?.rule ?? null));
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

const hasOwner = ({ user, team }: OwnerRule): boolean => user !== null || team !== null;
