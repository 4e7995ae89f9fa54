import type { FindingType, Observation, ObservedInstance, Tags } from '../events.ts';
import { charsOf, Expansion } from './expansion.ts';
import { readFindingType } from './finding-type.ts';
import {
  type InstanceName,
  joinSpellings,
  namesOf,
  numberRepeats,
  observationKey,
  portsOf,
} from './instance-keys.ts';
import { type Mappings, readMappings, readSignalCves } from './read-mappings.ts';
import { readSeverity } from './read-severity.ts';
import { readStatus } from './read-status.ts';
import type { Remarks } from './remarks.ts';
import type { RawSecurityContext, RawTags, Signal } from './signal.ts';
import { firstText, mergeTags, textOrNull, textsOf } from './tags.ts';

/** Contexts of one finding type with the instances that they became. */
interface ReadContexts {
  contexts: RawSecurityContext[];
  instances: ObservedInstance[];
}

/** The observations of a signal, one for each finding type (R-FIND-2). */
export function readObservations(signal: Signal, remarks: Remarks): Observation[] {
  const several = signal.securityContexts ?? [];
  if (signal.securityContext && several.length > 0) {
    remarks.problem('securityContexts', 'must not be combined with securityContext: send only one of them');
    return [];
  }
  if (signal.securityContext) return readSingular(signal, signal.securityContext, remarks);
  if (several.length > 0) return readPlural(signal, several, remarks);
  remarks.problem(
    'securityContext',
    'is missing: send it, or securityContexts for several instances, or entityOnly: true for only the entity',
  );
  return [];
}

/** Without a port it speaks for the whole finding (R-FIND-3); with ports it sets those instances (R-FIND-4). */
function readSingular(signal: Signal, context: RawSecurityContext, remarks: Remarks): Observation[] {
  const tags = joinSpellings(mergeTags(...keyTags(signal), ...keyTags(context)));
  const type = readType(context, 'securityContext', remarks);
  const content = readContent(context, readSignalCves(signal), 'securityContext', remarks);
  const ports = portsOf(tags);
  const names = ports.length > 0 ? ports : [{ key: '', tags: {} }];
  const repeatedChars = names.length > 1 ? charsOfAll(content, tags, names) : 0;
  if (!new Expansion(remarks).add(names.length, repeatedChars, 'port')) return [];
  const instances = names.map((name) => namedInstance(content, tags, name));
  return [observationOf(type, ports.length > 0 ? 'merge' : 'whole', { contexts: [context], instances })];
}

/** The whole set of instances (R-FIND-5). */
function readPlural(signal: Signal, contexts: RawSecurityContext[], remarks: Remarks): Observation[] {
  const expansion = new Expansion(remarks);
  const common = joinSpellings(mergeTags(...keyTags(signal)));
  const signalCves = readSignalCves(signal);
  const commonChars = charsOf(signal.cves ? [common, signalCves] : common);
  const byType = new Map<FindingType, ReadContexts>();
  for (const [i, context] of contexts.entries()) {
    const path = `securityContexts[${i}]`;
    const type = readType(context, path, remarks);
    const content = readContent(context, signalCves, path, remarks);
    const own = joinSpellings(mergeTags(...keyTags(context)));
    const tags = mergeTags(common, own);
    const names = namesOf(own);
    const repeatedChars = names.length > 1 ? charsOfAll(content, tags, names) : commonChars;
    if (!expansion.add(Math.max(names.length, 1), repeatedChars, path)) return [];
    const read = readContextsOf(byType, type);
    read.contexts.push(context);
    if (names.length === 0) read.instances.push({ ...content, tags, key: observationKey(content) });
    for (const name of names) read.instances.push(namedInstance(content, tags, name));
  }
  return [...byType].map(([type, read]) =>
    observationOf(type, 'whole', { ...read, instances: numberRepeats(read.instances) }),
  );
}

function readContextsOf(byType: Map<FindingType, ReadContexts>, type: FindingType): ReadContexts {
  const known = byType.get(type) ?? { contexts: [], instances: [] };
  byType.set(type, known);
  return known;
}

type Content = Omit<ObservedInstance, 'key' | 'tags'>;

function readContent(
  context: RawSecurityContext,
  signalCves: Mappings,
  path: string,
  remarks: Remarks,
): Content {
  return {
    status: readStatus(context, path, remarks),
    counted: true,
    workflowStatus: textOrNull(context.status?.workflowStatus),
    severity: readSeverity(context.severity, path, remarks),
    ...readMappings(context, signalCves),
    evidence: textOrNull(context.evidence?.observationText),
  };
}

const namedInstance = (content: Content, tags: Tags, name: InstanceName): ObservedInstance => ({
  ...content,
  key: name.key,
  tags: { ...tags, ...name.tags },
});

/** Characters of the instances of a context, without building them. */
function charsOfAll(content: Content, tags: Tags, names: InstanceName[]): number {
  const first = names[0]!;
  const common = charsOf(namedInstance(content, tags, first)) - charsOf(first);
  return names.reduce((chars, name) => chars + common + charsOf(name), 0);
}

type KeyFields = Pick<RawSecurityContext, 'detectionId' | 'port' | 'protocol'>;

/**
 * Format 2.x writes them as fields; they stay visible as tags, and a field wins over the tags of its name in any spelling
 * (R-SIG-12).
 */
function keyTags({
  tags,
  detectionId,
  port,
  protocol,
}: KeyFields & { tags?: RawTags }): (RawTags | undefined)[] {
  if (detectionId === undefined && port === undefined && protocol === undefined) return [tags];
  const fields = {
    ...(detectionId !== undefined && { detectionId }),
    ...(port !== undefined && { port }),
    ...(protocol !== undefined && { protocol }),
  };
  const given = new Set(
    Object.entries(fields).flatMap(([name, field]) =>
      firstText(textsOf(field)) === null ? [] : [name.toLowerCase()],
    ),
  );
  const others = Object.entries(tags ?? {}).filter(([key]) => !given.has(key.toLowerCase()));
  return [Object.fromEntries(others), fields];
}

function readType({ type }: RawSecurityContext, path: string, remarks: Remarks): FindingType {
  const read = readFindingType(type);
  if (!read) remarks.problem(`${path}.type`, 'must be a finding type such as va, ca, edr or others');
  return read?.type ?? 'others';
}

/** A common value of an observation is taken from the first context that has it. */
function observationOf(
  type: FindingType,
  mode: Observation['mode'],
  { contexts, instances }: ReadContexts,
): Observation {
  const first = (read: (context: RawSecurityContext) => string | null): string | null => {
    for (const context of contexts) {
      const text = read(context);
      if (text !== null) return text;
    }
    return null;
  };
  const remediation = contexts.find((context) => context.remediation)?.remediation;
  return {
    type,
    subtype: first(subtypeOf),
    mode,
    instances,
    technical: first(({ description }) => textOrNull(description?.technical)),
    businessImpact: first(({ description }) => textOrNull(description?.businessImpact)),
    controlType: first(({ controlType }) => textOrNull(controlType)),
    remediation: remediation
      ? {
          description: textOrNull(remediation.description),
          reference: textOrNull(remediation.reference),
          impact: textOrNull(remediation.impact),
        }
      : null,
  };
}

/** The sender's own type name if `type` became `others`, then its subtype: `email`, `email/phishing`. */
function subtypeOf({ type, subType }: RawSecurityContext): string | null {
  const alias = readFindingType(type)?.alias ?? null;
  const own = textOrNull(subType);
  return alias && own ? `${alias}/${own}` : (alias ?? own);
}
