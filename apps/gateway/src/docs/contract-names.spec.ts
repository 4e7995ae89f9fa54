import { beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { previewDocument } from './preview-document.ts';

/** The names of answers that outside programs rely on: further ones are welcome, these stay (decision 0160). */
const NAMES: readonly [operation: string, names: string][] = [
  ['post /api/v3/auth', 'accessToken status expiresIn'],
  [
    'post /api/v3/signals',
    'success message uploadId accepted ignored warnings.field warnings.message advice',
  ],
  [
    'post /api/v3/signals/zip',
    'success message uploadId accepted ignored rejected errors.entry errors.field errors.message warnings.entry',
  ],
  [
    'get /api/v3/uploads/{id}',
    'id kind receivedAt by accepted folded done outcome.created outcome.updated outcome.unchanged outcome.retired ' +
      'outcome.assetsCreated outcome.assetsUpdated outcome.ignored merged.name merged.assetId unrecognisedTags warnings',
  ],
  [
    'get /api/v3/assets/{id}',
    'id entityType name aliases hostname fqdn ipAddresses macAddresses type attackSurface department location ' +
      'criticality confidentialityRequirement integrityRequirement availabilityRequirement tags customFields sources ' +
      'firstSeen lastSeen updatedAt score findings.failed findings.qualified findings.accepted findings.notAssessed ' +
      'edr.controls edr.findings',
  ],
  [
    'get /api/v3/findings/{id}',
    'id assetId assetName type name description state severity.value severity.level severity.vector severity.baseScore ' +
      'severity.type cves techniques counted notCountedBecause instances.key instances.status instances.counted ' +
      'instances.evidence instances.tags remediation source controlType firstSeen lastSeen expiresAt observation ' +
      'accepted.by accepted.at accepted.rationale accepted.until heldFailed.by heldFailed.at overdueSince version ' +
      'updatedAt ssvc.decision ssvc.exploitation ssvc.automatable ssvc.technicalImpact ssvc.missionImpact epss ' +
      'kev.added kev.due kev.ransomware',
  ],
  [
    'get /api/v3/findings',
    'items.instanceCount items.ssvc.decision items.epss items.kev.added items.kev.due items.kev.ransomware nextCursor',
  ],
  [
    'get /api/v3/findings/{id}/history',
    'items.at items.change items.from items.to items.reason items.cause.kind items.cause.uploadId items.cause.entry ' +
      'items.cause.syncId items.cause.user items.position.topic items.position.partition items.position.offset',
  ],
  ...['organization', 'departments', 'locations', 'asset-types', 'attack-surfaces'].map(
    (group): [string, string] => [
      `get /api/v3/scores/${group}`,
      [
        'score breachLikelihood assets liveAssets scoredAssets at model catalogue likelihood.low likelihood.best',
        'likelihood.high likelihood.forecast.best likelihood.evidence.best expectedCompromised.low',
        'expectedCompromised.best expectedCompromised.high',
      ]
        .join(' ')
        .replaceAll(/\S+/g, (name) => (group === 'organization' ? name : `items.${name}`)),
    ],
  ),
  [
    'get /api/v3/assets/{id}/score',
    'score breachLikelihood contributions.findingId contributions.name contributions.probability contributions.share ' +
      'contributions.why model catalogue at likelihood.low likelihood.best likelihood.high likelihood.forecast.low ' +
      'likelihood.evidence.high',
  ],
  ['get /api/v3/scores/organization/history', 'items.at items.score items.breachLikelihood'],
  ['get /api/v3/me', 'kind id name scopes departments locations'],
  [
    'get /api/v3/settings',
    'scoringModel baseRate.low baseRate.best baseRate.high loss.currency loss.department loss.criticality loss.min ' +
      'loss.max clockSkewSecondsMax',
  ],
  ['post /api/v3/tokens', 'id token'],
  [
    'get /api/v3/security-events',
    'items.at items.kind items.outcome items.user items.token items.address items.reason',
  ],
  ['post /api/v3/reports', 'uploadId accepted ignored rejected format read mapped listed'],
  ['post /api/v3/erasures', 'id state erasedValues'],
  ['get /api/v3/audit', 'items.at items.user items.action items.target items.detail'],
];

let document: OpenAPIObject;
beforeAll(async () => {
  document = await previewDocument();
});

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** The variants of a schema without references, and the items of a list instead of it. */
function variantsOf(schema: Schema | undefined): Schema[] {
  if (!schema) return [];
  if (schema.$ref) {
    return variantsOf(document.components!.schemas![schema.$ref.split('/').at(-1)!] as Schema);
  }
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  return [schema, ...parts.flatMap(variantsOf), ...variantsOf(schema.items)];
}

const has = (schema: Schema | undefined, [name, ...rest]: string[]): boolean =>
  name === undefined
    ? schema !== undefined
    : variantsOf(schema).some(({ properties }) => has(properties?.[name], rest));

it.each(NAMES)('%s answers with the names of the contract', (operation, names) => {
  const [method, path] = operation.split(' ') as ['get' | 'post', string];
  const responses = document.paths[path]![method]!.responses as Record<
    string,
    { content?: Record<string, { schema: Schema }> }
  >;
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  const { schema } = answer.content!['application/json']!;
  expect(names.split(' ').filter((name) => !has(schema, name.split('.')))).toEqual([]);
});
