import { readFile } from 'node:fs/promises';
import { FINDING_TYPES, type FindingType } from '#libs/domain';
import { usageError } from '../cli-error.ts';
import { jsonProblem } from './json-problem.ts';

/** Flags of `posture upload` that make up a config.json. */
export interface ConfigFlags {
  config?: string;
  replace?: string;
  importAssets: boolean;
  allowOverride?: boolean;
  updateMetadata: boolean;
}

/** The config.json that goes into every packed ZIP. */
export interface ZipConfig {
  /** Exact content; null: none is packed and the service's defaults hold. */
  content: Buffer | null;
  /** A type is replaced: an entity must not be split over ZIPs. */
  replaces: boolean;
}

/**
 * Reads `--config` or composes one from the flags.
 * @throws CliError exit 2 if both are given, the file is no JSON object, or a type is not one of the seven
 */
export async function readZipConfig(flags: ConfigFlags): Promise<ZipConfig> {
  const composed = composeConfig(flags);
  if (flags.config === undefined) {
    return composed === null
      ? { content: null, replaces: false }
      : { content: Buffer.from(JSON.stringify(composed, null, 2)), replaces: replacesAny(composed) };
  }
  if (composed !== null) throw usageError('use either --config or the individual options, not both');
  return readConfigFile(flags.config);
}

function composeConfig(flags: ConfigFlags): Record<string, unknown> | null {
  const config = {
    ...(flags.replace !== undefined && { fullAssessmentForTypes: findingTypes(flags.replace) }),
    ...(!flags.importAssets && { shouldImportAssets: false }),
    ...(flags.allowOverride && { shouldAllowOverrideAFControl: true }),
    ...(!flags.updateMetadata && { shouldUpdateExistingAssetsMetadata: false }),
  };
  return Object.keys(config).length > 0 ? config : null;
}

function findingTypes(list: string): FindingType[] {
  return list
    .split(',')
    .map((type) => type.trim().toLowerCase())
    .map((type) => {
      const known = FINDING_TYPES.find((each) => each === type);
      if (!known) throw usageError(`--replace must be a comma-separated list of ${FINDING_TYPES.join(', ')}`);
      return known;
    });
}

/** Far above any real one, so that it always fits in addition to the signals. */
const CONFIG_BYTES_MAX = 65_536;

/** The service checks the content; this reads only the fields that decide how to pack. */
async function readConfigFile(path: string): Promise<ZipConfig> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`cannot read ${path} (${error.code})`);
  });
  if (content.length > CONFIG_BYTES_MAX) throw usageError(`${path} is larger than 64 KB`);
  const problem = jsonProblem(content);
  if (problem) throw usageError(`${path} ${problem}`);
  return { content, replaces: replacesAny(JSON.parse(content.toString('utf8').replace(/^\uFEFF/, ''))) };
}

function replacesAny(config: Record<string, unknown>): boolean {
  const types = config.fullAssessmentForTypes;
  return Array.isArray(types) && types.length > 0;
}
