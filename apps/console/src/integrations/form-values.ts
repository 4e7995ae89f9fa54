import type { Api } from '../api/client.ts';
import { changedFields } from '../parts/changed-fields.ts';
import { type Integration, type Kind, kindOf } from './kinds.ts';
import { asSentence } from './sync-words.ts';

/** Values of the form. The integration type maps `account`, `secret` and `names` to fields of the API. */
export interface Values {
  name: string;
  url: string;
  account: string;
  /** Empty if the stored secret is kept. */
  secret: string;
  names: string[];
  autoOnboardNewAssets: boolean;
  updateExistingAssetsMetadata: boolean;
  isAutomatic: boolean;
  /** Text while the user types. */
  days: number | string;
}

export type NewConfig = Api['AddIntegrationDto']['config'];
export type ConfigChanges = NonNullable<Api['ChangeIntegrationDto']['config']>;

export const NEW_VALUES: Values = {
  name: '',
  url: '',
  account: '',
  secret: '',
  names: [],
  autoOnboardNewAssets: true,
  updateExistingAssetsMetadata: true,
  isAutomatic: true,
  days: 1,
};

/** Values of a stored integration. The service never returns the secret. */
export function valuesOf(integration: Integration): Values {
  const { account, names } = kindOf(integration);
  const config = integration.config as unknown as Record<string, unknown>;
  return {
    name: integration.name,
    url: integration.config.url,
    account: String(config[account.field]),
    secret: '',
    names: names === null ? [] : (config[names.field] as string[]),
    autoOnboardNewAssets: config.autoOnboardNewAssets !== false,
    updateExistingAssetsMetadata: config.updateExistingAssetsMetadata !== false,
    isAutomatic: integration.config.autoSyncDays !== null,
    days: integration.config.autoSyncDays ?? 1,
  };
}

function fieldsOf(kind: Kind, values: Values): Record<string, unknown> {
  return {
    url: values.url.trim(),
    [kind.account.field]: values.account.trim(),
    ...(values.secret !== '' && { [kind.secret.field]: values.secret }),
    ...(kind.names && { [kind.names.field]: listedIn(values) }),
    ...Object.fromEntries(kind.switches.map(({ field }) => [field, values[field]])),
    autoSyncDays: values.isAutomatic ? Number(values.days) : null,
  };
}

/** Text that is not confirmed by Enter can contain commas. */
const listedIn = ({ names }: Values): string[] =>
  names
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter(Boolean);

export const configOf = (kind: Kind, values: Values): NewConfig =>
  fieldsOf(kind, values) as unknown as NewConfig;

/** Changed fields; undefined if nothing changed. */
export function changesOf(kind: Kind, before: Values, after: Values): ConfigChanges | undefined {
  const changed = changedFields(fieldsOf(kind, after), fieldsOf(kind, before));
  return Object.keys(changed).length === 0 ? undefined : (changed as unknown as ConfigChanges);
}

/** A stored secret is only valid for its address and account. */
export const needsSecret = (before: Values, after: Values): boolean =>
  before.url !== after.url.trim() || before.account !== after.account.trim();

/** Error messages by form field; `rest` has the messages without a field. */
export function problemsOf(kind: Kind, message: string): { fields: Record<string, string>; rest: string } {
  const formField: Record<string, keyof Values> = {
    name: 'name',
    'config.url': 'url',
    [`config.${kind.account.field}`]: 'account',
    [`config.${kind.secret.field}`]: 'secret',
    ...(kind.names && { [`config.${kind.names.field}`]: 'names' }),
    'config.autoSyncDays': 'days',
  };
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const part of message.split('; ')) {
    const [path = '', ...words] = part.split(' ');
    const field = formField[path];
    if (field) fields[field] ??= asSentence(words.join(' '));
    else rest.push(part);
  }
  return { fields, rest: rest.join('; ') };
}
