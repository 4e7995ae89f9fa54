import type { Form } from '../form.ts';
import type { Finding, Format, FoundAsset, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf } from '../mapping/cvss.ts';
import { hostOfTarget } from '../mapping/host-of-target.ts';
import { cvesIn, cwesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { firstOf, type JsonObject, numberOf, objectOf, textOf, textsOf } from '../reading/json-fields.ts';
import { type JsonRecord, jsonRecords } from '../reading/json-records.ts';
import type { ReportFile } from '../reading/report-file.ts';

/** `nuclei -jsonl`, and the array of `-json-export`. */
export const nuclei: Format = {
  name: 'nuclei',
  aliases: [],
  title: 'Nuclei (JSON Lines or JSON array)',
  noun: 'a Nuclei report',
  unit: 'a result',
  source: 'Nuclei',
  forms: ['template-id', 'templateID'].flatMap((id): Form[] => [
    { syntax: 'json', marks: [`$.${id}`, '$.info'], lists: ['$'] },
    { syntax: 'json', marks: [`$[].${id}`, '$[].info'], lists: ['$[]'] },
  ]),
  read,
};

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  for await (const record of jsonRecords(file, onProgress)) yield itemOf(record);
}

/** Names changed over the versions: `templateID` became `template-id`, `matched` became `matched-at`. */
function itemOf({ place, value }: JsonRecord): ReportItem {
  const result = objectOf(value);
  const templateId = firstOf(textOf(result['template-id']), textOf(result.templateID));
  const info = objectOf(result.info);
  if (templateId === null) {
    return {
      kind: 'unmapped',
      place,
      name: textOf(info.name) ?? 'record',
      reason: 'is not a result of a template',
    };
  }
  const title = textOf(info.name);
  const name = title === null || title === templateId ? templateId : `${title} (${templateId})`;
  if (result['matcher-status'] === false)
    return { kind: 'unmapped', place, name, reason: 'the template did not match' };
  return findingOf(result, { place, name, templateId });
}

function findingOf(
  result: JsonObject,
  { place, name, templateId }: { place: string; name: string; templateId: string },
): Finding {
  const info = objectOf(result.info);
  const classification = objectOf(info.classification);
  const matchedAt = firstOf(textOf(result['matched-at']), textOf(result.matched), textOf(result.host));
  const matcher = firstOf(
    textOf(result['matcher-name']),
    textOf(result['extractor-name']),
    textOf(result.matcher_name),
  );
  const extracted = textsOf(firstOf(result['extracted-results'], result.extracted_results));
  const level = severityLevel(textOf(info.severity));
  const score = numberOf(classification['cvss-score']);
  return {
    kind: 'finding',
    place,
    asset: assetOf(result),
    type: 'va',
    name,
    status: 'fail',
    severity: {
      value: score,
      level,
      cvss: cvssOf({ vector: textOf(classification['cvss-metrics']), baseScore: score }),
    },
    cves: cvesIn(textsOf(classification['cve-id']), templateId),
    standards: { cwe: cwesIn(textsOf(classification['cwe-id'])), nuclei: [templateId] },
    description: textOf(info.description),
    impact: textOf(info.impact),
    evidence: paragraphs(
      labelled('Matched at', matchedAt),
      labelled('Matcher', matcher),
      labelled('Extracted', extracted.join(', ')),
    ),
    remediation: textOf(info.remediation),
    references: textsOf(info.reference).flatMap((text) =>
      text.split('\n').map((line) => line.trim().replace(/^-\s*/, '')),
    ),
    detectionId: [matchedAt, matcher, textOf(result.fuzzing_parameter)]
      .filter((part) => part !== null)
      .join(' '),
    tags: {
      ...(textOf(result.type) && { templateType: [textOf(result.type)!] }),
      tags: textsOf(info.tags).flatMap((tag) => tag.split(',')),
    },
    lastSeen: instantOf(textOf(result.timestamp)),
    controlType: 'detection',
  };
}

function assetOf(result: JsonObject): FoundAsset | null {
  const targets = [result.host, result['matched-at'], result.matched, result.url, result.ip].map(textOf);
  for (const target of targets) {
    const host = hostOfTarget(target);
    if (host) {
      const address = firstOf(host.address, textOf(result.ip));
      return { name: host.name, ipAddresses: address === null ? [] : [address] };
    }
  }
  return null;
}
