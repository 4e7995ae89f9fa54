import { BadRequestException } from '@nestjs/common';
import { type FindingType, readInstant } from '#libs/domain';
import type { SeverityLevel } from '#libs/reports';
import type { ReportFormats } from '../reports/report-formats.ts';
import type { ImportFields } from './import-form.ts';
import { SCAN_TYPES } from './scan-types.ts';

export const NAME_CHARACTERS_MAX = 400;
export const SEVERITIES = ['Info', 'Low', 'Medium', 'High', 'Critical'];

/** Read, with an effect. */
const READ = [
  'scan_type',
  'scan_date',
  'minimum_severity',
  'close_old_findings',
  'product_name',
  'product_type_name',
  'engagement_name',
  'test_title',
  'service',
  'engagement',
  'test',
];
/** They describe the run, and nothing of the service depends on them. */
const WITHOUT_EFFECT = [
  'verified',
  'auto_create_context',
  'deduplication_on_engagement',
  'create_finding_groups_for_all_findings',
  'environment',
  'version',
  'build_id',
  'branch_tag',
  'commit_hash',
  'source_code_management_uri',
  'engagement_end_date',
  'lead',
  'tags',
];
/** Fields of the API that the service could only ignore against the intention of the caller, and the value that is no request. */
const REFUSED: Record<string, string> = {
  active: 'true',
  push_to_jira: 'false',
  close_old_findings_product_scope: 'false',
  do_not_reactivate: 'false',
  apply_tags_to_findings: 'false',
  apply_tags_to_endpoints: 'false',
  group_by: '',
  endpoint_to_add: '',
  api_scan_configuration: '',
};

/** What a form asks for, before its names and ids are looked up. */
export interface ImportOptions {
  scanType: string;
  format: string;
  minSeverity: SeverityLevel;
  /** Epoch milliseconds; null: the time of arrival. */
  observedAt: number | null;
  /** Types whose assessments `close_old_findings` replaces. */
  replace: FindingType[];
  /** Distinguishes parts of a product. */
  service: string | null;
}

/**
 * Reads the fields of an import.
 * @param closesByDefault what an absent `close_old_findings` means
 * @throws BadRequestException (400) for a wrong value, and for all that is not supported
 */
export function readImportOptions(
  fields: ImportFields,
  formats: ReportFormats,
  closesByDefault: boolean,
): ImportOptions {
  for (const [name, value] of fields) refuseUnsupported(name, value);
  const scanType = nameIn(fields, 'scan_type');
  if (scanType === null) throw new BadRequestException('scan_type is missing');
  const known = SCAN_TYPES.find(({ name }) => name === scanType);
  const own = known ? undefined : formats.all().find(({ name }) => name === scanType);
  if (!known && !own) {
    throw new BadRequestException(
      `scan_type must be one of ${SCAN_TYPES.map(({ name }) => name).join(', ')}, or the name of a format`,
    );
  }
  const closes = flagIn(fields, 'close_old_findings') ?? closesByDefault;
  if (closes && !known) {
    throw new BadRequestException(
      `close_old_findings must be false for ${scanType}: it is supported for scan types of DefectDojo only`,
    );
  }
  return {
    scanType,
    format: known?.format ?? own!.name,
    minSeverity: severityIn(fields),
    observedAt: dateIn(fields),
    replace: closes ? [...known!.types] : [],
    service: nameIn(fields, 'service'),
  };
}

function refuseUnsupported(name: string, value: string): void {
  if (READ.includes(name) || WITHOUT_EFFECT.includes(name)) return;
  const harmless = REFUSED[name];
  if (harmless === undefined) throw new BadRequestException(`${name} is unknown`);
  if (value === '' || value.toLowerCase() === harmless) return;
  throw new BadRequestException(
    harmless === ''
      ? `${name} is not supported: leave it out`
      : `${name} must be ${harmless}: others are not supported`,
  );
}

/** Null if it is absent or blank. */
export function nameIn(fields: ImportFields, field: string): string | null {
  const name = fields.get(field)?.trim() ?? '';
  if (name.length > NAME_CHARACTERS_MAX) {
    throw new BadRequestException(`${field} must have at most ${NAME_CHARACTERS_MAX} characters`);
  }
  return name === '' ? null : name.replaceAll('\0', '\uFFFD');
}

/** Null if it is absent. */
export function idIn(fields: ImportFields, field: string): number | null {
  const text = fields.get(field) ?? '';
  if (text === '') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BadRequestException(`${field} must be an id: an integer`);
}

function flagIn(fields: ImportFields, field: string): boolean | null {
  const text = fields.get(field)?.toLowerCase() ?? '';
  if (text === '') return null;
  if (['true', '1'].includes(text)) return true;
  if (['false', '0'].includes(text)) return false;
  throw new BadRequestException(`${field} must be true or false`);
}

function severityIn(fields: ImportFields): SeverityLevel {
  const text = fields.get('minimum_severity') || 'Info';
  if (SEVERITIES.includes(text)) return text.toLowerCase() as SeverityLevel;
  throw new BadRequestException(`minimum_severity must be one of ${SEVERITIES.join(', ')}`);
}

function dateIn(fields: ImportFields): number | null {
  const text = fields.get('scan_date') ?? '';
  if (text === '') return null;
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? readInstant(`${text}T00:00:00Z`) : null;
  if (at !== null) return at;
  throw new BadRequestException('scan_date must be a date such as 2026-01-31');
}
