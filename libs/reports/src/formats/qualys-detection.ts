import { isLoopbackName, wholeNetbiosName } from '#libs/domain';
import type { FoundAsset, FoundSeverity, ReportItem, SeverityLevel } from '../format.ts';
import { cvssOf, scoreOf } from '../mapping/cvss.ts';
import { identifyingName } from '../mapping/identifying-name.ts';
import { cvesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { plainText } from '../mapping/plain-text.ts';
import { numberOf } from '../reading/json-fields.ts';

/** Scores of one version, each with a vector after it if one is known: `8.1 (AV:N/AC:H/…)`. */
interface QualysCvss {
  version: string;
  base: string | null;
  temporal?: string | null;
  /** Of the detection, with the data of the host. */
  final?: string | null;
}

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
  /** The newest version first. */
  cvss: QualysCvss[];
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
    cves: cvesIn(detection.cves),
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

/** Gathered information is no weakness, with any severity. */
const isInformation = (type: string | null): boolean => /^(ig|info)/i.test(type ?? '');

function severityOf({ severity, type, cvss }: QualysDetection): FoundSeverity {
  if (isInformation(type)) return { value: 0, level: 'info' };
  const level = LEVELS[Number(severity)] ?? null;
  for (const { version, base, temporal = null, final = null } of cvss) {
    const { score: baseScore, vector } = scored(base);
    const environmentalScore = scored(final).score;
    const value = baseScore ?? environmentalScore;
    if (value === null || value === 0) continue;
    const temporalScore = scored(temporal).score;
    return { value, level, cvss: cvssOf({ version, vector, baseScore, temporalScore, environmentalScore }) };
  }
  return { level };
}

function scored(text: string | null): { score: number | null; vector: string | null } {
  const [, score, vector] = /^([\d.,]+)\s*(?:\(([^()]+)\))?/.exec(text?.trim() ?? '') ?? [];
  return { score: scoreOf(score), vector: vector ?? null };
}

/**
 * A host as Qualys names it: by DNS, else by the name of the asset, by NetBIOS or by its address. Without DNS, the
 * platform takes the NetBIOS name for the name of the asset.
 */
export function qualysAsset(host: {
  address: string | null;
  dns: string | null;
  assetName?: string | null;
  netbios: string | null;
  os: string | null;
  macs?: string[];
  tags?: Record<string, string[]>;
}): FoundAsset | null {
  const { address, assetName = null, netbios, os, macs = [], tags = {} } = host;
  const dns = /^no registered hostname$/i.test(host.dns ?? '') ? null : host.dns;
  const addresses = address?.split(',').map((each) => each.trim()) ?? [];
  const ownName = assetName?.toLowerCase() === netbios?.toLowerCase() ? null : assetName;
  const name = identifyingName(dns, ownName, wholeNetbiosName(netbios), addresses[0], netbios);
  if (!name) return null;
  return {
    name,
    ipAddresses: addresses,
    macAddresses: macs,
    fqdn: dns?.includes('.') && !isLoopbackName(dns) ? dns : null,
    hostname: netbios ?? assetName,
    os,
    tags,
  };
}
