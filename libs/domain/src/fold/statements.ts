import { CURRENT_RULES, type EntityDescription, type EntityType, type Tags } from '../events.ts';
import { firstLabel, isFqdn, isMachineName } from '../signal/entity-key.ts';
import type { Asset, Statement } from '../state.ts';
import { sameContent } from './same-content.ts';

/** Attributes with one value: the asset shows that of the first statement in `byPrecedence`. */
const SINGLE_VALUES = [
  'hostname',
  'fqdn',
  'os',
  'typing',
  'criticality',
  'confidentialityRequirement',
  'integrityRequirement',
  'availabilityRequirement',
  'department',
  'location',
] as const;
/** The asset shows the values of all statements. */
const SETS = ['ipAddresses', 'macAddresses'] as const;
/** For each key, the asset shows the values of the first statement that has the key. */
const KEYED = ['tags', 'customFields'] as const;

type SingleValue = (typeof SINGLE_VALUES)[number];
type Attribute = SingleValue | (typeof SETS)[number] | (typeof KEYED)[number];
type Attributes = Pick<Asset, Attribute>;

/** Statements that an asset keeps, besides the one about the time before statements were kept (R-SRC-7). */
export const STATEMENTS_MAX = 32;
/** With that one, and the one that further sources without a device share. */
export const ALL_STATEMENTS_MAX = STATEMENTS_MAX + 2;
/** Values of a set; those of a single statement are all kept. */
const SET_MAX = 1000;

/** The first rules under which a custom field ends a tag with its key (ADR-0158). */
const FIELDS_END_TAGS = 9;
/** The first rules under which an empty list gives way to the values of another statement (ADR-0158). */
const EMPTY_LISTS_GIVE_WAY = 9;
/** The first rules under which a type gives way only to another type, and none that a source gave (ADR-0159). */
const TYPES_STAY = 10;

/** What a description says of an asset. */
export interface Said {
  source: string | null;
  /** Id of the described device at its platform: the description is whole. Null: values that are missing stay. */
  deviceId: string | null;
  entity: EntityDescription;
  /** See `SignalReceived`. */
  isTypeGiven: boolean;
  /** Clock of the partition. */
  at: number;
  /** false: decided with an older version of the settings, which replaces neither OS nor typing (R-ASSET-16). */
  isCurrent: boolean;
  /** Of its event (R-FOLD-2). */
  rules: number;
}

/**
 * The statements of an asset before the next description: an asset that has none begins with what it shows, so that
 * nothing is lost of the time before statements were kept, or before the asset was deleted.
 */
export function statementsOf(asset: Asset): readonly Statement[] {
  if (asset.statements !== undefined && asset.statements.length > 0) return asset.statements;
  const given = givenBy(asset, asset.entityType, asset.name);
  if (Object.keys(given).length === 0) return [];
  return [{ source: null, deviceId: null, isEarlier: true, since: asset.updatedAt, ...given }];
}

/**
 * The statements after a description, or the same list if it says nothing new. A name alone is a statement only about a
 * device: the asset itself keeps all names.
 * @param name of the asset
 */
export function withStatement(
  statements: readonly Statement[],
  name: string,
  said: Said,
): readonly Statement[] {
  const given = givenBy(said.entity, said.entity.type, said.entity.name);
  // Another FQDN is only an alias, and so is the host name that it comes with (R-ASSET-6).
  if (isFqdn(said.entity.name) && !isSameName(said.entity.name, name)) delete given.hostname;
  if (said.isTypeGiven && given.typing) given.isTypeGiven = true;
  if (said.deviceId === null && Object.keys(given).length === 0) return statements;
  const key = keyFor(statements, said);
  if (key === null) return statements;
  const known = statements.find((statement) => isOf(statement, key));
  const content = contentAfter(known, given, said);
  const others = statements
    .filter((statement) => statement !== known)
    .flatMap((statement) =>
      statement.isEarlier ? withoutGiven(statement, content, said.rules) : [statement],
    );
  const next: Statement = { ...key, since: said.at, ...content };
  if (known !== undefined && sameContent(saidIn(known), saidIn(next))) next.since = known.since;
  return [...others, next].sort(byKey);
}

