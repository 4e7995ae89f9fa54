import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ChoiceTimeline, choiceAt, groupScore, posture2, storedRisk } from '#libs/domain';
import {
  type AssetGroup,
  addScoreSums,
  EMPTY_SCORE_SUMS,
  readChoices,
  readSubjects,
  scoreSumsOf,
} from '#libs/scores';
import { ALL_ROWS } from '#libs/tables';
import { catalogueRows, insertCatalogue } from '../../../../test/fixtures/scores/catalogue-rows.ts';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { foldOn } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { emptyFolded } from '../../../../test/support/folded-rows.ts';
import type { LoggedEvent } from '../../../../test/support/histories.ts';
import { runs } from '../../../../test/support/long-run.ts';
import { OPENED, openings, PARTITIONS } from '../../../../test/support/opened-log.ts';
import { DAY_MS } from '../../../../test/support/scenario.ts';
import { emptyScored } from '../../../../test/support/scored-tables.ts';
import { threatHistories } from '../../../../test/support/threat-histories.ts';
import { AssetsAsOfRepository } from '../assets/assets-as-of.repository.ts';
import { ExplainRepository } from './explain.repository.ts';
import { Explanations } from './explain.service.ts';
import { ScoreSlots } from './score-slots.ts';
import { ScoringChoices } from './scoring-choices.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const lastAt = (events: LoggedEvent[]) => Math.max(OPENED, ...events.map((one) => one.event.envelope.at));

const score = (now: number) => scoreAll(database, PARTITIONS, now);

/** The score of a group at an instant by the model in force then, and those of its assets, from their history. */
async function scoresAt(choices: ChoiceTimeline, at: number, group: AssetGroup | null) {
  const choice = choiceAt(choices, at);
  const scope = group ? { group } : {};
  const assets = new Map<string, number | null>();
  let sums = EMPTY_SCORE_SUMS;
  for await (const page of readSubjects(database.db, scope, { at, isPast: true }, { withPast: true })) {
    for (const subject of page.subjects) {
      const risk = storedRisk(choice, subject, page.catalogues.at(at), at);
      assets.set(subject.asset.id, risk.score === null ? null : risk.score / 100);
      sums = addScoreSums(sums, scoreSumsOf(risk));
    }
  }
  const targeting = posture2.targetingOf(choice.incidentRates);
  const whole = choice.model === 'posture-1' ? groupScore(sums) : posture2.groupRisk(sums, targeting);
  return { assets, score: whole.score, model: choice.model };
}

const hundredths = (points: number | null) => Math.round((points ?? 0) * 100);

function expectAddsUp(told: Awaited<ReturnType<Explanations['group']>>): void {
  const shares = [...told.causes, told.others].reduce((sum, { share }) => sum + hundredths(share), 0);
  expect(shares).toBe(hundredths(told.difference));
  expect(shares).toBe(hundredths(told.to.score) - hundredths(told.from.score));
}

const GROUPS: (AssetGroup | null)[] = [null, null, { kind: 'department', name: 'IT' }];

/** Small numbers are not more likely than others. */
const anyPlace = fc.noBias(fc.nat(999));

const cases = fc.record({
  events: threatHistories,
  catalogue: catalogueRows,
  /** How much of the log is scored, the rest waiting for it. */
  scored: fc.constantFrom(1, 0.5, 0),
  picks: fc.array(fc.tuple(anyPlace, anyPlace, fc.constantFrom(...GROUPS)), { minLength: 8, maxLength: 8 }),
});

describe('what moved a score, by the models in force', () => {
  it('is between the scores of the log and the catalogues, and adds up (property)', async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(cases, async ({ events, catalogue, scored, picks }) => {
        await emptyFolded(database);
        await emptyScored(database);
        const whole = [...openings, ...events];
        const known = whole.slice(0, Math.ceil(whole.length * scored));
        const end = lastAt(whole) + 30 * DAY_MS;
        await foldOn(database, known);
        if (scored < 1) await score(lastAt(known));
        await insertCatalogue(database, catalogue);
        await foldOn(database, whole);
        await database.pool.query(
          `insert into rescorings (partition, asset_no, since) select partition, asset_no, 'epoch' from assets
           where $1 on conflict do nothing`,
          [catalogue.length > 0],
        );
        if (scored === 1) await score(end);
        const choices = await readChoices(database.db);
        const explanations = new Explanations(
          database.db,
          new ExplainRepository(database.db),
          new AssetsAsOfRepository(database.db),
          new ScoreSlots(),
          new ScoringChoices(database.db),
          () => end,
        );
        const edges = [
          ...whole.map((one) => one.event.envelope.at),
          ...whole.flatMap(({ event: { envelope, payload } }) =>
            payload.type === 'SignalReceived'
              ? [payload.expiresAt, payload.retainUntil, envelope.at + 14 * DAY_MS]
              : [],
          ),
          ...catalogue.map(({ validFrom }) => validFrom),
        ].filter((at) => at >= OPENED && at <= end);
        for (const [one, other, group] of picks) {
          const [from, to] = [one, other]
            .map((pick) => edges[pick % edges.length]! - (pick % 3 === 0 ? 1 : 0))
            .sort((a, b) => a - b) as [number, number];
          if (from === to || from < 0) continue;
          const [before, after] = [await scoresAt(choices, from, group), await scoresAt(choices, to, group)];
          const told = await explanations.group({ from, to, ...(group && { [group.kind]: group.name }) });
          expect([told.from.score, told.to.score]).toEqual([before.score, after.score]);
          expect([told.from.model, told.to.model]).toEqual([before.model, after.model]);
          expectAddsUp(told);
          for (const { kind } of told.causes) kinds.add(kind);
          for (const [id, score] of after.assets) {
            const own = await explanations.asset(id, { from, to }, ALL_ROWS);
            expect(own.to.score).toBe(score);
            if (before.assets.has(id)) expect(own.from.score).toBe(before.assets.get(id));
            expectAddsUp(own);
            for (const { kind } of own.causes) kinds.add(kind);
          }
        }
      }),
      { numRuns: runs(60) },
    );
    // The histories reach what the models explain.
    expect([...kinds]).toEqual(expect.arrayContaining(['asset', 'finding', 'setting']));
  }, 240_000);
});
