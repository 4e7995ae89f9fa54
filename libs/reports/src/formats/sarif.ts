import { severityLevelOf } from '#libs/domain';
import type { JsonElement } from '#libs/readers';
import type {
  Finding,
  Format,
  FoundAsset,
  FoundSeverity,
  ReadOptions,
  ReportItem,
  SeverityLevel,
} from '../format.ts';
import { scoreOf } from '../mapping/cvss.ts';
import { cvesIn, cwesIn, cwesOf, techniquesIn } from '../mapping/ids.ts';
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

/** SARIF 2.1.0, of any tool. */
export const sarif: Format = {
  name: 'sarif',
  aliases: [],
  title: 'SARIF 2.1.0',
  noun: 'a SARIF 2.1.0 log with results',
  unit: 'a location of a result, or a result without locations',
  source: 'SARIF',
  namesApplications: true,
  // The version may come after the runs.
  forms: [['$.version', '$.runs[]'], ['$.runs[].results[].message']].map((marks) => ({
    syntax: 'json',
    marks,
    later: ['$.version=2.1.0'],
    lists: ['$.runs[].results[]'],
    partial: ['$.runs[].invocations[].executionSuccessful=false'],
  })),
  read,
};

/** Common data of all results of a run; it may follow them. */
interface Run {
  tool: string | null;
  /** By the tool component that has them, the driver first, then the extensions. */
  rules: JsonObject[][];
  asset: FoundAsset | null;
  seenAt: string | null;
  /** The objects that locations refer to by index. */
  files: Map<number, string>;
  logicalLocations: JsonObject[];
  /** Without a list of results, also an empty one, it assessed nothing. */
  hasResults: boolean;
}

