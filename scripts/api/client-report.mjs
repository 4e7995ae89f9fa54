// The exported types of the built client, as API Extractor reports them.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { Extractor, ExtractorConfig } = createRequire(import.meta.url)('@microsoft/api-extractor');

/** Generated from the OpenAPI document, which has its own report. */
const GENERATED =
  'export interface paths {}\nexport interface components {}\nexport interface operations {}\n';
const SILENT = { default: { logLevel: 'none' } };

/**
 * @param {string} root folder of the built project
 * @returns {string} the report in Markdown
 */
export function clientReport(root) {
  // Outside the project folder, which CI copies at the same time.
  const folder = mkdtempSync(join(tmpdir(), 'posture-api-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    cpSync(join(root, 'client/package.json'), join(folder, 'package.json'));
    cpSync(join(root, 'client/dist'), join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'dist/schema.d.ts'), GENERATED);
    return extract(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function extract(folder) {
  mkdirSync(join(folder, 'report'));
  const { errorCount } = Extractor.invoke(ExtractorConfig.prepare(configuration(folder)), {
    localBuild: true,
    messageCallback: (message) => {
      if (message.logLevel !== 'error') message.handled = true;
    },
  });
  if (errorCount > 0) throw new Error('API Extractor cannot report the types of the client');
  const [report] = readdirSync(join(folder, 'report'));
  return readFileSync(join(folder, 'report', report), 'utf8');
}

const configuration = (folder) => ({
  packageJsonFullPath: join(folder, 'package.json'),
  configObjectFullPath: undefined,
  configObject: {
    projectFolder: folder,
    mainEntryPointFilePath: join(folder, 'dist/index.d.ts'),
    newlineKind: 'lf',
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
          target: 'es2022',
          module: 'nodenext',
          moduleResolution: 'nodenext',
          strict: true,
          skipLibCheck: true,
          types: [],
        },
        include: ['dist'],
      },
    },
    apiReport: {
      enabled: true,
      reportFolder: join(folder, 'report'),
      reportTempFolder: join(folder, 'temporary'),
      reportFileName: 'client',
      includeForgottenExports: true,
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    // The project does not follow its rules on release tags and comments.
    messages: {
      extractorMessageReporting: SILENT,
      tsdocMessageReporting: SILENT,
    },
  },
});