/** Who gave the type was not kept under earlier rules: that it is known now is no newer value. */
const saidIn = ({ since: _s, isTypeGiven: _g, ...values }: Statement) => values;

/** Without what a source said of a device that is gone; the same list if there is no such statement. */
export function withoutStatement(
  statements: readonly Statement[],
  ended: { source: string; deviceId: string },
): readonly Statement[] {
  return statements.some((statement) => isOf(statement, ended))
    ? statements.filter((statement) => !isOf(statement, ended))
    : statements;
}

/** Earlier versions: a new mapping typed the operating system that the asset shows, and so every statement with it. */
export function withTyping(
  statements: readonly Statement[],
  typing: NonNullable<Asset['typing']>,
  { os, trustedSources = [] }: Pick<Asset, 'os' | 'trustedSources'>,
  rules: number,
): Statement[] {
  const shown = pick('typing', byPrecedence(statements, trustedSources), rules);
  return statements.map((statement) =>
    statement === shown || statement.os === os ? { ...statement, typing } : statement,
  );
}

/** The attributes that the asset shows, from what its sources said. */
export function merged(
  asset: Pick<Asset, 'name' | 'entityType' | 'typing' | 'trustedSources'>,
  statements: readonly Statement[],
  rules: number,
): Attributes {
  const ordered = byPrecedence(statements, asset.trustedSources ?? []);
  const valuesOf = rules < EMPTY_LISTS_GIVE_WAY ? (tags: Tags) => tags : withValues;
  const valueShown = <A extends SingleValue>(attribute: A) =>
    (pick(attribute, ordered, rules)?.[attribute] ?? null) as Attributes[A];
  return {
    hostname: valueShown('hostname') ?? ownHostname(asset),
    fqdn: isNamedByFqdn(asset) ? asset.name : valueShown('fqdn'),
    ipAddresses: unionOf('ipAddresses', statements),
    macAddresses: unionOf('macAddresses', statements),
    os: valueShown('os'),
    // Every source says the same of a user.
    typing: asset.entityType === 'user' ? asset.typing : valueShown('typing'),
    criticality: valueShown('criticality'),
    confidentialityRequirement: valueShown('confidentialityRequirement'),
    integrityRequirement: valueShown('integrityRequirement'),
    availabilityRequirement: valueShown('availabilityRequirement'),
    department: valueShown('department'),
    location: valueShown('location'),
    tags: byKeyOf('tags', ordered, valuesOf),
    customFields: byKeyOf('customFields', ordered, valuesOf),
  };
}

/**
 * For each statement of an asset, in the order of `asset.statements`, the attributes of which the asset shows its value;
 * of tags and custom fields, `tags.KEY` and `customFields.KEY`.
 */
export function shownAttributes(asset: Asset): { statement: Statement; shown: string[] }[] {
  const { statements = [], trustedSources = [] } = asset;
  const ordered = byPrecedence(statements, trustedSources);
  const isOverruled = (attribute: Attribute) => attribute === 'fqdn' && isNamedByFqdn(asset);
  return statements.map((statement) => ({
    statement,
    shown: [
      ...SINGLE_VALUES.filter(
        (attribute) =>
          !isOverruled(attribute) &&
          pick(attribute, ordered, CURRENT_RULES) === statement &&
          sameContent(statement[attribute], asset[attribute]),
      ),
      ...SETS.filter((attribute) => statement[attribute]?.some((value) => asset[attribute].includes(value))),
      ...KEYED.flatMap((attribute) =>
        Object.keys(statement[attribute] ?? {})
          .filter(
            (key) => hasValues(key, asset[attribute]) && firstWith(attribute, key, ordered) === statement,
          )
          .map((key) => `${attribute}.${key}`),
      ),
    ],
  }));
}

/** A device that an integration describes, as `statedDevices` names it. */
export const statedDevice = (source: string, deviceId: string): string => JSON.stringify([source, deviceId]);

