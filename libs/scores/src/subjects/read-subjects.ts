import type { Kysely } from 'kysely';
import { type CatalogueTimeline, readCatalogues } from '#libs/catalogue-store';
import type { Schema } from '#libs/database';
import type { Asset, ScoringSubject } from '#libs/domain';
import { assetPages, type SubjectScope } from './asset-pages.ts';
import { readAssets } from './read-assets.ts';
import { type FindingsOptions, readFindings } from './read-findings.ts';
import type { ReadingInstant } from './reading-instant.ts';

/** An asset to be scored. */
export interface Subject extends ScoringSubject {
  assetNo: number;
  asset: Asset;
}

export interface SubjectPage {
  /** In the order of their numbers. */
  subjects: Subject[];
  /** What the catalogues say of the CVEs of these, from the instant on. */
  catalogues: CatalogueTimeline;
}

/**
 * The assets of a scope with their findings at an instant, page by page: those that were there and not deleted, with
 * those of their findings that carry a CVE or a technique. Memory is that of a page (`assetPages`). Of the present,
 * each page is what is stored when it is read.
 */
export async function* readSubjects(
  db: Kysely<Schema>,
  scope: SubjectScope,
  instant: ReadingInstant,
): AsyncGenerator<SubjectPage> {
  for await (const assetNos of assetPages(db, scope, instant)) {
    const subjects = await subjectsOf(db, assetNos, scope, instant);
    yield { subjects, catalogues: await readCatalogues(db, cvesOf(subjects), instant.at) };
  }
}

/** The assets of one page, as `readSubjects` reads them. */
export async function subjectsOf(
  db: Kysely<Schema>,
  assetNos: readonly number[],
  scope: Pick<SubjectScope, 'group'>,
  instant: ReadingInstant,
  options?: FindingsOptions,
): Promise<Subject[]> {
  const assets = await readAssets(db, assetNos, scope, instant);
  const findings = await readFindings(
    db,
    assets.map(({ assetNo }) => assetNo),
    instant,
    options,
  );
  return assets.map((one) => ({ ...one, findings: findings.get(one.assetNo) ?? [] }));
}

/** With repeats. */
export const cvesOf = (subjects: readonly Subject[]): string[] =>
  subjects.flatMap(({ findings }) => findings.flatMap(({ cves }) => cves));
