import type { Format, FoundAsset, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { instantOf } from '../mapping/instants.ts';
import { lookup } from '../mapping/lookup.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { jsonElements, placeOf } from '../reading/json-elements.ts';
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';

/** `kubescape scan … --format json`. */
export const kubescape: Format = {
  name: 'kubescape',
  aliases: [],
  title: 'Kubescape (JSON)',
  noun: 'a Kubescape report',
  unit: 'a control of a resource',
  source: 'Kubescape',
  namesApplications: true,
  forms: [
    {
      syntax: 'json',
      marks: ['$.generationTime', '$.customerGUID', '$.clusterName', '$.clusterAPIServerInfo'],
      later: ['$.summaryDetails', '$.results'],
      lists: ['$.results[]'],
    },
  ],
  read,
};

/** The cluster and the controls, which may follow the results. */
interface Context {
  asset: FoundAsset | null;
  seenAt: string | null;
  controls: JsonObject;
}

async function* read(file: ReportFile, { asset, onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const context = await readContext(file, asset);
  if (context.asset) yield { kind: 'asset', place: 'clusterName', asset: context.asset };
  for await (const { path, value } of jsonElements(file, ['$.results.*'], onProgress)) {
    const result = objectOf(value);
    const resource = textOf(result.resourceID) ?? 'unknown resource';
    for (const [i, control] of listOf(result.controls).map(objectOf).entries()) {
      yield itemOf(`${placeOf(path)}.controls[${i}]`, resource, control, context);
    }
  }
}

async function readContext(file: ReportFile, asset: string | null): Promise<Context> {
  let cluster: string | null = null;
  let seenAt: string | null = null;
  let controls: JsonObject = {};
  for await (const { path, value } of jsonElements(file, [
    '$.clusterName',
    '$.generationTime',
    '$.summaryDetails.controls',
  ])) {
    if (path[0] === 'clusterName') cluster = textOf(value);
    else if (path[0] === 'generationTime') seenAt = timeOf(textOf(value));
    else controls = objectOf(value);
  }
  const name = asset ?? cluster;
  return { asset: name === null ? null : { name }, seenAt, controls };
}

/** A report of an operator has the zero time of Go. */
const timeOf = (text: string | null): string | null => (text?.startsWith('0001-') ? null : instantOf(text));

function itemOf(
  place: string,
  resource: string,
  control: JsonObject,
  { asset, seenAt, controls }: Context,
): ReportItem {
  const id = textOf(control.controlID);
  const name = `${textOf(control.name) ?? 'Control without a name'}${id ? ` (${id})` : ''}`;
  const rules = listOf(control.rules).map(objectOf);
  const status = statusOf(control, rules);
  if (status === 'excepted') return { kind: 'unmapped', place, name, reason: 'excluded by an exception' };
  const details = objectOf(id === null ? null : lookup(controls, id));
  const category = objectOf(details.category);
  const subCategory = textOf(objectOf(category.subCategory).name);
  return {
    kind: 'finding',
    place,
    asset,
    type: 'ca',
    name,
    status,
    severity: severityOf(textOf(control.severity), numberOf(details.scoreFactor)),
    standards: id === null ? {} : { kubescape: [id] },
    description: textOf(details.description),
    evidence: paragraphs(
      labelled('Resource', resource),
      labelled(
        'Failed rules',
        rules
          .filter(isFailed)
          .map((rule) => textOf(rule.name))
          .join(', '),
      ),
      labelled('Paths', pathsIn(rules, 'failedPath').join(', ')),
    ),
    remediation: paragraphs(textOf(details.remediation), labelled('Set', fixesIn(rules).join(', '))),
    references: id !== null && /^C-\d+$/.test(id) ? [`https://hub.armosec.io/docs/${id.toLowerCase()}`] : [],
    detectionId: resource,
    tags: {
      ...(textOf(category.name) && {
        category: [textOf(category.name)!, ...(subCategory ? [subCategory] : [])],
      }),
    },
    lastSeen: seenAt,
    controlType: 'prevention',
  };
}

const isFailed = (rule: JsonObject): boolean => textOf(rule.status) === 'failed';

const isExcepted = (rule: JsonObject): boolean => listOf(rule.exception).length > 0;

/** Before version 3, a control has no status of its own, and exceptions are at the failed rules. */
function statusOf(control: JsonObject, rules: JsonObject[]): 'fail' | 'pass' | 'unknown' | 'excepted' {
  const { status, subStatus } = objectOf(control.status);
  if (textOf(subStatus) === 'w/exceptions') return 'excepted';
  if (textOf(status) === 'failed') return 'fail';
  if (textOf(status) !== null) return textOf(status) === 'passed' ? 'pass' : 'unknown';
  const failed = rules.filter(isFailed);
  if (failed.length > 0) return failed.every(isExcepted) ? 'excepted' : 'fail';
  return rules.every((rule) => textOf(rule.status) === 'passed') ? 'pass' : 'unknown';
}

/** Reports of later versions state the level; before, it follows from the factor, as in Kubescape's own library. */
function severityOf(word: string | null, factor: number | null): FoundSeverity {
  const stated = severityLevel(word);
  if (stated !== null || factor === null || factor < 1) return { level: stated };
  const level = factor >= 9 ? 'critical' : factor >= 7 ? 'high' : factor >= 4 ? 'medium' : 'low';
  return { value: factor, level };
}

const placesOf = (rules: JsonObject[]): JsonObject[] =>
  rules.filter(isFailed).flatMap((rule) => listOf(rule.paths).map(objectOf));

const pathsIn = (rules: JsonObject[], member: string): string[] =>
  placesOf(rules).flatMap((place) => textOf(place[member]) ?? []);

const fixesIn = (rules: JsonObject[]): string[] =>
  placesOf(rules).flatMap(({ fixPath }) => {
    const { path, value } = objectOf(fixPath);
    const at = textOf(path);
    return at ? [`${at} = ${textOf(value) ?? ''}`] : [];
  });
