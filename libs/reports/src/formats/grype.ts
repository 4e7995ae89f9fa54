import type { Finding, Format, FoundAsset, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf } from '../mapping/cvss.ts';
import { cvesIn, cwesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
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

/** `grype … -o json`. */
export const grype: Format = {
  name: 'grype',
  aliases: ['anchore-grype'],
  title: 'Grype (JSON)',
  noun: 'a Grype report',
  unit: 'a match, including ignored matches',
  source: 'Grype',
  namesApplications: true,
  forms: [
    {
      syntax: 'json',
      marks: ['$.matches[].vulnerability', '$.matches[].artifact'],
      lists: ['$.matches[]'],
      foreign: ['$.descriptor.name=xeol'],
    },
    { syntax: 'json', marks: ['$.descriptor.name=grype'], lists: ['$.matches[]'] },
    {
      syntax: 'json',
      marks: ['$.ignoredMatches[].vulnerability', '$.ignoredMatches[].artifact'],
      lists: ['$.matches[]'],
      later: ['$.descriptor.name=grype'],
    },
  ],
  read,
};

/** The source, the distribution and the descriptor follow the matches. */
interface Context {
  asset: FoundAsset | null;
  seenAt: string | null;
}

async function* read(file: ReportFile, { asset, onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const context = await readContext(file, asset);
  if (context.asset) yield { kind: 'asset', place: 'source', asset: context.asset };
  for await (const { path, value } of jsonElements(file, ['$.matches.*', '$.ignoredMatches.*'], onProgress)) {
    const match = objectOf(value);
    const finding = findingOf(placeOf(path), match, context);
    if (path[0] === 'matches') yield finding;
    else
      yield {
        kind: 'unmapped',
        place: finding.place,
        name: finding.name,
        reason: 'ignored by a rule in the report',
      };
  }
}

async function readContext(file: ReportFile, asset: string | null): Promise<Context> {
  let source: JsonObject = {};
  let distro: JsonObject = {};
  let seenAt: string | null = null;
  for await (const { path, value } of jsonElements(file, [
    '$.source',
    '$.distro',
    '$.descriptor.timestamp',
  ])) {
    if (path[0] === 'source') source = objectOf(value);
    else if (path[0] === 'distro') distro = objectOf(value);
    else seenAt = instantOf(textOf(value));
  }
  const target = objectOf(source.target);
  const name =
    asset ??
    firstOf(textOf(target.userInput), textOf(source.target), textOf(target.path), textOf(target.name));
  const imageId = textOf(target.imageID);
  const os = [textOf(distro.name), textOf(distro.version)].filter((part) => part).join(' ');
  return {
    asset:
      name === null
        ? null
        : {
            name,
            os: os || null,
            tags: { ...(imageId && { imageId: [imageId] }), digest: textsOf(target.repoDigests) },
          },
    seenAt,
  };
}

function findingOf(place: string, match: JsonObject, { asset, seenAt }: Context): Finding {
  const vulnerability = objectOf(match.vulnerability);
  const related = listOf(match.relatedVulnerabilities).map(objectOf);
  const artifact = objectOf(match.artifact);
  const id = textOf(vulnerability.id) ?? 'Vulnerability without an id';
  const name = textOf(artifact.name);
  const version = textOf(artifact.version);
  const purl = textOf(artifact.purl);
  const paths = listOf(artifact.locations).map((location) => textOf(objectOf(location).path));
  const fix = objectOf(vulnerability.fix);
  const fixed = textsOf(fix.versions);
  return {
    kind: 'finding',
    place,
    asset,
    type: 'va',
    name: name === null ? id : `${id} (${name})`,
    status: 'fail',
    severity: severityOf(vulnerability, related),
    cves: cvesIn(
      id,
      related.map((each) => textOf(each.id)),
    ),
    standards: {
      cwe: cwesIn(listOf(vulnerability.cwes).map((each) => textOf(objectOf(each).cwe))),
      advisory: [
        id,
        ...listOf(vulnerability.advisories).map((each) => textOf(objectOf(each).id) ?? ''),
      ].filter((each) => each !== '' && !/^CVE-/i.test(each)),
    },
    description: firstOf(
      textOf(vulnerability.description),
      ...related.map((each) => textOf(each.description)),
    ),
    evidence: paragraphs(
      labelled('Installed', [name, version].filter((part) => part).join(' ')),
      labelled('Found in', paths.filter((path) => path !== null).join(', ')),
      labelled('Fix', textOf(fix.state)),
    ),
    remediation: fixed.length > 0 ? `Update ${name} to ${fixed.join(' or ')}` : null,
    references: [...textsOf(vulnerability.dataSource), ...textsOf(vulnerability.urls)],
    detectionId: [paths[0], [name, version].filter((part) => part).join('@')]
      .filter((part) => part)
      .join(' '),
    tags: {
      ...(name && { package: [name] }),
      ...(version && { version: [version] }),
      ...(purl && { purl: [purl] }),
    },
    lastSeen: seenAt,
    controlType: 'detection',
  };
}

/** The vulnerability's own scores, else those of related ones; the newest version, a primary one first. */
function severityOf(vulnerability: JsonObject, related: JsonObject[]): FoundSeverity {
  const level = severityLevel(textOf(vulnerability.severity));
  for (const { cvss } of [vulnerability, ...related]) {
    const scores = listOf(cvss).map(objectOf);
    const rank = (each: JsonObject) =>
      (numberOf(each.version) ?? 0) * 2 + (textOf(each.type) === 'Primary' ? 1 : 0);
    for (const each of scores.sort((a, b) => rank(b) - rank(a))) {
      const baseScore = numberOf(objectOf(each.metrics).baseScore);
      const read = cvssOf({ vector: textOf(each.vector), baseScore, version: textOf(each.version) });
      if (read?.baseScore) return { value: read.baseScore, level, cvss: read };
    }
  }
  return { level };
}