async function* read(file: ReportFile, { asset, onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const runs = await readRuns(file, asset);
  for (const { asset, hasResults } of runs.values())
    if (asset && hasResults) yield { kind: 'asset', place: 'runs', asset };
  for await (const { path, value } of jsonElements(file, ['$.runs.*.results.*'], onProgress)) {
    yield* itemsOf(placeOf(path), objectOf(value), runs.get(path[1]!) ?? emptyRun(asset));
  }
}

const emptyRun = (asset: string | null): Run => ({
  tool: null,
  rules: [],
  asset: asset === null ? null : { name: asset },
  seenAt: null,
  files: new Map(),
  logicalLocations: [],
  hasResults: false,
});

const RUN_PARTS = [
  'tool',
  'invocations',
  'versionControlProvenance',
  'artifacts.*.location.uri',
  'logicalLocations',
  'results[]',
].map((name) => `$.runs.*.${name}`);

async function readRuns(file: ReportFile, asset: string | null): Promise<Map<string | number, Run>> {
  const runs = new Map<string | number, Run>();
  for await (const { path, value } of jsonElements(file, RUN_PARTS)) {
    const run = runs.get(path[1]!) ?? emptyRun(asset);
    runs.set(path[1]!, run);
    readRunPart(run, path, value);
  }
  return runs;
}

function readRunPart(run: Run, path: JsonElement['path'], value: unknown): void {
  if (path[2] === 'results') run.hasResults = true;
  else if (path[2] === 'tool') readTool(run, objectOf(value));
  else if (path[2] === 'artifacts') run.files.set(Number(path[3]), textOf(value) ?? '');
  else if (path[2] === 'logicalLocations') run.logicalLocations = listOf(value).map(objectOf);
  else if (path[2] === 'invocations') {
    const times = listOf(value).map(objectOf);
    run.seenAt =
      times.map((each) => instantOf(textOf(each.endTimeUtc)) ?? instantOf(textOf(each.startTimeUtc)))[0] ??
      null;
  } else {
    const repository = textOf(objectOf(listOf(value)[0]).repositoryUri);
    if (repository !== null) run.asset ??= { name: repository };
  }
}

function readTool(run: Run, tool: JsonObject): void {
  const components = [tool.driver, ...listOf(tool.extensions)].map(objectOf);
  run.tool = textOf(components[0]!.name);
  run.rules = components.map(({ rules }) => listOf(rules).map(objectOf));
}

function* itemsOf(place: string, result: JsonObject, run: Run): Generator<ReportItem> {
  const rule = ruleOf(result, run);
  const name = nameOf(result, rule);
  const reason = unmappedReason(result);
  const locations = listOf(result.locations).map(objectOf);
  for (const [i, location] of (locations.length > 0 ? locations : [{}]).entries()) {
    const at = locations.length > 1 ? `${place}.locations[${i}]` : place;
    if (reason !== null) yield { kind: 'unmapped', place: at, name, reason };
    else yield findingOf(result, { place: at, name, location: locationOf(location, run), rule, run });
  }
}

const kindOf = (result: JsonObject): string => textOf(result.kind) ?? 'fail';

function unmappedReason(result: JsonObject): string | null {
  const kind = kindOf(result);
  if (kind === 'notApplicable') return 'the rule does not apply to what was scanned';
  if (kind === 'informational') return 'informational, not a problem';
  const suppressions = listOf(result.suppressions).map((each) => textOf(objectOf(each).status) ?? 'accepted');
  // One that is rejected or under review keeps the result (SARIF 2.1.0 §3.27.23).
  const isSuppressed = suppressions.length > 0 && suppressions.every((status) => status === 'accepted');
  return isSuppressed ? 'suppressed in the report' : null;
}

/** By reference to the tool's component, else by index, else by id: the forms that tools write. */
function ruleOf(result: JsonObject, { rules }: Run): JsonObject {
  const reference = objectOf(result.rule);
  const component = numberOf(objectOf(reference.toolComponent).index);
  const of = rules[component === null ? 0 : component + 1] ?? [];
  const index = firstOf(numberOf(reference.index), numberOf(result.ruleIndex));
  const id = ruleIdOf(result);
  const atIndex = index !== null && index >= 0 ? of[index] : undefined;
  if (atIndex && (id === null || id.startsWith(textOf(atIndex.id) ?? id))) return atIndex;
  return rules.flat().find((rule) => textOf(rule.id) === id) ?? {};
}

const ruleIdOf = (result: JsonObject): string | null =>
  firstOf(textOf(result.ruleId), textOf(objectOf(result.rule).id));

const messageOf = (value: unknown): string | null => {
  const message = objectOf(value);
  return textOf(message.text) ?? textOf(message.markdown);
};

function nameOf(result: JsonObject, rule: JsonObject): string {
  const id = ruleIdOf(result) ?? textOf(rule.id);
  const title = messageOf(rule.shortDescription) ?? textOf(rule.name);
  if (id === null) return title ?? messageOf(result.message)?.split('\n', 1)[0] ?? 'Result without a rule';
  return title === null || title === id ? id : `${title.replace(/\.$/, '')} (${id})`;
}

const STATUSES: Record<string, Finding['status']> = { pass: 'pass', open: 'unknown', review: 'unknown' };

function findingOf(
  result: JsonObject,
  {
    place,
    name,
    location,
    rule,
    run,
  }: { place: string; name: string; location: string | null; rule: JsonObject; run: Run },
): Finding {
  const properties = objectOf(rule.properties);
  const own = objectOf(result.properties);
  const tags = [...textsOf(properties.tags), ...textsOf(own.tags)];
  const taxa = [
    ...listOf(rule.relationships).map((each) => objectOf(each).target),
    ...listOf(result.taxa),
  ].map(objectOf);
  const taxon = (pattern: RegExp) =>
    taxa
      .filter((target) => pattern.test(textOf(objectOf(target.toolComponent).name) ?? ''))
      .map((target) => textOf(target.id)?.replace(/^(\d+)$/, 'CWE-$1') ?? null);
  const id = ruleIdOf(result);
  return {
    kind: 'finding',
    place,
    asset: run.asset,
    type: 'va',
    source: run.tool,
    name,
    status: textOf(result.baselineState) === 'absent' ? 'pass' : (lookup(STATUSES, kindOf(result)) ?? 'fail'),
    severity: severityOf(result, rule),
    cves: cvesIn(id, tags, name),
    techniques: techniquesIn(
      taxon(/att&?ck/i),
      tags.filter((tag) => /att&?ck|mitre/i.test(tag)),
    ),
    standards: {
      cwe: [
        ...cwesIn(tags, textsOf(own.cwe), textsOf(properties.cwe), taxon(/cwe/i)),
        ...cwesOf(textsOf(own.cwe), textsOf(properties.cwe)),
      ],
      rule: id === null ? [] : [id],
    },
    description: messageOf(rule.fullDescription) ?? messageOf(rule.shortDescription),
    evidence: paragraphs(filledMessage(result, rule), labelled('At', location)),
    remediation: messageOf(rule.help),
    references: textsOf(rule.helpUri),
    detectionId: location ?? textOf(result.guid),
    tags: location === null ? {} : { path: [location.replace(/:\d+$/, '')] },
    lastSeen: run.seenAt,
    controlType: 'detection',
  };
}

/** The message, or the rule's by its id, with its arguments in the places marked `{0}`. */
function filledMessage(result: JsonObject, rule: JsonObject): string | null {
  const message = objectOf(result.message);
  const byId = lookup(objectOf(rule.messageStrings), textOf(message.id) ?? '');
  const text = messageOf(message) ?? messageOf(byId);
  return text === null ? null : filled(text, textsOf(message.arguments));
}

/** Braces of the text are doubled (SARIF 2.1.0 §3.11.5), but not by tools that fill in nothing. */
const filled = (text: string, args: readonly string[]): string =>
  args.length === 0
    ? text
    : text.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (mark, index) =>
        index === undefined ? mark[0]! : (args[Number(index)] ?? mark),
      );

