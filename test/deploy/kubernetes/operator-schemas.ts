import { Ajv, type SchemaObject } from 'ajv';

// The permitted fields of the operators' objects, closed: a misspelt field is an error. No registry of packages has the
// definitions of these operators; the fields are those of Strimzi 1.0 (kafka.strimzi.io/v1), CloudNativePG 1.30, KEDA 2
// and Cilium that are used here.

const text = { type: 'string', minLength: 1 };
const whole = { type: 'integer', minimum: 0 };
const flag = { type: 'boolean' };
const oneOf = (...values: string[]) => ({ enum: values });
const list = (items: SchemaObject) => ({ type: 'array', items, minItems: 1 });
const map = (values: SchemaObject) => ({ type: 'object', additionalProperties: values });
const closed = (properties: Record<string, SchemaObject>, required: string[] = []): SchemaObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const labelSelector = closed({
  matchLabels: map(text),
  matchExpressions: list(closed({ key: text, operator: text, values: list(text) }, ['key', 'operator'])),
});
const quantity = { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[0-9.]+(m|[KMGT]i)?$' }] };
const resources = closed({
  requests: closed({ cpu: quantity, memory: quantity }),
  limits: closed({ cpu: quantity, memory: quantity }),
});
const podTemplate = closed({
  securityContext: closed({ runAsNonRoot: flag, seccompProfile: closed({ type: oneOf('RuntimeDefault') }) }),
  topologySpreadConstraints: list(
    closed({
      maxSkew: whole,
      topologyKey: text,
      whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
      labelSelector,
    }),
  ),
});
const containerTemplate = closed({
  securityContext: closed({ allowPrivilegeEscalation: flag, capabilities: closed({ drop: list(text) }) }),
});

const kafka = closed(
  {
    clusterCa: closed({ validityDays: whole, renewalDays: whole }),
    kafka: closed(
      {
        version: text,
        metadataVersion: text,
        listeners: list(
          closed(
            {
              name: { type: 'string', pattern: '^[a-z0-9]{1,11}$' },
              port: { type: 'integer', minimum: 9092 },
              type: oneOf(
                'internal',
                'cluster-ip',
                'loadbalancer',
                'nodeport',
                'ingress',
                'route',
                'tlsroute',
              ),
              tls: flag,
              authentication: closed({ type: oneOf('tls', 'scram-sha-512', 'custom') }, ['type']),
              networkPolicyPeers: list(
                closed({ podSelector: labelSelector, namespaceSelector: labelSelector }),
              ),
            },
            ['name', 'port', 'type', 'tls'],
          ),
        ),
        authorization: closed({ type: oneOf('simple', 'custom') }, ['type']),
        config: map({ type: ['string', 'number', 'boolean'] }),
        rack: closed({ topologyKey: text }, ['topologyKey']),
      },
      ['listeners'],
    ),
    entityOperator: closed({
      template: closed({ pod: podTemplate, userOperatorContainer: containerTemplate }),
      userOperator: closed({ resources }),
    }),
  },
  ['kafka'],
);

const nodePool = closed(
  {
    replicas: whole,
    roles: list(oneOf('controller', 'broker')),
    storage: closed(
      {
        type: oneOf('jbod', 'persistent-claim', 'ephemeral'),
        volumes: list(
          closed(
            {
              id: whole,
              type: oneOf('persistent-claim', 'ephemeral'),
              size: quantity,
              class: text,
              kraftMetadata: oneOf('shared'),
              deleteClaim: flag,
            },
            ['type'],
          ),
        ),
      },
      ['type'],
    ),
    resources,
    jvmOptions: closed({
      '-Xms': { type: 'string', pattern: '^[0-9]+[mMgG]$' },
      '-Xmx': { type: 'string', pattern: '^[0-9]+[mMgG]$' },
    }),
    template: closed({
      pod: podTemplate,
      kafkaContainer: containerTemplate,
      initContainer: containerTemplate,
    }),
  },
  ['replicas', 'storage', 'roles'],
);

const kafkaUser = closed({
  authentication: closed({ type: oneOf('tls', 'tls-external', 'scram-sha-512') }, ['type']),
  authorization: closed(
    {
      type: oneOf('simple'),
      acls: list(
        closed(
          {
            type: oneOf('allow', 'deny'),
            resource: closed(
              {
                type: oneOf('topic', 'group', 'cluster', 'transactionalId'),
                name: text,
                patternType: oneOf('literal', 'prefix'),
              },
              ['type'],
            ),
            host: text,
            operations: list(
              oneOf(
                'Read',
                'Write',
                'Create',
                'Delete',
                'Alter',
                'Describe',
                'ClusterAction',
                'AlterConfigs',
                'DescribeConfigs',
                'IdempotentWrite',
                'All',
              ),
            ),
          },
          ['resource', 'operations'],
        ),
      ),
    },
    ['type', 'acls'],
  ),
});

const postgres = closed(
  {
    imageName: text,
    instances: { type: 'integer', minimum: 1 },
    enablePDB: flag,
    primaryUpdateStrategy: oneOf('unsupervised', 'supervised'),
    primaryUpdateMethod: oneOf('switchover', 'restart'),
    bootstrap: closed({
      initdb: closed({
        database: text,
        owner: text,
        encoding: text,
        localeProvider: text,
        builtinLocale: text,
        locale: text,
        dataChecksums: flag,
      }),
    }),
    managed: closed({
      roles: list(
        closed(
          { name: text, login: flag, inRoles: list(text), passwordSecret: closed({ name: text }, ['name']) },
          ['name'],
        ),
      ),
    }),
    postgresql: closed({
      // PostgreSQL's own settings, always as text.
      parameters: map({ type: 'string' }),
      synchronous: closed(
        { method: oneOf('any', 'first'), number: whole, dataDurability: oneOf('required', 'preferred') },
        ['method', 'number'],
      ),
    }),
    storage: closed({ size: quantity, storageClass: text }),
    walStorage: closed({ size: quantity, storageClass: text }),
    resources,
    affinity: closed({
      enablePodAntiAffinity: flag,
      topologyKey: text,
      podAntiAffinityType: oneOf('preferred', 'required'),
    }),
  },
  ['instances'],
);

// KEDA reads only strings.
const count: SchemaObject = { type: 'string', pattern: '^[1-9][0-9]*$' };
const trigger = (type: string, metadata: Record<string, SchemaObject>, required: string[]) =>
  closed(
    {
      type: oneOf(type),
      metadata: closed(metadata, required),
      authenticationRef: closed({ name: text }, ['name']),
    },
    ['type', 'metadata'],
  );

const scaledObject = closed(
  {
    scaleTargetRef: closed({ apiVersion: text, kind: text, name: text }, ['name']),
    pollingInterval: whole,
    cooldownPeriod: whole,
    minReplicaCount: whole,
    maxReplicaCount: whole,
    fallback: closed(
      {
        failureThreshold: whole,
        replicas: whole,
        behavior: oneOf('static', 'currentReplicas', 'currentReplicasIfHigher', 'currentReplicasIfLower'),
      },
      ['failureThreshold', 'replicas'],
    ),
    advanced: closed({
      horizontalPodAutoscalerConfig: closed({
        behavior: closed({
          scaleDown: closed({ stabilizationWindowSeconds: whole }),
          scaleUp: closed({ stabilizationWindowSeconds: whole }),
        }),
      }),
    }),
    triggers: list({
      oneOf: [
        trigger(
          'kafka',
          {
            bootstrapServers: text,
            consumerGroup: text,
            topic: text,
            lagThreshold: count,
            offsetResetPolicy: oneOf('latest', 'earliest'),
            allowIdleConsumers: oneOf('true', 'false'),
            sasl: oneOf('none', 'plaintext', 'scram_sha256', 'scram_sha512'),
            tls: oneOf('enable', 'disable'),
          },
          ['bootstrapServers', 'consumerGroup'],
        ),
        trigger(
          'metrics-api',
          {
            url: text,
            format: oneOf('json', 'xml', 'yaml', 'prometheus'),
            valueLocation: text,
            targetValue: count,
            authMode: oneOf('apiKey', 'basic', 'tls', 'bearer'),
          },
          ['url', 'valueLocation', 'targetValue'],
        ),
      ],
    }),
  },
  ['scaleTargetRef', 'triggers'],
);

const targetRefs = list(closed({ parameter: text, name: text, key: text }, ['parameter', 'name', 'key']));
const triggerAuthentication = closed({ secretTargetRef: targetRefs, configMapTargetRef: targetRefs });

const egressGateway = closed(
  {
    selectors: list(closed({ podSelector: labelSelector, namespaceSelector: labelSelector })),
    destinationCIDRs: list(text),
    egressGateway: closed({ nodeSelector: labelSelector, egressIP: text }, ['nodeSelector']),
  },
  ['selectors', 'destinationCIDRs'],
);

const SPECS: Record<string, SchemaObject> = {
  'kafka.strimzi.io/v1 Kafka': kafka,
  'kafka.strimzi.io/v1 KafkaNodePool': nodePool,
  'kafka.strimzi.io/v1 KafkaUser': kafkaUser,
  'postgresql.cnpg.io/v1 Cluster': postgres,
  'keda.sh/v1alpha1 ScaledObject': scaledObject,
  'keda.sh/v1alpha1 TriggerAuthentication': triggerAuthentication,
  'cilium.io/v2 CiliumEgressGatewayPolicy': egressGateway,
};

/** Whether an operator, not Kubernetes itself, defines the kind. */
export const isOfOperator = ({ apiVersion, kind }: { apiVersion: string; kind: string }): boolean =>
  `${apiVersion} ${kind}` in SPECS;

/** The errors of an operator's object, field by field. */
export function problemsOf(manifest: { apiVersion: string; kind: string }): string[] {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const metadata = closed({ name: text, namespace: text, labels: map(text) }, ['name']);
  const check = ajv.compile(
    closed(
      { apiVersion: text, kind: text, metadata, spec: SPECS[`${manifest.apiVersion} ${manifest.kind}`]! },
      ['metadata', 'spec'],
    ),
  );
  if (check(manifest)) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
