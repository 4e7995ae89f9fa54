import type { FoundAsset, FoundSeverity, ReportItem, SeverityLevel } from '../format.ts';
import { cvssOf, inRange } from '../mapping/cvss.ts';
import { cvesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { plainText } from '../mapping/plain-text.ts';
import { numberOf } from '../reading/json-fields.ts';

/** A detection in the words that all of Qualys' files share. */
export interface QualysDetection {
  place: string;
  asset: FoundAsset | null;
  qid: string;
  title: string | null;
  /** `Vuln`, `Confirmed`, `Potential`, `Practice`, `Ig`, `Info` and the like. */
  type: string | null;
  /** 1 to 5. */
  severity: string | null;
  /** `Active`, `Fixed` and the like. */
  status: string | null;
  /** Set aside for the host, or for all hosts. */
  isIgnored?: boolean;
  isDisabled?: boolean;
  category: string | null;
  port: string | null;
  protocol: string | null;
  /** CVE ids in any form. */
  cves: (string | null)[];
  /** A score, and a vector after it where one is known: `8.1 (AV:N/AC:H/…)`; the newest version first. */
  cvss: { base: string | null; temporal: string | null; version: string }[];
  techniques?: string[];
  threat: string | null;
  impact: string | null;
  solution: string | null;
  results: string | null;
  vendorReferences: string[];
  instance: string | null;
  firstSeen: string | null;
  lastSeen: string | null;
}

export function qualysItem(detection: QualysDetection): ReportItem {
  const { place, qid, title, type, category, port, instance } = detection;
  const name = title ?? `QID ${qid}`;
  const mark = detection.isIgnored ? 'ignored' : detection.isDisabled ? 'disabled' : null;
  if (mark !== null) return { kind: 'unmapped', place, name, reason: `marked as ${mark} in the report` };
  const portNumber = numberOf(port);
  return {
    kind: 'finding',
    place,
    asset: detection.asset,
    type: 'va',
    name,
    status: detection.status?.toLowerCase() === 'fixed' ? 'pass' : 'fail',
    severity: severityOf(detection),
    cves: cvesIn(...detection.cves),
    techniques: detection.techniques ?? [],
    standards: { qid: [qid], vendorReference: detection.vendorReferences },
    description: paragraphs(plainText(detection.threat)),
    impact: plainText(detection.impact),
    evidence: paragraphs(labelled('Instance', instance), detection.results),
    remediation: plainText(detection.solution),
    port: portNumber !== null && portNumber > 0 ? portNumber : null,
    protocol: portNumber !== null && portNumber > 0 ? detection.protocol : null,
    tags: {
      ...(type && { detection: [type] }),
      ...(category && { category: [category] }),
      ...(detection.status && { qualysStatus: [detection.status] }),
    },
    firstSeen: instantOf(detection.firstSeen),
    lastSeen: instantOf(detection.lastSeen),
    controlType: 'detection',
  };
}

const LEVELS: (SeverityLevel | null)[] = [null, 'info', 'low', 'medium', 'high', 'critical'];

/** What was only gathered is no weakness, whatever its number. */
const isInformation = (type: string | null): boolean => /^(ig|info)/i.test(type ?? '');

function severityOf({ severity, type, cvss }: QualysDetection): FoundSeverity {
  if (isInformation(type)) return { value: 0, level: 'info' };
  const level = LEVELS[Number(severity)] ?? null;
  for (const { base, temporal, version } of cvss) {
    const { score, vector } = scored(base);
    if (score === null || score === 0) continue;
    return {
      value: score,
      level,
      cvss: cvssOf({ version, vector, baseScore: score, temporalScore: scored(temporal).score }),
    };
  }
  return { level };
}

function scored(text: string | null): { score: number | null; vector: string | null } {
  const [, score, vector] = /^([\d.]+)\s*(?:\(([^()]+)\))?/.exec(text?.trim() ?? '') ?? [];
  return { score: inRange(numberOf(score)), vector: vector ?? null };
}

/** A host as Qualys names it: by DNS, else by NetBIOS, else by its address. */
export function qualysAsset(host: {
  address: string | null;
  dns: string | null;
  netbios: string | null;
  os: string | null;
  macs?: string[];
  tags?: Record<string, string[]>;
}): FoundAsset | null {
  const { address, dns, netbios, os, macs = [], tags = {} } = host;
  const name = dns ?? netbios ?? address?.split(',')[0]?.trim();
  if (!name) return null;
  return {
    name,
    ipAddresses: address?.split(',').map((each) => each.trim()) ?? [],
    macAddresses: macs,
    fqdn: dns?.includes('.') ? dns : null,
    hostname: netbios,
    os,
    tags,
  };
}
