import { BadRequestException } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Integration, IntegrationSubType, IntegrationType } from '#libs/domain';
import { INTEGRATION_KINDS, recipientOf } from '#libs/integration-store';
import { tagFilterLength } from '#libs/integrations';
import { badInput } from '../http/bad-input.ts';
import {
  MergedAxoniusConfigDto,
  MergedFalconConfigDto,
  NewAxoniusConfigDto,
  NewFalconConfigDto,
} from './integration-config.dto.ts';

/** A checked configuration: the fields that may be returned, and the secrets separately. */
export interface Definition {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
}

type Form = new () => object;

/** New: the secret is required; merged: a stored configuration provides omitted fields. */
const FORMS: Record<IntegrationType, { whole: Form; merged: Form }> = {
  edrplugin: { whole: NewFalconConfigDto, merged: MergedFalconConfigDto },
  assetinventory: { whole: NewAxoniusConfigDto, merged: MergedAxoniusConfigDto },
};

/** The definition of a new integration. @throws BadRequestException with the path of the invalid field */
export function readDefinition({
  type,
  subType,
  config,
}: {
  type: IntegrationType;
  subType: IntegrationSubType;
  config: Record<string, unknown>;
}): Definition {
  const { subType: meant } = INTEGRATION_KINDS[type];
  if (subType !== meant) throw new BadRequestException(`subType must be ${meant} for the type ${type}`);
  return definitionOf(type, check(FORMS[type].whole, config));
}

/**
 * A saved integration with changes.
 * @throws BadRequestException with the path of the invalid field, and if a stored secret would be sent to another
 *   address
 */
export function readChange(integration: Integration, changes: Record<string, unknown>): Definition {
  const { type, config: stored } = integration;
  const { account, secret } = INTEGRATION_KINDS[type];
  const changed = definitionOf(type, check(FORMS[type].merged, { ...stored, ...changes }));
  const isElsewhere = recipientOf({ type, config: changed.config }) !== recipientOf(integration);
  if (isElsewhere && !(secret in changed.secrets)) {
    throw new BadRequestException(
      `config.${secret} is required if url or ${account} changes: a stored secret is never sent to another address`,
    );
  }
  return changed;
}

function check(form: Form, given: Record<string, unknown>): Record<string, unknown> {
  const read = plainToInstance(form, given);
  const errors = validateSync(read, { whitelist: true, forbidNonWhitelisted: true });
  if (errors.length > 0) throw badInput([{ property: 'config', children: errors }]);
  const checked: Record<string, unknown> = { ...read };
  if (Array.isArray(checked.tagFilters)) refuseLongFilter(checked.tagFilters);
  return checked;
}

/** Servers refuse addresses of more than 8,000 characters, which hold more than the filter. */
const FILTER_CHARACTERS_MAX = 6_000;

function refuseLongFilter(tagFilters: string[]): void {
  const length = tagFilterLength(tagFilters);
  if (length <= FILTER_CHARACTERS_MAX) return;
  throw new BadRequestException(
    `config.tagFilters must use at most ${FILTER_CHARACTERS_MAX} characters of a URL, with each filter expanded to three tags ` +
      `(got ${length})`,
  );
}

function definitionOf(type: IntegrationType, checked: Record<string, unknown>): Definition {
  const { [INTEGRATION_KINDS[type].secret]: secret, ...config } = checked;
  return {
    config,
    secrets: secret === undefined ? {} : { [INTEGRATION_KINDS[type].secret]: secret as string },
  };
}
