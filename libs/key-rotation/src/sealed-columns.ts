import { NIL } from 'uuid';
import { shortOf } from '#libs/subject-keys';
import {
  identityProviderPlace,
  integrationSecretPlace,
  notificationAddressPlace,
  notificationSettingsPlace,
  reportSchedulePlace,
  type SecretPlace,
  secondFactorPlace,
  subjectKeyPlace,
  webhookSecretPlace,
} from '#libs/vault';

/** A column whose texts the vault has sealed. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key: names and types of its columns. */
  key: readonly (readonly [name: string, type: 'boolean' | 'text' | 'uuid'])[];
  /** What its texts are, for status lines. */
  kind:
    | 'subjectKeys'
    | 'integrationSecrets'
    | 'webhookSecrets'
    | 'secondFactors'
    | 'identityProviders'
    | 'reportSchedules'
    | 'notificationAddresses'
    | 'notificationSettings';
  /** Where the text of a row opens. @param id values of the primary key */
  placeOf(id: readonly string[]): SecretPlace;
  /** What the text of a row is, for messages. */
  nameOf(id: readonly string[]): string;
}

/** Everything that is sealed with the wrapping key of the site; a test compares it with the tables. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'subject_keys',
    column: 'wrapped',
    key: [['subject', 'uuid']],
    kind: 'subjectKeys',
    placeOf: ([subject]) => subjectKeyPlace(subject!),
    nameOf: ([subject]) =>
      subject === NIL ? 'the key of the lookups of subjects' : `the key of subject ${shortOf(subject!)}`,
  },
  {
    table: 'integration_secrets',
    column: 'sealed',
    key: [
      ['integration_id', 'uuid'],
      ['name', 'text'],
    ],
    kind: 'integrationSecrets',
    placeOf: ([integration, field]) => integrationSecretPlace(integration!, field!),
    nameOf: ([integration, field]) => `${field} of integration ${integration}`,
  },
  {
    table: 'second_factors',
    column: 'secret',
    key: [['credential_id', 'uuid']],
    kind: 'secondFactors',
    placeOf: ([credential]) => secondFactorPlace(credential!),
    nameOf: ([credential]) => `the second factor of credential ${credential}`,
  },
  {
    table: 'identity_providers',
    column: 'client_secret',
    key: [['id', 'text']],
    kind: 'identityProviders',
    placeOf: ([id]) => identityProviderPlace(id!),
    nameOf: ([id]) => `the client secret of identity provider ${id}`,
  },
  {
    table: 'report_schedules',
    column: 'content',
    key: [['id', 'uuid']],
    kind: 'reportSchedules',
    placeOf: ([id]) => reportSchedulePlace(id!),
    nameOf: ([id]) => `the recipients of report schedule ${id}`,
  },
  {
    table: 'notification_people',
    column: 'content',
    key: [['person_id', 'uuid']],
    kind: 'notificationAddresses',
    placeOf: ([person]) => notificationAddressPlace(person!),
    nameOf: ([person]) => `the address for notifications of person ${person}`,
  },
  {
    table: 'notification_settings',
    column: 'content',
    key: [['only_row', 'boolean']],
    kind: 'notificationSettings',
    placeOf: () => notificationSettingsPlace(),
    nameOf: () => 'the mail server of notifications',
  },
  ...(['secret', 'previous_secret'] as const).map(
    (column): SealedColumn => ({
      table: 'webhooks',
      column,
      key: [['id', 'uuid']],
      kind: 'webhookSecrets',
      placeOf: ([id]) => webhookSecretPlace(id!),
      nameOf: ([id]) => `the ${column === 'secret' ? '' : 'previous '}secret of webhook ${id}`,
    }),
  ),
];
