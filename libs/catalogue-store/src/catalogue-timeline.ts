import type { EpssForecast, posture2 } from '#libs/domain';
import { type KnownTechnique, TechniqueTimeline, type TechniqueValue } from './technique-timeline.ts';

/** The data of a row of each catalogue about its CVE; of `attack` about its technique. */
export interface CatalogueValues {
  attack: TechniqueValue;
  /** Techniques by which the CVE is exploited, sorted. */
  ctid: { techniques: string[] };
  cve: { state: string };
  epss: EpssForecast;
  kev: posture2.RansomwareKevEntry;
}

export type CatalogueKind = keyof CatalogueValues;

/** A row of `catalogue_rows`: in force from `validFrom` until before `validTo`, in epoch milliseconds. */
export interface CatalogueRow<C extends CatalogueKind = CatalogueKind> {
  catalogue: C;
  /** Id of the CVE; of the technique in rows of `attack`. */
  cve: string;
  value: CatalogueValues[C];
  validFrom: number;
  /** Infinity while it is in force. */
  validTo: number;
}

/** The catalogues at an instant, with what readers show of techniques. */
export interface CatalogueAt extends posture2.ThreatCatalogue {
  techniqueOf: (id: string) => KnownTechnique | undefined;
}

const NONE: readonly string[] = [];

/** Data about some CVEs and all techniques, with the period in which it is valid (R-CAT-2). */
export class CatalogueTimeline implements posture2.ThreatCatalogueTimeline {
  private readonly byCve = new Map<string, CatalogueRow[]>();

  constructor(
    rows: CatalogueRow[],
    private readonly techniques = TechniqueTimeline.shipped,
  ) {
    for (const row of rows) {
      const known = this.byCve.get(row.cve);
      if (known) known.push(row);
      else this.byCve.set(row.cve, [row]);
    }
  }

  /** The catalogues as they were at an instant, in epoch milliseconds. */
  at(instant: number): CatalogueAt {
    const techniques = this.techniques.at(instant);
    return {
      techniqueOf: techniques.techniqueOf,
      mitigationsOf: techniques.mitigationsOf,
      cveStateOf: (cve) => this.valueOf('cve', cve, instant)?.state,
      epssOf: (cve) => this.valueOf('epss', cve, instant),
      kevOf: (cve) => this.valueOf('kev', cve, instant),
      techniquesOfCve: (cve) => {
        const mapped = this.valueOf('ctid', cve, instant)?.techniques;
        return mapped ? [...new Set(mapped.map((id) => techniques.successorOf(id)))] : NONE;
      },
    };
  }

  /** When the data about a CVE changed, in no order; Infinity if it is still valid. */
  instants(cve: string): number[] {
    return (this.byCve.get(cve) ?? []).flatMap(({ validFrom, validTo }) => [validFrom, validTo]);
  }

  techniqueInstants(): readonly number[] {
    return this.techniques.instants;
  }

  private valueOf<C extends CatalogueKind>(catalogue: C, cve: string, at: number) {
    const row = this.byCve
      .get(cve)
      ?.find((one) => one.catalogue === catalogue && one.validFrom <= at && at < one.validTo);
    return row?.value as CatalogueValues[C] | undefined;
  }
}
