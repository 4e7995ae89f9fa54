/** The import rules: which part may depend on which. */
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    only('no-circular', 'a cycle has no reading order', {}, { circular: true }),
    only(
      'libs-import-no-app',
      'libraries do not know the programs',
      { path: '^libs/', pathNot: '\\.spec\\.ts$' },
      { path: '^apps/' },
    ),
    only(
      'domain-is-pure',
      'the domain imports its own folder and small pure packages: no I/O, no clock, no Nest',
      { path: '^libs/domain/', pathNot: '\\.spec\\.ts$' },
      {
        pathNot: [
          '^libs/domain/',
          'node_modules/(ipaddr\\.js|uuid|ae-cvss-calculator)/',
          '^node:crypto$',
          '^crypto$',
        ],
      },
    ),
    only(
      'views-only-say',
      'the words of the API are one for readers, subscribers and the command line: they know no store',
      { path: '^libs/views/' },
      { path: '^(libs|node_modules)/', pathNot: '^libs/(views|domain|catalogue)/' },
    ),
    only(
      'fold-knows-no-store',
      'who folds brings the records and the states: of logs and databases the fold has types alone',
      { path: '^libs/fold/', pathNot: '\\.spec\\.ts$' },
      { pathNot: '^libs/(fold|domain|contracts)/', dependencyTypesNot: ['type-only'] },
    ),
    only(
      'tables-only-describe',
      'what readers need of the folded tables is beside the connection, not beside the writers',
      { path: '^libs/tables/', pathNot: '\\.spec\\.ts$' },
      { pathNot: ['^libs/(tables|database|domain|fold)/', 'node_modules/kysely/'] },
    ),
    only(
      'readers-do-not-write-tables',
      'the projector and the replay write the folded tables; everything else reads them with libs/tables',
      {
        pathNot: ['^(libs/(projection|replay)|apps/projector|bench|test)/', '\\.spec\\.ts$'],
      },
      { path: '^libs/projection/' },
    ),
    only(
      'projection-only-writes',
      'the write side folds, loads what it folds into, and writes',
      { path: '^libs/projection/', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/', pathNot: '^libs/(projection|fold|tables|database|domain|event-log|telemetry)/' },
    ),
    only(
      'publishers-alone-publish',
      'a change has its name and record from libs/changes: streams and webhooks do without publishers',
      {
        pathNot: [
          '^(libs/publish|apps/(projector|scorer)/src/publish|test)/',
          '^apps/gateway/src/inbox/refused-signals\\.ts$',
        ],
      },
      { path: '^libs/publish/' },
    ),
    only(
      'kafka-only-in-event-log',
      'one adapter speaks Kafka',
      { pathNot: '^(libs/event-log/|test/fixtures/event-log/|bench/)' },
      { path: 'node_modules/kafkajs/' },
    ),
    only(
      'pg-only-in-database-and-its-log',
      'connections are made in one place',
      { pathNot: '^(libs/database/|libs/event-log/src/postgres/|bench/)' },
      { path: 'node_modules/pg/' },
    ),
    only(
      'apps-stand-alone',
      'an app imports no other app; standalone composes them',
      { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    only(
      'feature-registers-its-own',
      'a module of the gateway registers what is in its folder; of other folders it imports the modules',
      { path: '^apps/gateway/src/([^/]+)/[^/]+\\.module\\.ts$' },
      {
        path: '^apps/gateway/src/',
        pathNot: '^apps/gateway/src/($1/|tokens\\.ts$|[^/]+/[^/]+\\.module\\.ts$)',
      },
    ),
    only(
      'gateway-lists-modules',
      'the module of the gateway lists the modules of its folders',
      { path: '^apps/gateway/src/gateway\\.module\\.ts$' },
      { path: '^(apps|libs)/', pathNot: '\\.module\\.ts$' },
    ),
    only(
      'nothing-knows-bench',
      'what is measured does not know what measures it',
      { pathNot: '^bench/' },
      { path: '^bench/' },
    ),
    only(
      'service-knows-no-sample-data',
      'invented data is for the demo, benchmarks and tests',
      { path: '^(apps|libs)/', pathNot: '^(libs/sample-data/|apps/cli/src/demo/)|\\.spec\\.ts$' },
      { path: '^libs/sample-data/' },
    ),
    only(
      'baseline-shares-nothing',
      'a baseline is a bare program: of the product it takes the decoding of events alone',
      { path: '^bench/src/baseline/', pathNot: '(\\.spec|/answer-json)\\.ts$' },
      { path: '^(apps|libs)/', pathNot: '^libs/(contracts|domain)/src/index\\.ts$' },
    ),
    only(
      'json-baseline-appends',
      'what is bare beside the JSON endpoint is all but the log itself',
      { path: '^bench/src/baseline/answer-json\\.ts$' },
      { path: '^(apps|libs)/', pathNot: '^libs/event-log/src/index\\.ts$' },
    ),
    only(
      'test-code-only-in-tests',
      'fixtures, contracts and helpers of tests are in test/, which is not built',
      { pathNot: '(\\.spec\\.ts$|^test/)' },
      { path: '^test/' },
    ),
    only(
      'simulators-share-nothing',
      'what stands in for the vendors knows nothing of the product',
      { path: '^apps/simulators/', pathNot: '\\.spec\\.ts$' },
      { path: '^(apps|libs)/', pathNot: '^apps/simulators/' },
    ),
    only(
      'console-knows-http-alone',
      'the console runs in a browser: of the service it knows the HTTP interface',
      { path: '^apps/console/src/' },
      { path: ['^(apps|libs)/', '^node:'], pathNot: '^apps/console/src/' },
    ),
    only(
      'client-stands-alone',
      'the client is published, for Node and browsers: it imports its own folder and what its package.json names',
      { path: '^client/src/', pathNot: '\\.spec\\.ts$' },
      { pathNot: '^client/src/|node_modules/openapi-fetch/' },
    ),
    only(
      'service-knows-no-client',
      'the command line uses the client, and the console its types; the rest of the service does without it',
      { path: '^(apps|libs|bench)/', pathNot: '^apps/(cli/src/|console/src/api/schema\\.ts$)' },
      { path: '^client/' },
    ),
    // It contains nothing but types.
    only(
      'no-unresolvable',
      'an import must resolve',
      {},
      { couldNotResolve: true, pathNot: '^@octokit/openapi-types$' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
