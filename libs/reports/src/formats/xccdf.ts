import { isFqdn, isLoopbackName } from '#libs/domain';
import type { MarkedForm } from '../form.ts';
import type { Finding, Format, FoundAsset, ReadOptions, ReportItem } from '../format.ts';
import { hostOfTarget } from '../mapping/host-of-target.ts';
import { cvesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { lookup } from '../mapping/lookup.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { firstOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childOf, childrenOf, textIn, textsIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';
import { beginsAs } from '../recognise.ts';

const formOf = (prefix: string): MarkedForm => ({
  syntax: 'xml',
  marks: [`/${prefix}Benchmark@xmlns${prefix && ':cdf'}=http://checklists.nist.gov/xccdf/*`],
  lists: [`/${prefix}Benchmark/${prefix}TestResult`],
});
const PREFIX = 'cdf:';
const PREFIXED = formOf(PREFIX);

/** Benchmarks with their results, as OpenSCAP and SCC write them; with or without the prefix of SCC. */
export const xccdf: Format = {
  name: 'xccdf',
  aliases: ['openscap'],
  title: 'XCCDF 1.1 and 1.2 with results (OpenSCAP, SCC)',
  noun: 'an XCCDF benchmark with results',
  unit: 'the result of a rule',
  source: 'XCCDF',
  forms: [formOf(''), PREFIXED],
  read,
};

/** What the results of one target share. */
interface Target {
  names: string[];
  addresses: string[];
  facts: Map<string, string[]>;
  endedAt: string | null;
}

const noTarget = (endedAt: string | null): Target => ({
  names: [],
  addresses: [],
  facts: new Map(),
  endedAt,
});

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const prefix = beginsAs(file, PREFIXED) ? PREFIX : '';
  const rules = await readRules(file, prefix);
  const within = (name: string): string => `${prefix}TestResult/${prefix}${name}`;
  const parts = {
    marks: [`${prefix}Benchmark/${prefix}TestResult`],
    elements: ['target', 'target-address', 'target-facts', 'rule-result'].map(within),
  };
  let target = noTarget(null);
  let asset: FoundAsset | null = null;
  for await (const event of xmlEvents(file, parts, onProgress)) {
    if (event.kind === 'begin') {
      target = noTarget(instantOf(event.attributes['end-time']));
      asset = null;
    } else if (event.kind === 'end') {
      asset ??= assetOf(target);
      if (asset) yield { kind: 'asset', place: 'TestResult', asset };
    } else {
      const element = bare(event.element, prefix);
      const text = element.text.trim();
      if (element.name === 'target') target.names.push(text);
      else if (element.name === 'target-address') target.addresses.push(text);
      else if (element.name === 'target-facts') addFacts(target.facts, element);
      else {
        // The target precedes its results.
        asset ??= assetOf(target);
        yield resultOf(element, rules, asset, target.endedAt);
      }
    }
  }
}

async function readRules(file: ReportFile, prefix: string): Promise<Map<string, XmlElement>> {
  const rules = new Map<string, XmlElement>();
  const elements = ['Group', 'Benchmark'].map((name) => `${prefix}${name}/${prefix}Rule`);
  for await (const event of xmlEvents(file, { elements, marks: [] })) {
    if (event.kind === 'element') rules.set(event.element.attributes.id ?? '', bare(event.element, prefix));
  }
  return rules;
}

/** An element without the prefix of its name. */
function bare(element: XmlElement, prefix: string): XmlElement {
  if (prefix === '') return element;
  const name = element.name.startsWith(prefix) ? element.name.slice(prefix.length) : element.name;
  return { ...element, name, children: element.children.map((child) => bare(child, prefix)) };
}

/** `urn:xccdf:fact:ethernet:MAC`, `urn:scap:fact:asset:identifier:fqdn`, by the last part in lower case. */
function addFacts(facts: Map<string, string[]>, element: XmlElement): void {
  for (const { attributes, text } of childrenOf(element, 'fact')) {
    const name = attributes.name?.split(':').at(-1)?.toLowerCase() ?? '';
    if (text.trim() !== '') facts.set(name, [...(facts.get(name) ?? []), text.trim()]);
  }
}

/** Every machine has these, so that they identify none. */
const isOwn = (text: string): boolean => isLoopbackName(text) || text === '00:00:00:00:00:00';

