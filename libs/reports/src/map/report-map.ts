/** A map file, as `schemas/report-map.schema.json` describes it. */
export interface ReportMap {
  name: string;
  title: string;
  unit: string;
  source: string;
  kind: 'json' | 'jsonLines' | 'csv' | 'xml';
  forms: MapForm[];
  skip?: { when: MapCondition; reason: string }[];
  asset?: AssetMap;
  finding: FindingMap;
}

/** A kind of file: how it is recognized, and where its findings are. */
export interface MapForm {
  /** JSON and XML: places in the document, as in `MarkedForm`. */
  marks?: string[];
  lists?: string[];
  later?: string[];
  foreign?: string[];
  partial?: string[];
  totals?: string[];
  /** CSV: names of columns. */
  columns?: string[];
  foreignColumns?: string[];
  /** JSON and XML: the lists that are read one element at a time. */
  records?: MapRecords[];
  /** JSON Lines: as in `records`. */
  each?: string[];
}

export interface MapRecords {
  list: string;
  /** Lists within the element, one in the other: one finding for each element of the innermost. */
  each?: string[];
  /** Why no finding of this list becomes a signal. */
  skip?: string;
}

/** A template; or candidates, of which the first that gives a text counts. */
export type MapValue =
  | string
  | MapValue[]
  | {
      value: MapValue;
      when?: MapCondition;
      words?: Record<string, string>;
      otherwise?: string;
      before?: string;
    }
  | { join: MapValue[]; with?: string };

/** All texts of all templates. */
export type MapList = string | (string | { value: string; split?: string; when?: MapCondition })[];

/** A test of a value, or several that must all be true. */
export type MapCondition =
  | MapCondition[]
  | { any: MapCondition[] }
  | { value: string; is?: string[]; isNot?: string[]; beginsWith?: string; exists?: boolean };

export interface AssetMap {
  /** `--asset` gives the name instead of the report: images, repositories, projects. */
  isApplication?: boolean;
  /** Where an asset without findings is seen: in the document, or in each record around the findings. */
  seenIn?: ('document' | 'records')[];
  seenWhen?: MapCondition;
  name?: MapValue;
  /** A URL, `host:port` or an address. */
  target?: MapValue;
  ipAddresses?: MapList;
  macAddresses?: MapList;
  hostname?: MapValue;
  fqdn?: MapValue;
  os?: MapValue;
  tags?: Record<string, MapList>;
}

export interface FindingMap {
  type: MapValue;
  subType?: MapValue;
  name: MapValue;
  status?: MapValue;
  severity?: { level?: MapValue; score?: MapValue; cvss?: CvssMap[] };
  cves?: MapList;
  cwes?: MapList;
  techniques?: MapList;
  standards?: Record<string, MapList>;
  description?: MapValue;
  impact?: MapValue;
  evidence?: MapValue;
  remediation?: MapValue;
  references?: MapList;
  port?: MapValue;
  protocol?: MapValue;
  /** Identifies the instance. */
  instance?: MapValue;
  tags?: Record<string, MapList>;
  firstSeen?: MapValue;
  lastSeen?: MapValue;
  controlType?: MapValue;
  source?: MapValue;
  /** Of several findings with one name and instance, only the one with the latest `lastSeen` counts. */
  isStatement?: boolean;
  /** Texts that are HTML. */
  html?: ('description' | 'impact' | 'evidence' | 'remediation')[];
}

export interface CvssMap {
  version?: string;
  vector?: MapValue;
  baseScore?: MapValue;
  temporalScore?: MapValue;
}
