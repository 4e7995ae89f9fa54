import { type CatalogueTimeline, readCatalogues } from '#libs/catalogue-store';
import type { Database } from '#libs/database';
import { backtest, type posture2 } from '#libs/domain';
import { knownAt, type ReadableLog } from '#libs/replay';
import { cvesOf, pagesOf } from '#libs/scores';
import { kevListing } from './kev-listing.ts';
import { NewDetections } from './new-detections.ts';
import { subjectOf } from './subject-of.ts';
import type { CasesByTarget } from './targets.ts';
import type { Window } from './windows.ts';

/**
 * What was forecast of every live asset at the beginning of a window, and what came within it. One partition's state is
 * in memory at a time (`knownAt`), and the catalogues of one page of assets; what is kept of an asset is a few numbers.
 *
 * @throws as `knownAt`
 */
export async function collectCases(
  log: ReadableLog,
  db: Database['db'],
  window: Window,
  into: CasesByTarget,
): Promise<{ assets: number }> {
  for (const target of Object.values(into)) target.beginWindow();
  const detections = new NewDetections();
  let count = 0;
  for await (const { assets } of knownAt(log, window.from, { until: window.until, take: detections.take })) {
    const live = assets.filter(({ asset }) => asset.deletedAt === null);
    const detected = detections.assets(assets);
    for await (const page of pagesOf(live, ({ findings }) => findings.size)) {
      const subjects = page.map(subjectOf);
      const catalogues = await readCatalogues(db, cvesOf(subjects), window.from);
      for (const subject of subjects) {
        takeAsset(subject, detected.has(subject.asset.id), catalogues, window, into);
      }
    }
    count += live.length;
    detections.clear();
  }
  return { assets: count };
}

function takeAsset(
  subject: posture2.ThreatenedSubject,
  isDetected: boolean,
  catalogues: CatalogueTimeline,
  window: Window,
  { cveListed, assetListed, assetDetected }: CasesByTarget,
): void {
  const { id } = subject.asset;
  const forecasts = backtest.forecastsOf(subject, catalogues.at(window.from), window.from);
  const listedWithin: string[] = [];
  for (const [cve, said] of forecasts.cves) {
    const listing = kevListing(catalogues, cve, window);
    if (listing === 'within') listedWithin.push(cve);
    if (listing === 'before') cveListed.leaveOut('listedBefore', false);
    else cveListed.add(cve, said, listing === 'within' ? [cve] : []);
  }
  if (forecasts.asset === null) {
    assetListed.leaveOut('unscored', false);
    assetDetected.leaveOut('unscored', isDetected);
    return;
  }
  assetListed.add(id, forecasts.asset, listedWithin);
  if (backtest.hasOpenDetection(subject.findings, window.from)) {
    assetDetected.leaveOut('openDetection', isDetected);
  } else {
    assetDetected.add(id, forecasts.asset, isDetected ? [id] : []);
  }
}
