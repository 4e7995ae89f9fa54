/**
 * A signal as a sender writes it, after cleansing and the schema (`schemas/signal.schema.json` has the words, the
 * bounds and the examples of each field). Everything here may carry properties that are not named: they are kept.
 */

export type TagScalar = string | number | boolean;
/** One value or a list (R-SIG-10). */
export type RawTags = Record<string, TagScalar | TagScalar[]>;
/** An instant in a format of the sender (R-SIG-14). */
type RawInstant = string | number;
/** Ports, protocols and detection ids: one or several, as a tag or as a field. */
type RawKeyPart = string | number | (string | number)[];

export interface RawSeverity {
  type?: string;
  value?: number;
  level?: string;
  cvss?: {
    version?: string | number;
    vector?: string;
    baseScore?: number;
    temporalScore?: number;
    environmentalScore?: number;
  };
}

export interface RawSecurityContext {
  type: string;
  subType?: string;
  status?: { complianceStatus?: string; workflowStatus?: string };
  complianceStatus?: { status?: string };
  severity?: RawSeverity;
  standardsMapping?: { name: string; value?: string | number | (string | number)[] }[];
  attackPattern?: {
    name?: string;
    sourceName?: string;
    mapping?: { techniqueId?: string; techniqueName?: string };
  }[];
  cves?: (string | { id?: string })[];
  evidence?: { observationText?: string };
  remediation?: { description?: string; reference?: string; impact?: string };
  description?: { technical?: string; businessImpact?: string };
  controlType?: string;
  detectionId?: RawKeyPart;
  port?: RawKeyPart;
  protocol?: RawKeyPart;
  tags?: RawTags;
}

export interface RawInterface {
  name?: string;
  ipv4?: string | string[];
  ipv6?: string | string[];
  macAddress?: string | string[];
}

export interface RawEntityAttributes {
  ipAddresses?: RawInterface[];
  networkInterface?: RawInterface[];
  type?: string;
  criticality?: string;
  confidentialityRequirement?: string;
  integrityRequirement?: string;
  availabilityRequirement?: string;
  fqdn?: string;
  department?: string | string[];
  location?: string | string[];
  tags?: RawTags;
}

export interface Signal {
  version?: string | number;
  id: string;
  type?: string | string[];
  entityOnly?: boolean;
  name: string;
  description?: string;
  source?: { name?: string; nextSubmissionIntervalInMins?: number };
  entity: { type: string; name: string; entityAttributes?: RawEntityAttributes };
  tags?: RawTags;
  securityContext?: RawSecurityContext;
  securityContexts?: RawSecurityContext[];
  cves?: (string | { id?: string })[];
  detectionId?: RawKeyPart;
  port?: RawKeyPart;
  protocol?: RawKeyPart;
  confidence?: number;
  revoked?: boolean;
  firstSeen?: RawInstant;
  lastSeen?: RawInstant;
  openSince?: RawInstant;
  createdAt?: RawInstant;
  modifiedAt?: RawInstant;
  expiresAt?: RawInstant;
}
