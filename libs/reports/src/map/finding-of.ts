import { FINDING_TYPES, type FindingType } from '#libs/domain';
import type { Finding, FoundAsset, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf, scoreOf } from '../mapping/cvss.ts';
import { hostOfTarget } from '../mapping/host-of-target.ts';
import { identifyingName } from '../mapping/identifying-name.ts';
import { cvesIn, cwesIn, cwesOf, techniquesIn } from '../mapping/ids.ts';
import { instantOf, instantOfEpoch } from '../mapping/instants.ts';
import { plainText } from '../mapping/plain-text.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { numberOf } from '../reading/json-fields.ts';
import type { Location, ReadText, ReadTexts, ValueCompiler } from './map-values.ts';
import type { AssetMap, CvssMap, FindingMap, ReportMap } from './report-map.ts';
import type { Scope } from './scope.ts';

/** Reads one finding; `onField` receives the name of each field before it is read. */
export type ReadItem = (scope: Scope, place: string, options: ReadItemOptions) => ReportItem;
interface ReadItemOptions {
  asset: ReadOptions['asset'];
  /** Why it becomes no signal; omitted: the map's conditions decide. */
  skip?: string | undefined;
  onField?: (field: string) => void;
}

const STATUSES: readonly string[] = ['fail', 'pass', 'unknown'] satisfies Finding['status'][];

export function compileItem(map: ReportMap, compiler: ValueCompiler): ReadItem {
  const skips = (map.skip ?? []).map(({ when, reason }, i) => ({
    test: compiler.condition(when, ['skip', i, 'when']),
    reason,
  }));
  const readAsset = compileAsset(map.asset ?? {}, compiler);
  const readFinding = compileFinding(map.finding, compiler);
  return (scope, place, options) => {
    options.onField?.('skip');
    const finding = readFinding(scope, options.onField);
    const unmapped = (reason: string): ReportItem => ({
      kind: 'unmapped',
      place,
      name: finding.name ?? 'record',
      reason,
    });
    if (options.skip !== undefined) return unmapped(options.skip);
    const skip = skips.find(({ test }) => test(scope));
    if (skip) return unmapped(skip.reason);
    const type = FINDING_TYPES.find((each): each is FindingType => each === finding.type);
    if (type === undefined) return unmapped('has a type that the map does not translate');
    const status = finding.status ?? 'fail';
    if (!isStatus(status)) return unmapped('has a status that the map does not translate');
    if (finding.name === null) return unmapped('has no name');
    const asset = readAsset(scope, options);
    return {
      ...finding,
      kind: 'finding',
      place,
      asset,
      type,
      status,
      name: finding.name,
      ...(map.finding.isStatement && { isStatement: true }),
    };
  };
}

const isStatus = (status: string): status is Finding['status'] => STATUSES.includes(status);

type UncheckedFinding = Omit<Finding, 'kind' | 'place' | 'asset' | 'type' | 'status' | 'name'> & {
  type: string | null;
  status: string | null;
  name: string | null;
};

function compileFinding(map: FindingMap, compiler: ValueCompiler) {
  const at: Location = ['finding'];
  const text = <Name extends keyof FindingMap>(name: Name): ReadText =>
    compiler.text(map[name] as FindingMap['name'], [...at, name]);
  const list = (name: 'cves' | 'cwes' | 'techniques' | 'references'): ReadTexts =>
    compiler.list(map[name], [...at, name]);
  const prose = (name: NonNullable<FindingMap['html']>[number]): ReadText => {
    const read = text(name);
    return map.html?.includes(name) ? (scope) => plainText(read(scope)) : read;
  };
  const fields = {
    type: text('type'),
    subType: text('subType'),
    name: text('name'),
    status: text('status'),
    severity: compileSeverity(map.severity ?? {}, compiler),
    cves: mapped(list('cves'), (texts) => cvesIn(texts)),
    cwes: mapped(list('cwes'), (texts) => [...new Set([...cwesOf(texts), ...cwesIn(texts)])]),
    techniques: mapped(list('techniques'), (texts) => techniquesIn(texts)),
    standards: compiler.lists(map.standards, [...at, 'standards']),
    description: prose('description'),
    impact: prose('impact'),
    evidence: prose('evidence'),
    remediation: prose('remediation'),
    references: list('references'),
    port: mapped(text('port'), numberOf),
    protocol: text('protocol'),
    detectionId: text('instance'),
    tags: compiler.lists(map.tags, [...at, 'tags']),
    firstSeen: text('firstSeen'),
    lastSeen: text('lastSeen'),
    controlType: text('controlType'),
    source: text('source'),
  };
  return (scope: Scope, onField?: (field: string) => void): UncheckedFinding => {
    const { cwes, standards, firstSeen, lastSeen, ...rest } = valuesOf(fields, scope, onField);
    return {
      ...rest,
      ...instantsIn({ firstSeen, lastSeen }),
      standards: cwes.length > 0 ? { cwe: cwes, ...standards } : standards,
    };
  };
}

