import { attackTechnique } from '#libs/catalogue';
import type { EpssForecast, KevEntry, ScoringCatalogue } from '#libs/domain';

/** What a row of each catalogue says of its CVE. */
export interface CatalogueValues {
  cve: { state: string };
  epss: EpssForecast;
  kev: KevEntry;
}

export type CatalogueKind = keyof CatalogueValues;

/** A row of `catalogue_rows`: in force from `validFrom` until before `validTo`, in epoch milliseconds. */
export interface CatalogueRow<C extends CatalogueKind = CatalogueKind> {
  catalogue: C;
  cve: string;
  value: CatalogueValues[C];
  validFrom: number;
  /** Infinity while it is in force. */
  validTo: number;
}

/** What is known of some CVEs, and from when to when (D24); of others it knows nothing. Techniques come with the service. */
export class CatalogueTimeline {
  private readonly byCve = new Map<string, CatalogueRow[]>();

  constructor(rows: CatalogueRow[]) {
    for (const row of rows) {
      const known = this.byCve.get(row.cve);
      if (known) known.push(row);
      else this.byCve.set(row.cve, [row]);
    }
  }

  /** The catalogues as they were at an instant, in epoch milliseconds. */
  at(instant: number): ScoringCatalogue {
    return {
      techniqueOf: attackTechnique,
      cveStateOf: (cve) => this.valueOf('cve', cve, instant)?.state,
      epssOf: (cve) => this.valueOf('epss', cve, instant),
      kevOf: (cve) => this.valueOf('kev', cve, instant),
    };
  }

  /** When something changed of what is known of a CVE, in no order; Infinity where what is known still holds. */
  instants(cve: string): number[] {
    return (this.byCve.get(cve) ?? []).flatMap(({ validFrom, validTo }) => [validFrom, validTo]);
  }

  private valueOf<C extends CatalogueKind>(catalogue: C, cve: string, at: number) {
    const row = this.byCve
      .get(cve)
      ?.find((one) => one.catalogue === catalogue && one.validFrom <= at && at < one.validTo);
    return row?.value as CatalogueValues[C] | undefined;
  }
}
