import type { CatalogueTimeline } from '#libs/catalogue-store';
import type { posture2 } from '#libs/domain';

/**
 * The catalogues at an instant, loaded for the current page: the scoring of a stream of subjects takes one catalogue,
 * and the data of all CVEs does not fit into memory.
 */
export class PageCatalogue implements posture2.ThreatCatalogue {
  private page: posture2.ThreatCatalogue | undefined;

  /** @param at epoch milliseconds */
  constructor(private readonly at: number) {}

  /** To be called before anything is asked of the next page. */
  turnTo(catalogues: CatalogueTimeline): void {
    this.page = catalogues.at(this.at);
  }

  readonly techniqueOf: posture2.ThreatCatalogue['techniqueOf'] = (id) => this.page!.techniqueOf(id);
  readonly cveStateOf: posture2.ThreatCatalogue['cveStateOf'] = (cve) => this.page!.cveStateOf(cve);
  readonly epssOf: posture2.ThreatCatalogue['epssOf'] = (cve) => this.page!.epssOf(cve);
  readonly kevOf: posture2.ThreatCatalogue['kevOf'] = (cve) => this.page!.kevOf(cve);
  readonly techniquesOfCve = (cve: string) => this.page!.techniquesOfCve?.(cve) ?? [];
  readonly mitigationsOf = (technique: string) => this.page!.mitigationsOf?.(technique) ?? [];
}