const mapped =
  <From, To>(read: (scope: Scope) => From, convert: (value: From) => To) =>
  (scope: Scope): To =>
    convert(read(scope));

type Readers = Record<string, (scope: Scope) => unknown>;
type ValuesOf<Fields extends Readers> = { [Name in keyof Fields]: ReturnType<Fields[Name]> };

function valuesOf<Fields extends Readers>(
  fields: Fields,
  scope: Scope,
  onField?: (field: string) => void,
): ValuesOf<Fields> {
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(fields)) {
    onField?.(name);
    values[name] = read(scope);
  }
  return values as ValuesOf<Fields>;
}

/** The newest version of CVSS comes first in a map; the first with a score counts, else the first with a vector. */
function compileSeverity(
  { level, score, cvss = [] }: NonNullable<FindingMap['severity']>,
  compiler: ValueCompiler,
): (scope: Scope) => FoundSeverity {
  const at: Location = ['finding', 'severity'];
  const readLevel = compiler.text(level, [...at, 'level']);
  const readScore = compiler.text(score, [...at, 'score']);
  const readers = cvss.map((each, i) => compileCvss(each, [...at, 'cvss', i], compiler));
  return (scope) => {
    const read = readers.map((reader) => reader(scope)).filter((each) => each !== undefined);
    const best = read.find(({ baseScore }) => baseScore) ?? read[0];
    const given = scoreOf(readScore(scope));
    return {
      value: given ?? best?.baseScore ?? null,
      level: severityLevel(readLevel(scope)),
      ...(best && { cvss: best }),
    };
  };
}

function compileCvss(map: CvssMap, at: Location, compiler: ValueCompiler) {
  const read = (name: 'vector' | 'baseScore' | 'temporalScore') => compiler.text(map[name], [...at, name]);
  const [vector, baseScore, temporalScore] = [read('vector'), read('baseScore'), read('temporalScore')];
  return (scope: Scope) =>
    cvssOf({
      version: map.version ?? null,
      vector: vector(scope),
      baseScore: scoreOf(baseScore(scope)),
      temporalScore: scoreOf(temporalScore(scope)),
    });
}

/** The asset that a scope names; null if it names none. */
export type ReadAsset = (scope: Scope, options: ReadItemOptions) => FoundAsset | null;

export function compileAsset(map: AssetMap, compiler: ValueCompiler): ReadAsset {
  const at: Location = ['asset'];
  const text = (name: 'name' | 'target' | 'hostname' | 'fqdn' | 'os') =>
    compiler.text(map[name], [...at, name]);
  const list = (name: 'ipAddresses' | 'macAddresses') => compiler.list(map[name], [...at, name]);
  const fields = {
    name: text('name'),
    target: text('target'),
    ipAddresses: list('ipAddresses'),
    macAddresses: list('macAddresses'),
    hostname: text('hostname'),
    fqdn: text('fqdn'),
    os: text('os'),
    tags: compiler.lists(map.tags, [...at, 'tags']),
  };
  return (scope, { asset: given, onField }) => {
    const { name, target, ipAddresses, ...rest } = valuesOf(
      fields,
      scope,
      onField && ((field) => onField(`asset.${field}`)),
    );
    const host = hostOfTarget(target);
    const stated = identifyingName(name, host?.name);
    const chosen = map.isApplication ? (given ?? stated) : stated;
    if (chosen === null) return null;
    const addresses = host?.address ? [...ipAddresses, host.address] : ipAddresses;
    return {
      name: identifyingName(chosen, addresses) ?? chosen,
      ipAddresses: addresses,
      ...rest,
    };
  };
}

type Times<Value> = Record<'firstSeen' | 'lastSeen', Value>;

function instantsIn(texts: Times<string | null>): Times<string | null> & Pick<Finding, 'notes'> {
  const instants = { firstSeen: instantIn(texts.firstSeen), lastSeen: instantIn(texts.lastSeen) };
  const unread = (['firstSeen', 'lastSeen'] as const).filter(
    (name) => texts[name] !== null && instants[name] === null,
  );
  const notes = unread.map((name) => `${name} is not a known time: left out`);
  return { ...instants, ...(notes.length > 0 && { notes }) };
}

const instantIn = (text: string | null): string | null => {
  const epoch = text !== null && /^\d{9,19}(\.\d+)?$/.test(text) ? instantOfEpoch(Number(text)) : null;
  return epoch ?? instantOf(text);
};