/** The devices that integrations describe as the asset. */
export const statedDevices = ({ statements = [] }: Asset): string[] =>
  statements.flatMap(({ source, deviceId }) =>
    source !== null && deviceId !== null ? [statedDevice(source, deviceId)] : [],
  );

/** Whether a source is in the list of trusted sources, and at which place from 0; names are compared without case. */
export function trustOf(source: string | null, trustedSources: readonly string[]): number | null {
  if (source === null) return null;
  const name = source.toLowerCase();
  const place = trustedSources.findIndex((trusted) => trusted.toLowerCase() === name);
  return place < 0 ? null : place;
}

/** What an event or an asset says besides what its name says: neither nulls nor empty lists. */
function givenBy(
  entity: Pick<EntityDescription, Attribute>,
  type: EntityType,
  name: string,
): Partial<Statement> {
  const given: Record<string, unknown> = {};
  for (const attribute of SINGLE_VALUES) if (entity[attribute] !== null) given[attribute] = entity[attribute];
  for (const attribute of SETS) if (entity[attribute].length > 0) given[attribute] = entity[attribute];
  for (const attribute of KEYED) {
    if (Object.keys(entity[attribute]).length > 0) given[attribute] = sorted(entity[attribute]);
  }
  if (given.hostname === firstLabel(name)) delete given.hostname;
  if (given.fqdn === name) delete given.fqdn;
  if (type === 'user') delete given.typing;
  return given;
}

type Key = Pick<Statement, 'source' | 'deviceId'>;

/**
 * Where a description is kept: null if the asset has enough statements about devices. Further sources without a device
 * share the statement without a source, in which the last one wins.
 */
function keyFor(statements: readonly Statement[], { source, deviceId }: Said): Key | null {
  const key = { source, deviceId };
  const kept = statements.filter(({ isEarlier }) => !isEarlier);
  if (kept.length < STATEMENTS_MAX || kept.some((statement) => isOf(statement, key))) return key;
  return deviceId === null ? { source: null, deviceId: null } : null;
}

const isOf = (statement: Statement, { source, deviceId }: Key): boolean =>
  !statement.isEarlier && statement.source === source && statement.deviceId === deviceId;

function contentAfter(
  known: Statement | undefined,
  given: Partial<Statement>,
  { deviceId, entity, isCurrent, rules }: Said,
): Partial<Statement> {
  const content: Partial<Statement> = { ...given };
  if (!isCurrent) {
    delete content.os;
    delete content.typing;
    delete content.isTypeGiven;
    Object.assign(
      content,
      defined({ os: known?.os, typing: known?.typing, isTypeGiven: known?.isTypeGiven }),
    );
  }
  if (deviceId !== null) return { name: entity.name, ...content };
  if (known === undefined) return content;
  const { source: _s, deviceId: _d, since: _t, ...before } = known;
  const kept = defined({ ...before, tags: without(before.tags, endedTags(content, rules)) });
  if (content.typing) delete kept.isTypeGiven;
  const next = { ...kept, ...content };
  for (const attribute of KEYED) {
    if (kept[attribute] && content[attribute]) {
      next[attribute] = sorted({ ...kept[attribute], ...content[attribute] });
    }
  }
  return next;
}

const defined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Tags with these keys end, because their values are in custom fields. */
const endedTags = ({ customFields = {} }: Partial<Statement>, rules: number): Tags =>
  rules < FIELDS_END_TAGS ? {} : customFields;

