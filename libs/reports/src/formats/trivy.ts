import { isMachineName } from '#libs/domain';
import type { Form } from '../form.ts';
import type { Finding, Format, FoundAsset, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf } from '../mapping/cvss.ts';
import { cvesIn, cwesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { lookup } from '../mapping/lookup.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
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
import type { ReportFile } from '../reading/report-file.ts';

const KINDS = ['Vulnerabilities', 'Misconfigurations', 'Secrets', 'Licenses', 'ExperimentalModifiedFindings'];

/** Lists of resources of a cluster: now, in a summary, and by two names of old versions. */
const RESOURCES = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'];

/** `trivy … --format json`, of schema 2 and of the bare list before it, and the report of a cluster. */
export const trivy: Format = {
  name: 'trivy',
  aliases: [],
  title: 'Trivy (JSON)',
  noun: 'a Trivy report',
  unit: 'a vulnerability, misconfiguration, secret or licence of a target',
  source: 'Trivy',
  namesApplications: true,
  forms: [
    {
      syntax: 'json',
      marks: ['$.SchemaVersion', '$.ArtifactName'],
      later: ['$.Results[].Target'],
      lists: ['$.Results[]'],
    },
    {
      syntax: 'json',
      marks: ['$.ClusterName'],
      lists: RESOURCES.map((name) => `$.${name}[]`),
      // A resource whose scan failed has no results, like one without findings.
      partial: RESOURCES.map((name) => `$.${name}[].Error`),
    },
    ...KINDS.map((kind): Form => ({ syntax: 'json', marks: ['$[].Target', `$[].${kind}`], lists: ['$[]'] })),
  ],
  read,
};

/** Paths of results: in a report, in one of a cluster, and in the bare list of old versions. */
const RESULTS = ['$.Results.*', ...RESOURCES.map((name) => `$.${name}.*.Results.*`), '$.*'];

/** Remarks on a report and, by path, on its parts. */
interface Context {
  artifact: FoundAsset;
  cluster: string | null;
  seenAt: string | null;
  targets: Map<string, { target: string | null; type: string | null }>;
  resources: Map<string, { Namespace?: string; Kind?: string; Name?: string }>;
}

async function* read(file: ReportFile, { asset, onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const context = await readContext(file);
  if (asset !== null) context.artifact.name = asset;
  if (context.artifact.name !== '') yield { kind: 'asset', place: 'report', asset: context.artifact };
  else yield* scannedAssets(context);
  const paths = RESULTS.flatMap((result) => KINDS.map((kind) => `${result}.${kind}.*`));
  for await (const { path, value } of jsonElements(file, paths, onProgress)) {
    // A resource of a cluster has a name like one of the kinds.
    if (!KINDS.includes(String(path.at(-2)))) continue;
    yield itemOf(path, objectOf(value), context, asset);
  }
}

/** Workloads of a cluster and targets of old reports that have results, also without findings. */
function* scannedAssets(context: Context): Generator<ReportItem> {
  const seen = new Set<string>();
  for (const [place, { target }] of context.targets) {
    const asset = target === null ? null : assetOf(place.split('.'), target, context, null);
    if (asset === null || seen.has(asset.name)) continue;
    seen.add(asset.name);
    yield { kind: 'asset', place, asset };
  }
}

async function readContext(file: ReportFile): Promise<Context> {
  const context: Context = {
    artifact: { name: '' },
    cluster: null,
    seenAt: null,
    targets: new Map(),
    resources: new Map(),
  };
  let type: string | null = null;
  const paths = [
    ...[
      '$.ArtifactName',
      '$.ArtifactType',
      '$.ClusterName',
      '$.CreatedAt',
      '$.Metadata.OS',
      '$.Metadata.RepoDigests',
      '$.Metadata.ImageID',
    ],
    ...RESULTS.flatMap((result) => [`${result}.Target`, `${result}.Type`]),
    ...RESOURCES.flatMap((list) => ['Namespace', 'Kind', 'Name'].map((name) => `$.${list}.*.${name}`)),
  ];
  for await (const { path, value } of jsonElements(file, paths)) {
    const text = textOf(value);
    const last = String(path.at(-1));
    const outer = path.slice(0, -1).join('.');
    if (last === 'ArtifactName') context.artifact.name = text ?? '';
    else if (last === 'ArtifactType') type = text;
    else if (last === 'ClusterName') context.cluster = text;
    else if (last === 'CreatedAt') context.seenAt = instantOf(text);
    else if (last === 'OS') context.artifact.os = osOf(objectOf(value));
    else if (path[0] === 'Metadata')
      addTag(context.artifact, last === 'ImageID' ? 'imageId' : 'digest', textsOf(value));
    else if (last === 'Target' || last === 'Type') {
      const target = context.targets.get(outer) ?? { target: null, type: null };
      context.targets.set(outer, { ...target, [last.toLowerCase()]: text });
    } else context.resources.set(outer, { ...context.resources.get(outer), [last]: text ?? '' });
  }
  const { name, os } = context.artifact;
  // Trivy calls the root of a host by its /etc/hostname, other folders by their path.
  if (type === 'filesystem' && os && isMachineName(name)) context.artifact.isHost = true;
  if (context.cluster !== null) addTag(context.artifact, 'cluster', [context.cluster]);
  return context;
}

const osOf = (os: JsonObject): string | null =>
  [textOf(os.Family), textOf(os.Name)].filter((part) => part).join(' ') || null;

function addTag(asset: FoundAsset, name: string, values: string[]): void {
  if (values.length > 0) asset.tags = { ...asset.tags, [name]: values };
}

interface Place {
  place: string;
  asset: FoundAsset | null;
  target: string | null;
  seenAt: string | null;
}

function itemOf(
  path: (string | number)[],
  value: JsonObject,
  context: Context,
  asset: string | null,
): ReportItem {
  const kind = String(path.at(-2));
  const { target = null } = context.targets.get(path.slice(0, -2).join('.')) ?? {};
  const at = {
    place: placeOf(path),
    asset: assetOf(path, target, context, asset),
    target,
    seenAt: context.seenAt,
  };
  if (kind === 'Vulnerabilities') return vulnerability(value, at);
  if (kind === 'Misconfigurations') return misconfiguration(value, at);
  if (kind === 'Secrets') return secret(value, at);
  if (kind === 'Licenses') return licence(value, at);
  const inner = objectOf(value.Finding);
  const name =
    firstOf(textOf(inner.VulnerabilityID), textOf(inner.ID), textOf(inner.RuleID)) ?? 'modified finding';
  const status = textOf(value.Status) ?? 'suppressed';
  return { kind: 'unmapped', place: at.place, name, reason: `marked as ${status} in the report` };
}

/** The image, folder or repository that was scanned; in a cluster the workload; in old reports the target. */
function assetOf(
  path: (string | number)[],
  target: string | null,
  { artifact, cluster, resources }: Context,
  asset: string | null,
): FoundAsset | null {
  if (asset !== null || artifact.name !== '') return artifact;
  const resource = resources.get(path.slice(0, 2).join('.'));
  if (resource?.Name) {
    // Clusters share the names of workloads, such as those in kube-system.
    const { Namespace, Kind, Name } = resource;
    const name = [cluster, Namespace, Kind, Name].filter((part) => part).join('/');
    return { ...artifact, name };
  }
  return target === null ? null : { name: target.replace(/ \([^()]*\)$/, '') };
}

const common = ({ place, asset, seenAt }: Place) => ({
  kind: 'finding' as const,
  place,
  asset,
  lastSeen: seenAt,
  controlType: 'detection',
});

/** `fixed` says that a newer version has the fix, not that the installed one does. */
const VULNERABILITY_STATUSES = new Map<string | null, Finding['status']>([
  ['not_affected', 'pass'],
  ['under_investigation', 'unknown'],
]);

function vulnerability(value: JsonObject, at: Place): Finding {
  const id = textOf(value.VulnerabilityID) ?? 'Vulnerability without an id';
  const packageName = textOf(value.PkgName);
  const installed = textOf(value.InstalledVersion);
  const fixed = textOf(value.FixedVersion);
  const path = textOf(value.PkgPath);
  const where = path ?? at.target;
  return {
    ...common(at),
    type: 'va',
    name: packageName === null ? id : `${id} (${packageName})`,
    status: VULNERABILITY_STATUSES.get(textOf(value.Status)) ?? 'fail',
    severity: severityOf(value),
    cves: cvesIn(id, textsOf(value.VendorIDs)),
    standards: {
      cwe: cwesIn(textsOf(value.CweIDs)),
      advisory: [id, ...textsOf(value.VendorIDs)].filter(isNoCve),
    },
    description: paragraphs(textOf(value.Title), textOf(value.Description)),
    evidence: paragraphs(
      labelled('Installed', [packageName, installed].filter((part) => part).join(' ')),
      labelled('In', where),
      labelled('Status', textOf(value.Status)),
    ),
    remediation: fixed === null ? null : `Update ${packageName} to ${fixed}`,
    references: [...textsOf(value.PrimaryURL), ...textsOf(value.References)],
    detectionId: [where, [packageName, installed].filter((part) => part).join('@')]
      .filter((part) => part)
      .join(' '),
    tags: packageTags(packageName, installed, textOf(objectOf(value.PkgIdentifier).PURL)),
  };
}

const isNoCve = (id: string): boolean => !/^CVE-/i.test(id);

const packageTags = (
  name: string | null,
  version: string | null,
  purl: string | null,
): Record<string, string[]> => ({
  ...(name && { package: [name] }),
  ...(version && { version: [version] }),
  ...(purl && { purl: [purl] }),
});

/** The score of the source that the severity is of, else of NVD, else of whichever has one; the newest version. */
function severityOf(value: JsonObject): FoundSeverity {
  const level = severityLevel(textOf(value.Severity));
  const sources = objectOf(value.CVSS);
  const order = [textOf(value.SeveritySource) ?? '', 'nvd', ...Object.keys(sources)];
  for (const source of order.filter((name) => Object.hasOwn(sources, name))) {
    const scores = objectOf(sources[source]);
    for (const version of ['V40', 'V3', 'V2']) {
      const baseScore = numberOf(scores[`${version}Score`]);
      const cvss = cvssOf({ vector: textOf(scores[`${version}Vector`]), baseScore });
      if (cvss?.baseScore) return { value: cvss.baseScore, level, cvss };
    }
  }
  return { level };
}

const CHECK_STATUSES: Record<string, Finding['status']> = { PASS: 'pass', EXCEPTION: 'unknown' };

function misconfiguration(value: JsonObject, at: Place): Finding {
  const id = firstOf(textOf(value.AVDID), textOf(value.ID)) ?? 'check without an id';
  const title = textOf(value.Title);
  const cause = objectOf(value.CauseMetadata);
  const line = numberOf(cause.StartLine);
  const place = [at.target, textOf(cause.Resource)].filter((part) => part).join(' ');
  return {
    ...common(at),
    type: 'ca',
    name: title === null ? id : `${title} (${id})`,
    status: lookup(CHECK_STATUSES, textOf(value.Status) ?? 'FAIL') ?? 'fail',
    severity: { level: severityLevel(textOf(value.Severity)) },
    standards: { trivy: [id] },
    description: textOf(value.Description),
    evidence: paragraphs(textOf(value.Message), labelled('At', line ? `${place}, line ${line}` : place)),
    remediation: textOf(value.Resolution),
    references: [...textsOf(value.PrimaryURL), ...textsOf(value.References)],
    detectionId: line ? `${place}:${line}` : place,
  };
}

/** What matched is not taken over: it may be the secret. */
function secret(value: JsonObject, at: Place): Finding {
  const id = textOf(value.RuleID) ?? 'secret';
  const line = numberOf(value.StartLine);
  return {
    ...common(at),
    type: 'finding',
    subType: 'secret',
    name: `${textOf(value.Title) ?? 'Secret'} (${id})`,
    status: 'fail',
    severity: { level: severityLevel(textOf(value.Severity)) },
    standards: { trivy: [id] },
    description: labelled('Category', textOf(value.Category)),
    evidence: labelled('At', line === null ? at.target : `${at.target}, line ${line}`),
    detectionId: line === null ? at.target : `${at.target}:${line}`,
  };
}

function licence(value: JsonObject, at: Place): Finding {
  const licenceName = textOf(value.Name) ?? 'unknown';
  const where = firstOf(textOf(value.PkgName), textOf(value.FilePath), at.target);
  return {
    ...common(at),
    type: 'others',
    subType: 'license',
    name: `Licence ${licenceName}`,
    status: 'fail',
    severity: { level: severityLevel(textOf(value.Severity)) },
    evidence: paragraphs(labelled('Category', textOf(value.Category)), labelled('In', where)),
    references: listOf(value.Link)
      .map(textOf)
      .filter((link) => link !== null),
    detectionId: where,
  };
}