function assetOf({ names, addresses, facts }: Target): FoundAsset | null {
  const fact = (name: string): string[] => (facts.get(name) ?? []).filter((text) => !isOwn(text));
  const fqdn = [...fact('fqdn').map((text) => text.replace(/\.$/, '')), ...names].find(
    (name) => isFqdn(name) && !isOwn(name),
  );
  const ips = addresses.map((text) => hostOfTarget(text)?.address ?? null).filter((ip) => ip !== null);
  const known = ips.filter((ip) => !isOwn(ip));
  const named = [...names, ...fact('host_name')].find((name) => name !== '' && !isOwn(name));
  const name = firstOf(fqdn, named, known[0], names[0]);
  if (!name) return null;
  const os = [...fact('os_name').slice(0, 1), ...fact('os_version').slice(0, 1)].join(' ');
  return {
    name,
    fqdn: fqdn ?? null,
    ipAddresses: [...new Set(known)],
    macAddresses: [...new Set([...fact('mac'), ...fact('mac_address')])],
    os: os || null,
  };
}

const STATUSES: Record<string, Finding['status']> = {
  pass: 'pass',
  fixed: 'pass',
  fail: 'fail',
  error: 'unknown',
  unknown: 'unknown',
};

/** Results of rules that were not evaluated. */
const LISTED: Record<string, string> = {
  notapplicable: 'does not apply to the target',
  notchecked: 'was not checked',
  notselected: 'is not selected in the profile',
  informational: 'is informational, not a finding',
};

function resultOf(
  result: XmlElement,
  rules: Map<string, XmlElement>,
  asset: FoundAsset | null,
  endedAt: string | null,
): ReportItem {
  const place = `line ${result.line}`;
  const { idref = '', severity, time, version } = result.attributes;
  const rule = rules.get(idref);
  const name = textIn(rule, 'title') ?? idref;
  if (name === '') return { kind: 'unmapped', place, name: 'rule-result', reason: 'names no rule' };
  const word = textIn(result, 'result')?.toLowerCase() ?? '';
  const status = lookup(STATUSES, word);
  if (status === undefined) {
    const reason = lookup(LISTED, word) ?? 'has a result that is not known';
    return { kind: 'unmapped', place, name, reason };
  }
  const idents = [...textsIn(result, 'ident'), ...textsIn(rule, 'ident')];
  const cves = cvesIn(idents);
  const identsAs = (pattern: RegExp): string[] => idents.filter((ident) => pattern.test(ident));
  const checks = childrenOf(childOf(result, 'check'), 'check-content-ref').map(
    ({ attributes }) => attributes.name ?? attributes.href ?? null,
  );
  return {
    kind: 'finding',
    place,
    asset,
    type: cves.length > 0 ? 'va' : 'ca',
    name,
    status,
    severity: { level: severityLevel(severity ?? rule?.attributes.severity ?? null) },
    cves,
    standards: {
      rule: [idref],
      version: [version ?? textIn(rule, 'version') ?? ''],
      cce: identsAs(/^CCE-/i),
      cci: identsAs(/^CCI-/i),
    },
    description: descriptionOf(childOf(rule, 'description')),
    impact: allText(childOf(rule, 'rationale')),
    evidence: paragraphs(
      textsIn(result, 'message'),
      checks.map((check) => labelled('Check', check)),
    ),
    remediation: allText(childOf(rule, 'fixtext')),
    references: childrenOf(rule, 'reference')
      .map(({ attributes }) => attributes.href ?? '')
      .filter((href) => href.startsWith('http')),
    detectionId: idref,
    lastSeen: instantOf(time) ?? endedAt,
    controlType: 'detection',
  };
}

/** Of a STIG, whose description is elements in a text, the discussion. */
function descriptionOf(description: XmlElement | undefined): string | null {
  const text = allText(description);
  const begin = text?.indexOf('<VulnDiscussion>') ?? -1;
  if (text === null || begin < 0) return text;
  const [discussion] = text.slice(begin + '<VulnDiscussion>'.length).split('</VulnDiscussion>', 1);
  return discussion!.trim() || null;
}

/** An element's own text, and the texts of the elements in it. */
function allText(element: XmlElement | undefined): string | null {
  if (element === undefined) return null;
  return [element.text.trim(), ...element.children.map(allText)].filter(Boolean).join('\n') || null;
}
