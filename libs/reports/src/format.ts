import type { FindingType } from '#libs/domain';
import type { Form } from './form.ts';
import type { ReportFile } from './reading/report-file.ts';

export type SeverityLevel = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** The machine of a finding, as stated in the report. */
export interface FoundAsset {
  /** Host name, as FQDN if the report knows one, else the address; or the name of an image or an application. */
  name: string;
  /** Whether the report names it as a host. Undefined: if the format names no applications. */
  isHost?: boolean;
  ipAddresses?: string[];
  macAddresses?: string[];
  hostname?: string | null;
  fqdn?: string | null;
  os?: string | null;
  /** Ids of clouds and of the scanner, and other identifiers of the machine. */
  tags?: Record<string, string[]>;
}

export interface FoundSeverity {
  /** 0 to 10. */
  value?: number | null;
  level?: SeverityLevel | null;
  cvss?: {
    version?: string | null;
    vector?: string | null;
    baseScore?: number | null;
    temporalScore?: number | null;
    environmentalScore?: number | null;
  };
}

/**
 * One finding of a report with the fields of a signal. Findings of one asset, type and name become
 * instances of one signal (R-FIND-1, R-FIND-5). Texts are as long as the report has them.
 */
export interface Finding {
  kind: 'finding';
  /** Where it is in the file, for people: `line 12`, `runs[0].results[4]`. */
  place: string;
  /** null: the report names none, and `--asset` has to. */
  asset: FoundAsset | null;
  /** The tool, if the report states it. */
  source?: string | null;
  type: FindingType;
  subType?: string | null;
  /** The same in every report of the same weakness: it identifies the finding (R-FIND-1). */
  name: string;
  status: 'fail' | 'pass' | 'unknown';
  severity: FoundSeverity;
  cves?: string[];
  /** ATT&CK technique ids. */
  techniques?: string[];
  /** CWE and other standards, by name. */
  standards?: Record<string, string[]>;
  description?: string | null;
  impact?: string | null;
  evidence?: string | null;
  remediation?: string | null;
  references?: string[];
  /** Distinguishes the instances of the finding: a port, else an id such as a path, a URL or a package. */
  port?: number | null;
  protocol?: string | null;
  detectionId?: string | null;
  /** Of the instance. */
  tags?: Record<string, string[]>;
  /** Instants as the report has them. */
  firstSeen?: string | null;
  lastSeen?: string | null;
  controlType?: string | null;
  /** What of it went into the signal only in part. */
  notes?: string[];
  /** A statement, which a later one about the same instance overrides. */
  isStatement?: boolean;
}

/** A finding of the report that becomes no signal, and why. */
interface Unmapped {
  kind: 'unmapped';
  place: string;
  name: string;
  reason: string;
}

/** A scanned machine, also if nothing was found on it: a replacing ZIP then makes it clean (R-ZIP-10). */
interface SeenAsset {
  kind: 'asset';
  place: string;
  /** null: that of `--asset`, if it is given. */
  asset: FoundAsset | null;
}

export type ReportItem = Finding | Unmapped | SeenAsset;

/** Which field of a record became what, for people. */
export interface ExplainedItem {
  item: ReportItem;
  /** The fields of the finding, each with the paths of the map that gave it a text. */
  fields: { field: string; from: string[] }[];
  /** Fields of the record that no path of the map names, the first 100. */
  left: string[];
}

/** The options for all reports. */
export interface ReadOptions {
  /** `--asset`: the asset of findings whose format has no hosts. */
  asset: string | null;
  /** Receives the bytes read so far; if a file is read twice, of the second time. */
  onProgress?: (bytes: number) => void;
  /** Receives which field became what, for each finding; formats in code do not know it. */
  onExplained?: (explained: ExplainedItem) => void;
}

/** A kind of report. */
export interface Format {
  /** For `--from`. */
  name: string;
  /** Others that `--from` takes. */
  aliases: string[];
  /** For people: tool and files. */
  title: string;
  /** For people, after "is not": `a Trivy report`. */
  noun: string;
  /** The unit that is counted as one finding. */
  unit: string;
  /** The name of the signals' source, if the report does not state the tool. */
  source: string;
  /** Its assets are images, repositories or projects: `--asset` gives the name instead of the report. */
  namesApplications?: boolean;
  /** Kinds of files that are of this format; any other is refused, also if `--from` names the format. */
  forms: Form[];
  /** Every finding of a report, mapped or not, in its order. @throws UnreadableReport */
  read(file: ReportFile, options: ReadOptions): AsyncGenerator<ReportItem>;
}
