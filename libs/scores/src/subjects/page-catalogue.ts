import type { CatalogueTimeline } from '#libs/catalogue-store';
import type { ScoringCatalogue } from '#libs/domain';

/**
 * The catalogues at an instant, as far as the page that is at hand asks for them: what scores a stream of subjects takes
 * one catalogue, and no memory holds what is known of all CVEs.
 */
export class PageCatalogue implements ScoringCatalogue {
  private page: ScoringCatalogue | undefined;

  /** @param at epoch milliseconds */
  constructor(private readonly at: number) {}

  /** To be called before anything is asked of the next page. */
  turnTo(catalogues: CatalogueTimeline): void {
    this.page = catalogues.at(this.at);
  }

  readonly techniqueOf: ScoringCatalogue['techniqueOf'] = (id) => this.page!.techniqueOf(id);
  readonly cveStateOf: ScoringCatalogue['cveStateOf'] = (cve) => this.page!.cveStateOf(cve);
  readonly epssOf: ScoringCatalogue['epssOf'] = (cve) => this.page!.epssOf(cve);
  readonly kevOf: ScoringCatalogue['kevOf'] = (cve) => this.page!.kevOf(cve);
}
