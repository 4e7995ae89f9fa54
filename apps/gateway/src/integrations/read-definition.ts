import { BadRequestException, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Integration, IntegrationSubType, IntegrationType } from '#libs/domain';
import { recipientOf } from '#libs/integration-store';
import { CONNECTOR_KINDS, tagFilterLength } from '#libs/integrations';
import { badInput } from '../http/bad-input.ts';
import { CONFIG_FORMS } from './integration-config.dto.ts';

/** A checked configuration: the fields that may be returned, and the secrets separately. */
export interface Definition {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
}

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
  const meant = Object.values(CONNECTOR_KINDS).filter((kind) => kind.type === type);
  if (meant.every((kind) => kind.subType !== subType)) {
    const subTypes = meant.map((kind) => kind.subType).join(' or ');
    throw new BadRequestException(`subType must be ${subTypes} for the type ${type}`);
  }
  return definitionOf(subType, check(CONFIG_FORMS[subType].whole, config));
}

/**
 * A saved integration with changes.
 * @throws BadRequestException with the path of the invalid field, and if a stored secret would be sent to another
 *   address
 */
export function readChange(integration: Integration, changes: Record<string, unknown>): Definition {
  const { subType, config: stored } = integration;
  const { account, secret } = CONNECTOR_KINDS[subType];
  const changed = definitionOf(subType, check(CONFIG_FORMS[subType].merged, { ...stored, ...changes }));
  const isElsewhere = recipientOf({ subType, config: changed.config }) !== recipientOf(integration);
  if (isElsewhere && !(secret in changed.secrets)) {
    throw new BadRequestException(
      `config.${secret} is required if url or ${account} changes: a stored secret is never sent to another address`,
    );
  }
  return changed;
}

function check(form: Type<object>, given: Record<string, unknown>): Record<string, unknown> {
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

function definitionOf(subType: IntegrationSubType, checked: Record<string, unknown>): Definition {
  const field = CONNECTOR_KINDS[subType].secret;
  const { [field]: secret, ...config } = checked;
  return { config, secrets: secret === undefined ? {} : { [field]: secret as string } };
}