/** undefined if nothing is left. */
function without(tags: Tags | undefined, ended: Tags): Tags | undefined {
  const left = Object.entries(tags ?? {}).filter(([key]) => !Object.hasOwn(ended, key));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** What was said before statements were kept ends when a source gives it. */
function withoutGiven(earlier: Statement, given: Partial<Statement>, rules: number): Statement[] {
  const rest: Statement = { ...earlier };
  for (const attribute of [...SINGLE_VALUES, ...SETS])
    if (given[attribute] !== undefined) delete rest[attribute];
  const said = {
    tags: { ...given.tags, ...endedTags(given, rules) },
    customFields: given.customFields ?? {},
  };
  for (const attribute of KEYED) {
    const left = without(rest[attribute], said[attribute]);
    if (left === undefined) delete rest[attribute];
    else rest[attribute] = left;
  }
  const isEmpty = [...SINGLE_VALUES, ...SETS, ...KEYED].every((attribute) => rest[attribute] === undefined);
  return isEmpty ? [] : [rest];
}

/** Trusted sources in the order of their list, then the newest statement, then the smaller source and device (R-SRC-3). */
function byPrecedence(statements: readonly Statement[], trustedSources: readonly string[]): Statement[] {
  const trusted = (statement: Statement) =>
    trustOf(statement.source, trustedSources) ?? (statement.isEarlier ? Infinity : trustedSources.length);
  const orderOf = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
  return [...statements].sort(
    (a, b) => orderOf(trusted(a), trusted(b)) || orderOf(b.since, a.since) || byKey(a, b),
  );
}

function byKey(a: Statement, b: Statement): number {
  if (a.isEarlier !== b.isEarlier) return a.isEarlier ? -1 : 1;
  return compare(a.source, b.source) || compare(a.deviceId, b.deviceId);
}

const compare = (a: string | null, b: string | null): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
};

/** The statement whose value is shown: for the OS and its type, one that another statement does not make more precise. */
function pick(attribute: SingleValue, ordered: readonly Statement[], rules: number): Statement | undefined {
  const givesWay = { os: isVague, typing: rules < TYPES_STAY ? isVague : isVaguelyTyped };
  const isCandidate = (statement: Statement) =>
    statement[attribute] !== undefined &&
    !((attribute === 'os' || attribute === 'typing') && givesWay[attribute](statement, ordered));
  return ordered.find(isCandidate);
}

/** By its OS, of which another statement has a more precise one that has a type too. */
const isVaguelyTyped = (statement: Statement, all: readonly Statement[]): boolean =>
  !statement.isTypeGiven &&
  isVague(
    statement,
    all.filter(({ typing }) => typing !== undefined),
  );

/** Adapters call `Windows` what another source knows as `Windows Server 2019`. */
const isVague = ({ os }: Statement, all: readonly Statement[]): boolean =>
  os !== undefined &&
  all.some(
    (other) =>
      other.os !== undefined &&
      other.os.length > os.length &&
      other.os.toLowerCase().includes(os.toLowerCase()),
  );

/** In the order of the statements, which a new statement of a source does not change. */
function unionOf(attribute: (typeof SETS)[number], statements: readonly Statement[]): string[] {
  const lists = statements.flatMap((statement) => (statement[attribute] ? [statement[attribute]] : []));
  return lists.length === 1 ? lists[0]! : [...new Set(lists.flat())].slice(0, SET_MAX);
}

function byKeyOf(
  attribute: (typeof KEYED)[number],
  ordered: readonly Statement[],
  valuesOf: (tags: Tags) => Tags,
): Tags {
  const reversed = [...ordered].reverse();
  return sorted(Object.assign({}, ...reversed.map((said) => valuesOf(said[attribute] ?? {}))) as Tags);
}

const firstWith = (attribute: (typeof KEYED)[number], key: string, ordered: readonly Statement[]) =>
  ordered.find((statement) => hasValues(key, statement[attribute]));

const hasValues = (key: string, tags: Tags = {}): boolean =>
  Object.hasOwn(tags, key) && tags[key]!.length > 0;

/** An integration empties a custom field whose last value is gone at its platform. */
export const withValues = (tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([, values]) => values.length > 0));

const sorted = (tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));

const isNamedByFqdn = ({ name, entityType }: { name: string; entityType: EntityType }): boolean =>
  entityType === 'machine' && isFqdn(name);

const ownHostname = ({ name, entityType }: { name: string; entityType: EntityType }): string | null =>
  entityType === 'machine' && isMachineName(name) ? firstLabel(name) : null;

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
