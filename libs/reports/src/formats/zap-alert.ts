import type { Finding, FoundAsset, ReportItem, SeverityLevel } from '../format.ts';
import { hostOfTarget } from '../mapping/host-of-target.ts';
import { cwesOf } from '../mapping/ids.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { plainText } from '../mapping/plain-text.ts';
import { numberOf } from '../reading/json-fields.ts';

/** An alert in both formats of ZAP. */
export interface ZapAlert {
  place: string;
  pluginId: string | null;
  alertRef: string | null;
  name: string | null;
  /** 0 to 3. */
  riskCode: string | null;
  /** 0 to 4; 0 is a false positive. */
  confidence: string | null;
  description: string | null;
  solution: string | null;
  otherInfo: string | null;
  reference: string | null;
  cweId: string | null;
  wascId: string | null;
  /** How often it was raised; a report may list fewer. */
  count: string | null;
  instances: ZapInstance[];
}

export interface ZapInstance {
  place: string;
  uri: string | null;
  method: string | null;
  param: string | null;
  attack: string | null;
  evidence: string | null;
  otherInfo: string | null;
}

export interface ZapSite {
  asset: FoundAsset | null;
  port: number | null;
  seenAt: string | null;
}

export function zapSite(site: {
  name: string | null;
  host: string | null;
  port: string | null;
  seenAt: string | null;
}): ZapSite {
  const host = hostOfTarget(site.host) ?? hostOfTarget(site.name);
  return {
    asset: host && { name: host.name, ipAddresses: host.address === null ? [] : [host.address] },
    port: numberOf(site.port) ?? host?.port ?? null,
    seenAt: site.seenAt,
  };
}

const LEVELS: SeverityLevel[] = ['info', 'low', 'medium', 'high'];

export function* zapItems(alert: ZapAlert, site: ZapSite): Generator<ReportItem> {
  const name = alert.name ?? `ZAP rule ${alert.pluginId}`;
  const instances = alert.instances.length > 0 ? alert.instances : [null];
  const unlisted = (numberOf(alert.count) ?? 0) - instances.length;
  for (const [i, instance] of instances.entries()) {
    const place = instance?.place ?? alert.place;
    if (alert.confidence === '0') {
      yield { kind: 'unmapped', place, name, reason: 'marked as a false positive in the report' };
      continue;
    }
    const notes = i === 0 && unlisted > 0 ? [`the report lists fewer instances than its count`] : [];
    yield { ...findingOf(alert, instance, site), place, name, notes };
  }
}

function findingOf(
  alert: ZapAlert,
  instance: ZapInstance | null,
  { asset, port, seenAt }: ZapSite,
): Omit<Finding, 'place' | 'name'> {
  const id = [instance?.method, instance?.uri, instance?.param].filter(
    (part) => part !== null && part !== undefined,
  );
  return {
    kind: 'finding',
    asset,
    type: 'va',
    status: 'fail',
    severity: { level: LEVELS[numberOf(alert.riskCode) ?? -1] ?? null },
    standards: {
      cwe: cwesOf(alert.cweId),
      wasc: alert.wascId !== null && Number(alert.wascId) > 0 ? [`WASC-${alert.wascId}`] : [],
      zap: [alert.alertRef ?? alert.pluginId ?? ''],
    },
    description: plainText(alert.description),
    evidence: paragraphs(
      labelled('URL', [instance?.method, instance?.uri].filter((part) => part).join(' ')),
      labelled('Parameter', instance?.param),
      labelled('Attack', instance?.attack),
      labelled('Evidence', instance?.evidence),
      instance?.otherInfo ?? plainText(alert.otherInfo),
    ),
    remediation: plainText(alert.solution),
    references: plainText(alert.reference)?.split(/\s+/) ?? [],
    ...(id.length > 0 ? { detectionId: id.join(' ') } : { port }),
    lastSeen: seenAt,
    controlType: 'detection',
  };
}
