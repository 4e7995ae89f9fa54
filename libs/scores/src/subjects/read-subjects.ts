import type { Kysely } from 'kysely';
import { type CatalogueTimeline, readCatalogues } from '#libs/catalogue-store';
import type { Schema } from '#libs/database';
import type { FindingFacts, posture2 } from '#libs/domain';
import { assetPages, type SubjectScope } from './asset-pages.ts';
import { type AssetAt, readAssets } from './read-assets.ts';
import { type FindingsOptions, readFindings } from './read-findings.ts';
import type { ReadingInstant } from './reading-instant.ts';

/** An asset to be scored. */
export interface Subject extends posture2.ThreatenedSubject, AssetAt {
  asset: AssetAt['asset'];
}

export interface SubjectPage {
  /** In the order of their numbers. */
  subjects: Subject[];
  /** The data of the catalogues about their CVEs, from the instant on. */
  catalogues: CatalogueTimeline;
}

/**
 * The assets of a scope that existed and were not deleted at an instant, with their findings that carry a CVE or a
 * technique, page by page. Memory is bounded by a page (`assetPages`). For the present, each page is read as it is
 * stored at that moment.
 */
export async function* readSubjects(
  db: Kysely<Schema>,
  scope: SubjectScope,
  instant: ReadingInstant,
  options?: FindingsOptions,
): AsyncGenerator<SubjectPage> {
  for await (const assetNos of assetPages(db, scope, instant)) {
    const subjects = await subjectsOf(db, assetNos, scope, instant, options);
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
export const cvesOf = (subjects: readonly { findings: readonly Pick<FindingFacts, 'cves'>[] }[]): string[] =>
  subjects.flatMap(({ findings }) => findings.flatMap(({ cves }) => cves));
