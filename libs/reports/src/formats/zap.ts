import type { Form } from '../form.ts';
import type { Format, ReadOptions, ReportItem } from '../format.ts';
import { instantOf } from '../mapping/instants.ts';
import { jsonElements, placeOf } from '../reading/json-elements.ts';
import { listOf, objectOf, textOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { childOf, childrenOf, textIn, type XmlElement, xmlEvents } from '../reading/xml-events.ts';
import { type ZapAlert, type ZapInstance, type ZapSite, zapItems, zapSite } from './zap-alert.ts';

/** The traditional reports of ZAP, with or without requests and responses. */
export const zap: Format = {
  name: 'zap',
  aliases: ['owasp-zap', 'zap-json', 'zap-xml'],
  title: 'OWASP ZAP (JSON and XML)',
  noun: 'a ZAP report',
  unit: 'an instance of an alert, or an alert without instances',
  source: 'ZAP',
  forms: [
    { syntax: 'xml', marks: ['/OWASPZAPReport'], lists: ['/OWASPZAPReport/site'] },
    ...['$.@programName', '$.@generated'].map(
      (mark): Form => ({
        syntax: 'json',
        marks: ['$.@version', mark],
        lists: ['$.site[]'],
        // GitLab's DAST wrote ZAP's sites in addition to its own list.
        foreign: ['$.vulnerabilities[]'],
      }),
    ),
  ],
  read: (file, options) => (file.syntax === 'xml' ? readXml(file, options) : readJson(file, options)),
};

async function* readXml(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const parts = {
    elements: ['alerts/alertitem'],
    marks: ['/OWASPZAPReport', 'OWASPZAPReport/site', 'site/alerts'],
  };
  let seenAt: string | null = null;
  let site: ZapSite | null = null;
  for await (const event of xmlEvents(file, parts, onProgress)) {
    if (event.kind === 'begin' && event.name === 'OWASPZAPReport') {
      seenAt = instantOf(event.attributes.created) ?? instantOf(event.attributes.generated);
    } else if (event.kind === 'begin' && event.name === 'site') {
      const { name, host, port } = event.attributes;
      site = zapSite({ name: textOf(name), host: textOf(host), port: textOf(port), seenAt });
    } else if (event.kind === 'end') {
      if (event.name === 'site') site = null;
    } else if (event.kind === 'begin') {
      if (site?.asset) yield { kind: 'asset', place: `line ${event.line}`, asset: site.asset };
    } else {
      const { element } = event;
      yield* zapItems(
        alertOf(`line ${element.line}`, (name) => textIn(element, name), instancesOf(element)),
        site ?? nameless(seenAt),
      );
    }
  }
}

/** Of alerts outside of a site. */
const nameless = (seenAt: string | null): ZapSite => zapSite({ name: null, host: null, port: null, seenAt });

const instancesOf = (alert: XmlElement): ZapInstance[] =>
  childrenOf(childOf(alert, 'instances'), 'instance').map((instance) =>
    instanceOf(`line ${instance.line}`, (name) => textIn(instance, name)),
  );

async function* readJson(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const sites = new Map<string | number, { name: string | null; host: string | null; port: string | null }>();
  const assessed = new Set<string | number>();
  let seenAt: string | null = null;
  const names = ['@name', '@host', '@port', 'alerts[]'].map((name) => `$.site.*.${name}`);
  for await (const { path, value } of jsonElements(file, ['$.created', '$.@generated', ...names])) {
    const text = textOf(value);
    if (path[0] === 'created') seenAt = instantOf(text) ?? seenAt;
    else if (path[0] === '@generated') seenAt ??= instantOf(text);
    else if (path[2] === 'alerts') assessed.add(path[1]!);
    else {
      const site = sites.get(path[1]!) ?? { name: null, host: null, port: null };
      sites.set(path[1]!, { ...site, [String(path[2]).slice(1)]: text });
    }
  }
  const known = new Map([...sites].map(([index, site]) => [index, zapSite({ ...site, seenAt })] as const));
  for (const [index, { asset }] of known)
    if (asset && assessed.has(index)) yield { kind: 'asset', place: `site[${index}]`, asset };
  for await (const { path, value } of jsonElements(file, ['$.site.*.alerts.*'], onProgress)) {
    const alert = objectOf(value);
    const place = placeOf(path);
    const instances = listOf(alert.instances).map((instance, i) =>
      instanceOf(`${place}.instances[${i}]`, (name) => textOf(objectOf(instance)[name])),
    );
    yield* zapItems(
      alertOf(place, (name) => textOf(alert[name]), instances),
      known.get(path[1]!) ?? nameless(seenAt),
    );
  }
}

const alertOf = (
  place: string,
  text: (name: string) => string | null,
  instances: ZapInstance[],
): ZapAlert => ({
  place,
  pluginId: text('pluginid'),
  alertRef: text('alertRef'),
  name: text('name') ?? text('alert'),
  riskCode: text('riskcode'),
  confidence: text('confidence'),
  description: text('desc'),
  solution: text('solution'),
  otherInfo: text('otherinfo'),
  reference: text('reference'),
  cweId: text('cweid'),
  wascId: text('wascid'),
  count: text('count'),
  instances,
});

const instanceOf = (place: string, text: (name: string) => string | null): ZapInstance => ({
  place,
  uri: text('uri'),
  method: text('method'),
  param: text('param'),
  attack: text('attack'),
  evidence: text('evidence'),
  otherInfo: text('otherinfo'),
});
