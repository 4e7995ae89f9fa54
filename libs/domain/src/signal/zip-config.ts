import { FINDING_TYPES, type FindingType } from '../events.ts';
import { type FieldMessage, Remarks } from './remarks.ts';

/** `config.json` of a ZIP with its defaults filled in (R-ZIP-3). */
export interface ZipConfig {
  /** Types whose whole assessment the ZIP replaces; empty: its signals are appended (R-ZIP-11). */
  fullAssessmentForTypes: FindingType[];
  /** false: signals of unknown entities are ignored. */
  importAssets: boolean;
  /** true: a failing signal ends an acceptance. */
  overrideAccepted: boolean;
  /** false: metadata of existing assets stays. */
  updateMetadata: boolean;
  /** Recorded, without effect on matching (R-ASSET-5). */
  assetMatchingCriteria: string[];
}

export type ZipConfigReading =
  | { ok: true; config: ZipConfig; warnings: FieldMessage[] }
  | { ok: false; problems: FieldMessage[] };

const MATCHING_CRITERIA = ['fqdn', 'assetName', 'ipAddress'] as const;

const FIELDS = [
  'fullAssessmentForTypes',
  'shouldImportAssets',
  'shouldAllowOverrideAFControl',
  'shouldUpdateExistingAssetsMetadata',
  'assetMatchingCriteria',
];

const LIST_MAX = 100;
const SHOWN_NAME_MAX = 100;

/** Reads a parsed `config.json`: null is absent, an unknown property or a wrong value is a problem. */
export function readZipConfig(json: unknown): ZipConfigReading {
  const remarks = new Remarks();
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    remarks.problem('', `must be an object with any of ${FIELDS.join(', ')}`);
    return { ok: false, problems: remarks.problems };
  }
  const given = new Map<string, unknown>(Object.entries(json));
  for (const name of given.keys()) {
    if (!FIELDS.includes(name)) {
      remarks.problem(name.slice(0, SHOWN_NAME_MAX), `is unknown: use ${FIELDS.join(', ')}`);
    }
  }
  const flag = (name: string, absent: boolean) => readFlag(name, given.get(name), absent, remarks);
  const config: ZipConfig = {
    fullAssessmentForTypes: readList('fullAssessmentForTypes', given, FINDING_TYPES, remarks),
    importAssets: flag('shouldImportAssets', true),
    overrideAccepted: flag('shouldAllowOverrideAFControl', false),
    updateMetadata: flag('shouldUpdateExistingAssetsMetadata', true),
    assetMatchingCriteria: readList('assetMatchingCriteria', given, MATCHING_CRITERIA, remarks),
  };
  if (config.assetMatchingCriteria.length > 0) {
    remarks.warn(
      'assetMatchingCriteria',
      'is recorded but does not affect asset matching: use the setting assetMatching',
    );
  }
  const { problems, warnings } = remarks;
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config, warnings };
}

function readFlag(name: string, value: unknown, absent: boolean, remarks: Remarks): boolean {
  if (typeof value === 'boolean') return value;
  if (value !== undefined && value !== null) remarks.problem(name, 'must be true or false');
  return absent;
}

/** Names in any case, without repeats, as this service writes them. */
function readList<Name extends string>(
  field: string,
  given: ReadonlyMap<string, unknown>,
  names: readonly Name[],
  remarks: Remarks,
): Name[] {
  const value = given.get(field) ?? [];
  if (!Array.isArray(value) || value.length > LIST_MAX) {
    remarks.problem(field, `must be a list of ${names.join(', ')}`);
    return [];
  }
  const found = value.map((item, i) => {
    const word = typeof item === 'string' ? item.trim().toLowerCase() : null;
    const name = names.find((candidate) => candidate.toLowerCase() === word);
    if (name === undefined) remarks.problem(`${field}[${i}]`, `must be one of ${names.join(', ')}`);
    return name;
  });
  return [...new Set(found.filter((name) => name !== undefined))];
}
