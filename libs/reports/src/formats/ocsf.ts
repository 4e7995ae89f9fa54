import type { FindingType } from '#libs/domain';
import type { MarkedForm } from '../form.ts';
import type {
  Finding,
  Format,
  FoundAsset,
  FoundSeverity,
  ReadOptions,
  ReportItem,
  SeverityLevel,
} from '../format.ts';
import { cvssOf } from '../mapping/cvss.ts';
import { cvesIn, cwesIn, techniquesIn } from '../mapping/ids.ts';
import { instantOf, instantOfEpoch } from '../mapping/instants.ts';
import { lookup } from '../mapping/lookup.ts';
import { paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { jsonElements, placeOf } from '../reading/json-elements.ts';
import {
  firstOf,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  textOf,
  textsOf,
} from '../reading/json-fields.ts';
import { type JsonRecord, jsonRecords } from '../reading/json-records.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { beginsAs } from '../recognise.ts';

/** The response of a service to a query for findings, such as GetFindingsV2 of AWS Security Hub. */
const ANSWER: MarkedForm = {
  syntax: 'json',
  marks: ['$.Findings[].class_uid', '$.Findings[].metadata'],
  lists: ['$.Findings[]'],
  partial: ['$.NextToken'],
};

/** Findings of OCSF, as Prowler and cloud platforms write them. */
export const ocsf: Format = {
  name: 'ocsf',
  aliases: ['prowler'],
  title: 'OCSF findings, such as those of Prowler (JSON array, JSON Lines, or an object with Findings)',
  noun: 'a file of OCSF events',
  unit: 'a resource of a finding, and each of its vulnerabilities',
  source: 'OCSF',
  forms: [
    { syntax: 'json', marks: ['$.class_uid', '$.metadata'], lists: ['$'] },
    { syntax: 'json', marks: ['$[].class_uid', '$[].metadata'], lists: ['$[]'] },
    ANSWER,
  ],
  read,
};

/** Classes of the category Findings, and their finding types in signals. */
const TYPES: Record<string, FindingType> = {
  2001: 'finding',
  2002: 'va',
  2003: 'ca',
  2004: 'edr',
  2005: 'finding',
  2006: 'others',
  2007: 'ca',
};

async function* read(file: ReportFile, { asset, onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  for await (const { place, value } of recordsOf(file, onProgress))
    yield* itemsOf(place, objectOf(value), asset);
}

async function* recordsOf(
  file: ReportFile,
  onProgress: ReadOptions['onProgress'],
): AsyncGenerator<JsonRecord> {
  if (!beginsAs(file, ANSWER)) yield* jsonRecords(file, onProgress);
  else
    for await (const { path, value } of jsonElements(file, ['$.Findings.*'], onProgress))
      yield { place: placeOf(path), value };
}

function* itemsOf(place: string, event: JsonObject, asset: string | null): Generator<ReportItem> {
  const name = nameOf(event);
  const classUid = textOf(event.class_uid) ?? '';
  if (!Object.hasOwn(TYPES, classUid)) {
    yield {
      kind: 'unmapped',
      place,
      name,
      reason: 'is not a finding: its class is not in the category Findings',
    };
    return;
  }
  const resources = resourcesOf(event, asset);
  const vulnerabilities = listOf(event.vulnerabilities).map(objectOf);
  for (const resource of resources) {
    for (const vulnerability of vulnerabilities.length > 0 ? vulnerabilities : [null]) {
      const reason = unmappedReason(event);
      yield reason === null
        ? findingOf(place, event, { resource, vulnerability, type: typeOf(classUid, event) })
        : { kind: 'unmapped', place, name, reason };
    }
  }
}

/** States in which a finding needs no work; none of them says whether it was fixed. */
const SET_ASIDE = ['suppressed', 'archived', 'deleted'];

function unmappedReason(event: JsonObject): string | null {
  const state = stateOf(event);
  if (state !== null && SET_ASIDE.includes(state)) return `${state} in the report`;
  const isClosed = state === 'closed' || numberOf(event.activity_id) === 3;
  return isClosed && state !== 'resolved'
    ? 'closed in the report, which does not say whether it was fixed'
    : null;
}

const STATES = ['unknown', 'new', 'in progress', 'suppressed', 'resolved', 'archived', 'deleted'];
const INCIDENT_STATES = ['unknown', 'new', 'in progress', 'on hold', 'resolved', 'closed'];
const INCIDENT_CLASS = 2005;

/** The word takes precedence over the number: Prowler 4.2 wrote 3 for new. */
function stateOf(event: JsonObject): string | null {
  const states = numberOf(event.class_uid) === INCIDENT_CLASS ? INCIDENT_STATES : STATES;
  const word = textOf(event.status)?.toLowerCase().replace('muted', 'suppressed');
  return word ?? states[numberOf(event.status_id) ?? 0] ?? null;
}

/** Prowler checks configurations, although some versions write another class. */
const typeOf = (classUid: string, event: JsonObject): FindingType =>
  productOf(event)?.toLowerCase() === 'prowler' ? 'ca' : TYPES[classUid]!;

const productOf = (event: JsonObject): string | null =>
  textOf(objectOf(objectOf(event.metadata).product).name);

function nameOf(event: JsonObject): string {
  const info = objectOf(firstOf(event.finding_info, event.finding));
  const check = textOf(objectOf(event.metadata).event_code);
  const title = firstOf(textOf(info.title), textOf(event.message)?.split('\n', 1)[0]);
  if (title === null) return check ?? 'Finding without a title';
  return check === null || check === title ? title : `${title} (${check})`;
}

interface Resource {
  asset: FoundAsset | null;
  name: string | null;
}

/** The assets of the finding: its resources, else the device, else the account of the cloud. */
function resourcesOf(event: JsonObject, given: string | null): Resource[] {
  const cloud = objectOf(event.cloud);
  const account = objectOf(cloud.account);
  const tags = {
    ...tag('cloudProvider', cloud.provider),
    ...tag('cloudAccount', account.uid),
    ...tag('cloudAccountName', account.name),
    ...tag('cloudRegion', cloud.region),
  };
  const resources = [
    ...listOf(event.resources),
    ...listOf(event.resource),
    ...listOf(event.affected_resources),
  ].map(objectOf);
  const device = objectOf(event.device);
  const named = [...resources, ...(Object.keys(device).length > 0 && resources.length === 0 ? [device] : [])]
    .map((resource) => resourceOf(resource, textOf(account.uid), tags))
    .filter(({ asset }) => asset !== null);
  if (named.length > 0) return named;
  const name = given ?? textOf(account.uid);
  return [{ asset: name === null ? null : { name, isHost: false, tags }, name: null }];
}

/** Other ids are unique in their account only: settings, for example, have the same id in each tenant. */
const UNIQUE_ID = /^(arn:|\/|https:\/\/)/i;

function resourceOf(resource: JsonObject, account: string | null, tags: Record<string, string[]>): Resource {
  const uid = textOf(resource.uid);
  const name = firstOf(
    textOf(resource.hostname),
    uid === null || account === null || UNIQUE_ID.test(uid) ? uid : `${account}/${uid}`,
    textOf(resource.name),
    textOf(resource.ip),
  );
  const address = textOf(resource.ip);
  return {
    name: textOf(resource.name),
    asset:
      name === null
        ? null
        : {
            name,
            ipAddresses: address === null ? [] : [address],
            macAddresses: textsOf(resource.mac),
            os: textOf(objectOf(resource.os).name),
            tags: {
              ...tags,
              ...tag('cloudRegion', resource.region),
              ...tag('resourceType', resource.type),
              ...tag('resourceName', resource.name),
              ...tag('resourceGroup', objectOf(resource.group).name),
              ...tag('resourceLabels', resource.labels),
            },
          },
  };
}

function tag(name: string, value: unknown): Record<string, string[]> {
  const values = textsOf(value);
  return values.length > 0 ? { [name]: values } : {};
}

const LEVELS: Record<number, SeverityLevel> = {
  1: 'info',
  2: 'low',
  3: 'medium',
  4: 'high',
  5: 'critical',
  6: 'critical',
};

function findingOf(
  place: string,
  event: JsonObject,
  {
    resource,
    vulnerability,
    type,
  }: { resource: Resource; vulnerability: JsonObject | null; type: FindingType },
): Finding {
  const info = objectOf(firstOf(event.finding_info, event.finding));
  const remediation = objectOf(firstOf(event.remediation, vulnerability?.remediation, info.remediation));
  const attacks = [...listOf(event.attacks), ...listOf(info.attacks)].map(objectOf);
  const cve = objectOf(vulnerability?.cve);
  const uid = firstOf(textOf(cve.uid), textOf(vulnerability?.title));
  const title = nameOf(event);
  const check = textOf(objectOf(event.metadata).event_code);
  const { techniques, standards } = standardsOf(event);
  return {
    kind: 'finding',
    place,
    asset: resource.asset,
    source: productOf(event),
    type,
    name: vulnerability === null || uid === null || title.includes(uid) ? title : `${title}: ${uid}`,
    status: statusOf(event),
    severity: severityOf(event, vulnerability),
    cves: cvesIn(textOf(cve.uid), vulnerability === null ? title : null),
    techniques: [
      ...techniques,
      ...techniquesIn(attacks.flatMap((each) => [uidOf(each.technique), uidOf(each.sub_technique)])),
    ],
    standards: {
      ...standards,
      cwe: cwesIn(
        uidOf(vulnerability?.cwe),
        listOf(cve.related_cwes).map((each) => uidOf(each)),
        listOf(vulnerability?.related_cwes).map((each) => uidOf(each)),
      ),
      ...(check !== null && { check: [check] }),
    },
    description: firstOf(textOf(vulnerability?.desc), textOf(info.desc)),
    impact: textOf(event.risk_details),
    evidence: paragraphs(textOf(event.status_detail) ?? textOf(event.message), packagesOf(vulnerability)),
    remediation: textOf(remediation.desc),
    references: [
      ...textsOf(remediation.references),
      ...textsOf(vulnerability?.references),
      ...textsOf(info.src_url),
    ].filter((text) => /^https?:/i.test(text)),
    detectionId: textOf(info.uid),
    firstSeen: timeOf(info, 'first_seen_time'),
    lastSeen: timeOf(info, 'last_seen_time') ?? timeOf(event, 'time') ?? timeOf(info, 'created_time'),
    controlType: 'detection',
  };
}

const uidOf = (value: unknown): string | null => textOf(objectOf(value).uid);

const timeOf = (object: JsonObject, name: string): string | null =>
  instantOf(textOf(object[`${name}_dt`])) ??
  instantOfEpoch(numberOf(object[name])) ??
  instantOf(textOf(object[name]));

const RESULTS: Record<string, Finding['status']> = {
  pass: 'pass',
  passed: 'pass',
  fail: 'fail',
  failed: 'fail',
  manual: 'unknown',
  warning: 'unknown',
  unknown: 'unknown',
};
const RESULTS_BY_ID = ['unknown', 'pass', 'warning', 'fail'];

/** Prowler's result, else that of the check; of an event that states no result, the state of the finding. */
function statusOf(event: JsonObject): Finding['status'] {
  const { status, status_id } = objectOf(event.compliance);
  const id = numberOf(status_id);
  const words = [textOf(event.status_code), textOf(status), id === null ? null : RESULTS_BY_ID[id]];
  const known = firstOf(...words.map((word) => lookup(RESULTS, word?.toLowerCase() ?? '')));
  const result = known ?? (id === null && textOf(status) === null ? 'fail' : 'unknown');
  return result === 'fail' && stateOf(event) === 'resolved' ? 'pass' : result;
}

function severityOf(event: JsonObject, vulnerability: JsonObject | null): FoundSeverity {
  const level =
    severityLevel(textOf(vulnerability?.severity)) ??
    LEVELS[numberOf(event.severity_id) ?? 0] ??
    severityLevel(textOf(event.severity));
  const scores = listOf(objectOf(vulnerability?.cve).cvss)
    .map(objectOf)
    .flatMap(({ vector_string, base_score, version }) => {
      const baseScore = numberOf(base_score);
      const cvss = cvssOf({ vector: textOf(vector_string), baseScore, version: textOf(version) });
      return cvss?.baseScore ? [{ value: cvss.baseScore, level, cvss }] : [];
    });
  const versionOf = (score: (typeof scores)[number]) => numberOf(score.cvss.version) ?? 0;
  return scores.toSorted((a, b) => versionOf(b) - versionOf(a))[0] ?? { level };
}

function packagesOf(vulnerability: JsonObject | null): string | null {
  const packages = listOf(firstOf(vulnerability?.affected_packages, vulnerability?.packages)).map(objectOf);
  return (
    packages
      .map((each) => [textOf(each.name), textOf(each.version)].filter((part) => part).join(' '))
      .join(', ') || null
  );
}

/** The compliance frameworks of a check: Prowler's, by name, and OCSF's own. */
function standardsOf(event: JsonObject): { techniques: string[]; standards: Record<string, string[]> } {
  const standards: Record<string, string[]> = {};
  const mitre: string[][] = [];
  for (const [name, value] of Object.entries(objectOf(objectOf(event.unmapped).compliance))) {
    if (/^mitre/i.test(name)) mitre.push(textsOf(value));
    else if (name !== '__proto__') standards[name] = textsOf(value);
  }
  const compliance = objectOf(event.compliance);
  for (const standard of textsOf(compliance.standards).filter((name) => name !== '__proto__')) {
    standards[standard] = [
      ...(lookup(standards, standard) ?? []),
      ...textsOf(compliance.control),
      ...textsOf(compliance.requirements),
    ];
  }
  return { techniques: techniquesIn(mitre.flat()), standards };
}
