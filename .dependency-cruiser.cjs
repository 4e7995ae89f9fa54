/** The import rules of the design: who may depend on whom. */
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
      'kafka-only-in-event-log',
      'one adapter speaks Kafka',
      { pathNot: '^(libs/event-log/|bench/)' },
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
      'nothing-knows-bench',
      'what is measured does not know what measures it',
      { pathNot: '^bench/' },
      { path: '^bench/' },
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
      'testing-only-in-tests',
      'what tests are made of is not built',
      { pathNot: '(\\.(spec|contract)\\.ts$|/testing/|^test/)' },
      { path: '/testing/', pathNot: 'node_modules/' },
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
      { path: '^client/src/', pathNot: '(\\.spec\\.ts$|/testing/)' },
      { pathNot: '^client/src/|node_modules/openapi-fetch/' },
    ),
    only(
      'service-knows-no-client',
      'of the client the console has the types; the rest of the service does without it',
      { path: '^(apps|libs|bench)/', pathNot: '^apps/console/src/api/schema\\.ts$' },
      { path: '^client/' },
    ),
    only('no-unresolvable', 'an import must resolve', {}, { couldNotResolve: true }),
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
