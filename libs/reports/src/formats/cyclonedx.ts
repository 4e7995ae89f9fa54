import type { Format, ReadOptions, ReportItem } from '../format.ts';
import { instantOf } from '../mapping/instants.ts';
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
import { childOf, childrenOf, textIn, textsIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';
import {
  type Component,
  type CycloneVulnerability,
  cycloneItems,
  type Subject,
} from './cyclonedx-vulnerability.ts';

/** CycloneDX with vulnerabilities: VEX, VDR, and reports of scanners. */
export const cyclonedx: Format = {
  name: 'cyclonedx',
  aliases: ['cyclonedx-vex', 'vex'],
  title: 'CycloneDX VEX and other documents with vulnerabilities (JSON and XML)',
  noun: 'a CycloneDX document with vulnerabilities',
  unit: 'a component that a vulnerability affects, or a vulnerability without components',
  source: 'CycloneDX',
  namesApplications: true,
  forms: [
    { syntax: 'json', marks: ['$.bomFormat=CycloneDX'], lists: ['$.vulnerabilities[]'] },
    {
      syntax: 'xml',
      marks: ['/bom@xmlns=http://cyclonedx.org/schema/bom/*'],
      lists: ['/bom/vulnerabilities', '//v:vulnerabilities'],
    },
  ],
  read: (file, options) => (file.syntax === 'xml' ? readXml(file, options) : readJson(file, options)),
};

const emptySubject = (asset: string | null): Subject => ({
  asset: asset === null ? null : { name: asset },
  seenAt: null,
  components: new Map(),
});

/** `name:version`, as images and packages are called. */
function setAsset(subject: Subject, component: Component | null): void {
  if (component === null) return;
  const { name, version } = component;
  subject.asset ??= { name: version === null ? name : `${name}:${version}` };
}

async function* readJson(file: ReportFile, { asset, onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const subject = emptySubject(asset);
  const context = ['$.metadata.timestamp', '$.metadata.component', '$.components.*', '$.services.*'];
  for await (const { path, value } of jsonElements(file, context)) {
    if (path[1] === 'timestamp') subject.seenAt = instantOf(textOf(value));
    else {
      if (path[0] === 'metadata') setAsset(subject, componentOf(objectOf(value)));
      addComponents(objectOf(value), subject.components);
    }
  }
  if (subject.asset) yield { kind: 'asset', place: 'metadata', asset: subject.asset };
  for await (const { path, value } of jsonElements(file, ['$.vulnerabilities.*'], onProgress)) {
    yield* cycloneItems(ofJson(placeOf(path), objectOf(value)), subject);
  }
}

function componentOf(value: JsonObject): Component | null {
  const name = textOf(value.name);
  return name === null
    ? null
    : {
        ref: textOf(value['bom-ref']) ?? textOf(value.purl),
        name: [textOf(value.group), name].filter((part) => part).join('/'),
        version: textOf(value.version),
        purl: textOf(value.purl),
      };
}

/** Components may hold others. */
function addComponents(value: JsonObject, components: Map<string, Component>): void {
  const component = componentOf(value);
  if (component && component.ref !== null) components.set(component.ref, component);
  for (const inner of [...listOf(value.components), ...listOf(value.services)])
    addComponents(objectOf(inner), components);
}

function ofJson(place: string, value: JsonObject): CycloneVulnerability {
  const analysis = objectOf(value.analysis);
  return {
    place,
    id: textOf(value.id),
    source: textOf(objectOf(value.source).name),
    references: listOf(value.references)
      .map((each) => textOf(objectOf(each).id))
      .filter((id) => id !== null),
    ratings: listOf(value.ratings)
      .map(objectOf)
      .map((rating) => ({
        score: numberOf(rating.score),
        severity: textOf(rating.severity),
        method: textOf(rating.method),
        vector: textOf(rating.vector),
      })),
    cwes: listOf(value.cwes).map(textOf),
    description: textOf(value.description),
    detail: textOf(value.detail),
    recommendation: firstOf(textOf(value.recommendation), textOf(value.workaround)),
    links: [
      textOf(objectOf(value.source).url),
      ...listOf(value.advisories).map((each) => textOf(objectOf(each).url)),
    ].filter((url) => url !== null),
    state: textOf(analysis.state),
    justification: textOf(analysis.justification),
    responses: textsOf(analysis.response),
    analysis: textOf(analysis.detail),
    affects: listOf(value.affects)
      .map(objectOf)
      .map((affected) => ({
        ref: textOf(affected.ref),
        ...versionsOf(
          listOf(affected.versions)
            .map(objectOf)
            .map((each) => ({
              version: textOf(each.version) ?? textOf(each.range),
              status: textOf(each.status),
            })),
        ),
      })),
    firstSeen: instantOf(textOf(analysis.firstIssued)),
    updated: instantOf(textOf(analysis.lastUpdated)),
  };
}

const versionsOf = (versions: { version: string | null; status: string | null }[]) => ({
  versions: versions.map(({ version, status }) =>
    [version, status === null ? null : `(${status})`].filter((part) => part).join(' '),
  ),
  statuses: versions.map(({ status }) => status),
});

async function* readXml(file: ReportFile, { asset, onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const subject = emptySubject(asset);
  const parts = {
    elements: ['metadata/timestamp', 'metadata/component', 'components/component', 'services/service'],
    marks: [],
  };
  for await (const event of xmlEvents(file, parts)) {
    if (event.kind !== 'element') continue;
    const { element } = event;
    if (element.name === 'timestamp') subject.seenAt = instantOf(element.text);
    else addXmlComponents(element, subject.components);
  }
  setAsset(subject, await subjectOfXml(file));
  if (subject.asset) yield { kind: 'asset', place: 'metadata', asset: subject.asset };
  for await (const { element, within } of xmlVulnerabilities(file, onProgress)) {
    yield* cycloneItems({ ...ofXml(withoutPrefix(element)), within }, subject);
  }
}

const VULNERABILITIES = ['vulnerabilities/vulnerability', 'v:vulnerabilities/v:vulnerability'];
/** Paths of components: components of a pedigree are not the surrounding component. */
const COMPONENTS = ['metadata', 'components', 'ancestors', 'descendants', 'variants'];
const COMPONENT_PARTS = ['group', 'name', 'version', 'purl'];

/** Each with the component that it is in; null if all of them stand together. */
async function* xmlVulnerabilities(
  file: ReportFile,
  onProgress: ReadOptions['onProgress'],
): AsyncGenerator<{ element: XmlElement; within: Component | null }> {
  const parts = {
    elements: [...VULNERABILITIES, ...COMPONENT_PARTS.map((name) => `component/${name}`)],
    marks: COMPONENTS.map((outer) => `${outer}/component`),
  };
  /** Open components, the outermost first, with the values read so far. */
  const around: XmlElement[] = [];
  for await (const event of xmlEvents(file, parts, onProgress)) {
    if (event.kind === 'begin') around.push({ ...event, text: '', children: [] });
    else if (event.kind === 'end') around.pop();
    else if (COMPONENT_PARTS.includes(event.element.name)) around.at(-1)?.children.push(event.element);
    else {
      const component = around.at(-1);
      yield { element: event.element, within: component ? xmlComponent(component) : null };
    }
  }
}

/** Before version 1.4 vulnerabilities were an extension, with a prefix and within their component. */
const withoutPrefix = (element: XmlElement): XmlElement => ({
  ...element,
  name: element.name.replace(/^v:/, ''),
  children: element.children.map(withoutPrefix),
});

async function subjectOfXml(file: ReportFile): Promise<Component | null> {
  for await (const event of xmlEvents(file, { elements: ['metadata/component'], marks: [] })) {
    if (event.kind === 'element') return xmlComponent(event.element);
  }
  return null;
}

function xmlComponent(element: XmlElement): Component | null {
  const name = textIn(element, 'name');
  return name === null
    ? null
    : {
        ref: element.attributes['bom-ref'] || textIn(element, 'purl'),
        name: [textIn(element, 'group'), name].filter((part) => part).join('/'),
        version: textIn(element, 'version'),
        purl: textIn(element, 'purl'),
      };
}

function addXmlComponents(element: XmlElement, components: Map<string, Component>): void {
  const component = xmlComponent(element);
  if (component && component.ref !== null) components.set(component.ref, component);
  for (const list of ['components', 'services']) {
    for (const inner of childOf(element, list)?.children ?? []) addXmlComponents(inner, components);
  }
}

function ofXml(element: XmlElement): CycloneVulnerability {
  const analysis = childOf(element, 'analysis');
  const number = (text: string | null) => numberOf(text);
  return {
    place: `line ${element.line}`,
    id: textIn(element, 'id'),
    source: textIn(childOf(element, 'source'), 'name') ?? childOf(element, 'source')?.attributes.name ?? null,
    references: childrenOf(childOf(element, 'references'), 'reference')
      .map((each) => textIn(each, 'id'))
      .filter((id) => id !== null),
    ratings: childrenOf(childOf(element, 'ratings'), 'rating').map((rating) => ({
      score: number(textIn(childOf(rating, 'score'), 'base') ?? textIn(rating, 'score')),
      severity: textIn(rating, 'severity'),
      method: textIn(rating, 'method'),
      vector: textIn(rating, 'vector'),
    })),
    cwes: textsIn(childOf(element, 'cwes'), 'cwe'),
    description: textIn(element, 'description'),
    detail: textIn(element, 'detail'),
    recommendation:
      textIn(element, 'recommendation') ??
      textIn(childOf(element, 'recommendations'), 'recommendation') ??
      textIn(element, 'workaround'),
    links: [
      textIn(childOf(element, 'source'), 'url'),
      ...childrenOf(childOf(element, 'advisories'), 'advisory').map(
        (each) => textIn(each, 'url') ?? each.text.trim(),
      ),
    ].filter((url) => url !== null),
    state: textIn(analysis, 'state'),
    justification: textIn(analysis, 'justification'),
    responses: textsIn(childOf(analysis, 'responses'), 'response'),
    analysis: textIn(analysis, 'detail'),
    affects: [
      ...(element.attributes.ref ? [{ ref: element.attributes.ref, ...versionsOf([]) }] : []),
      ...childrenOf(childOf(element, 'affects'), 'target').map((target) => ({
        ref: textIn(target, 'ref'),
        ...versionsOf(
          childrenOf(childOf(target, 'versions'), 'version').map((each) => ({
            version: textIn(each, 'version') ?? textIn(each, 'range'),
            status: textIn(each, 'status'),
          })),
        ),
      })),
    ],
    firstSeen: instantOf(textIn(analysis, 'firstIssued')),
    updated: instantOf(textIn(analysis, 'lastUpdated')),
  };
}
