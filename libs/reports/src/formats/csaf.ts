import type { Finding, Format, FoundSeverity, ReadOptions, ReportItem } from '../format.ts';
import { cvssOf, inRange } from '../mapping/cvss.ts';
import { cvesIn, cwesIn } from '../mapping/ids.ts';
import { instantOf } from '../mapping/instants.ts';
import { labelled, paragraphs } from '../mapping/paragraphs.ts';
import { severityLevel } from '../mapping/severity-level.ts';
import { jsonElements, placeOf } from '../reading/json-elements.ts';
import { type JsonObject, listOf, numberOf, objectOf, textOf, textsOf } from '../reading/json-fields.ts';
import type { ReportFile } from '../reading/report-file.ts';
import { type CsafProduct, productsOf } from './csaf-products.ts';

/** Advisories and VEX documents of CSAF 2.0. */
export const csaf: Format = {
  name: 'csaf',
  aliases: [],
  title: 'CSAF 2.0, advisories and VEX (JSON)',
  noun: 'a CSAF 2.0 document with vulnerabilities',
  unit: 'a product of a vulnerability',
  source: 'CSAF',
  forms: [{ syntax: 'json', marks: ['$.document.csaf_version=2.0'], lists: ['$.vulnerabilities[]'] }],
  read,
};

/** What all vulnerabilities of a document share. */
interface Context {
  products: Map<string, CsafProduct>;
  /** Ids of products by the ids of their groups. */
  groups: Map<string, string[]>;
  releasedAt: string | null;
}

async function* read(file: ReportFile, { onProgress }: ReadOptions): AsyncGenerator<ReportItem> {
  const context = await readContext(file);
  yield { kind: 'asset', place: 'document', asset: null };
  for await (const { path, value } of jsonElements(file, ['$.vulnerabilities.*'], onProgress))
    yield* itemsOf(placeOf(path), objectOf(value), context);
}

async function readContext(file: ReportFile): Promise<Context> {
  const context: Context = {
    products: new Map(),
    groups: new Map(),
    releasedAt: null,
  };
  for await (const { path, value } of jsonElements(file, ['$.document.tracking', '$.product_tree'])) {
    if (path[0] === 'product_tree') {
      context.products = productsOf(objectOf(value));
      for (const group of listOf(objectOf(value).product_groups).map(objectOf))
        context.groups.set(textOf(group.group_id) ?? '', textsOf(group.product_ids));
    } else context.releasedAt = instantOf(textOf(objectOf(value).current_release_date));
  }
  return context;
}

const STATUSES: Record<string, Finding['status']> = {
  known_affected: 'fail',
  first_affected: 'fail',
  last_affected: 'fail',
  known_not_affected: 'pass',
  fixed: 'pass',
  first_fixed: 'pass',
  under_investigation: 'unknown',
};

function* itemsOf(place: string, vulnerability: JsonObject, context: Context): Generator<ReportItem> {
  const ids = listOf(vulnerability.ids).map((id) => textOf(objectOf(id).text));
  const id = [textOf(vulnerability.cve), ...ids, textOf(vulnerability.title)].find((text) => text !== null);
  const statuses = Object.entries(objectOf(vulnerability.product_status));
  const listed = statuses.flatMap(([status, list]) => textsOf(list).map((product) => ({ status, product })));
  if (listed.length === 0) {
    yield { kind: 'unmapped', place, name: id ?? 'vulnerability', reason: 'names no product' };
    return;
  }
  for (const { status, product } of listed) {
    const here = `${place}.${status}`;
    if (id === undefined) yield { kind: 'unmapped', place: here, name: product, reason: 'has no id' };
    else if (!Object.hasOwn(STATUSES, status))
      yield {
        kind: 'unmapped',
        place: here,
        name: id,
        reason: 'is not a statement about a product: recommended versions',
      };
    else yield findingOf(here, vulnerability, { id, ids, status, product }, context);
  }
}

interface Statement {
  id: string;
  ids: (string | null)[];
  status: string;
  /** Its id in the document. */
  product: string;
}

function findingOf(
  place: string,
  vulnerability: JsonObject,
  { id, ids, status, product }: Statement,
  { products, groups, releasedAt }: Context,
): Finding {
  const about = (list: unknown): JsonObject[] =>
    listOf(list)
      .map(objectOf)
      .filter((each) => concerns(each, product, groups));
  const { name, label, version, purl } = products.get(product) ?? {
    name: product,
    label: product,
    version: null,
    purl: null,
  };
  const notes = listOf(vulnerability.notes).map(objectOf);
  const description = notes.find((note) => note.category === 'description') ?? notes[0];
  const remediations = about(vulnerability.remediations);
  return {
    kind: 'finding',
    place,
    asset: null,
    type: 'va',
    name: `${id} in ${label}`,
    status: STATUSES[status]!,
    severity: severityOf(about(vulnerability.scores)),
    cves: cvesIn(id, ids),
    standards: {
      cwe: cwesIn(textOf(objectOf(vulnerability.cwe).id)),
      advisory: ids.filter((each) => each !== null),
    },
    description: paragraphs(textOf(vulnerability.title), textOf(description?.text)),
    evidence: paragraphs(
      `Status: ${status}`,
      labelled('Product', name),
      about(vulnerability.flags).map((flag) => labelled('Justification', textOf(flag.label))),
      about(vulnerability.threats).map((threat) => labelled('Threat', textOf(threat.details))),
    ),
    remediation: paragraphs(remediations.map(({ details }) => textOf(details))),
    references: [
      ...remediations.map(({ url }) => textOf(url)),
      ...listOf(vulnerability.references).map((each) => textOf(objectOf(each).url)),
    ].filter((url) => url !== null),
    detectionId: name,
    tags: {
      package: [label],
      ...(version !== null && { version: [version] }),
      ...(purl !== null && { purl: [purl] }),
    },
    lastSeen: releasedAt,
    controlType: 'detection',
  };
}

/** Whether a part of a vulnerability is about a product. A part that names no product is about all. */
function concerns(part: JsonObject, product: string, groups: Map<string, string[]>): boolean {
  const grouped = textsOf(part.group_ids);
  const named = [...textsOf(part.product_ids), ...textsOf(part.products)];
  if (named.length + grouped.length === 0) return true;
  return named.includes(product) || grouped.some((group) => groups.get(group)?.includes(product));
}

/** The newest CVSS among the scores of a product. */
function severityOf(scores: JsonObject[]): FoundSeverity {
  for (const { field, version } of [
    { field: 'cvss_v4', version: '4.0' },
    { field: 'cvss_v3', version: '3.1' },
    { field: 'cvss_v2', version: '2.0' },
  ]) {
    for (const score of scores) {
      const cvss = objectOf(score[field]);
      const baseScore = numberOf(cvss.baseScore);
      if (inRange(baseScore) === null) continue;
      return {
        value: baseScore,
        level: severityLevel(textOf(cvss.baseSeverity)),
        cvss: cvssOf({
          version: textOf(cvss.version) ?? version,
          vector: textOf(cvss.vectorString),
          baseScore,
        }),
      };
    }
  }
  return {};
}