/** `src/db.ts:42`, or the name of a function if no file is stated. */
function locationOf(location: JsonObject, { files, logicalLocations }: Run): string | null {
  const physical = objectOf(location.physicalLocation);
  const artifact = objectOf(physical.artifactLocation);
  const uri = firstOf(textOf(artifact.uri), textOf(files.get(numberOf(artifact.index) ?? -1)));
  const line = numberOf(objectOf(physical.region).startLine);
  if (uri !== null) return line === null ? uri : `${uri}:${line}`;
  const logical = objectOf(listOf(location.logicalLocations)[0]);
  const known = logicalLocations[numberOf(logical.index) ?? -1] ?? {};
  const names = [logical, known].flatMap((each) => [textOf(each.fullyQualifiedName), textOf(each.name)]);
  return firstOf(...names);
}

const LEVELS: Record<string, SeverityLevel> = { error: 'high', warning: 'medium', note: 'low', none: 'info' };

/**
 * `security-severity` is a score as CVSS has them, or a word; the level states the tool's confidence or severity.
 * Results that are not failures have none, with any level of the rule (SARIF 2.1.0 §3.27.10); a pass has no score
 * either.
 */
function severityOf(result: JsonObject, rule: JsonObject): FoundSeverity {
  const kind = kindOf(result);
  if (kind === 'pass') return { level: 'info' };
  const properties = [objectOf(result.properties), objectOf(rule.properties)];
  const security = properties.map((each) => securitySeverity(each['security-severity']));
  const byRule = kind === 'fail' ? textOf(objectOf(rule.defaultConfiguration).level) : 'none';
  const told = textOf(result.level) ?? byRule ?? 'warning';
  const word = firstOf(...properties.map((each) => severityLevel(textOf(each.severity))));
  return firstOf(...security) ?? { level: word ?? lookup(LEVELS, told) ?? 'medium' };
}

function securitySeverity(value: unknown): FoundSeverity | null {
  const score = scoreOf(value);
  if (score !== null) return { value: score, level: severityLevelOf(score) };
  const level = severityLevel(textOf(value));
  return level === null ? null : { level };
}
