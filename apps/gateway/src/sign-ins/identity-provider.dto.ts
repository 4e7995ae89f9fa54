import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  IntersectionType,
  PartialType,
} from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { IsSeenVersion } from '../http/seen-version.ts';

const GROUPS_MAX = 500;
const TEXT_CHARACTERS_MAX = 200;
const SECRET_CHARACTERS_MAX = 2_048;
const SECONDS = { minimum: 5, maximum: 86_400 };

const namesByGroup = (description: string): ApiPropertyOptions => ({
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 200 },
    minItems: 1,
  },
  minProperties: 1,
  maxProperties: GROUPS_MAX,
  description,
});

export const PROVIDER_ID = /^[a-z][a-z0-9-]{0,29}$/;

const ID: ApiPropertyOptions = {
  pattern: PROVIDER_ID.source,
  example: 'corp',
  description: 'Begins the names of its users, and is part of addresses; not `token`',
};
const LABEL: ApiPropertyOptions = {
  minLength: 1,
  maxLength: 60,
  example: 'Corporate account',
  description: 'Name that users see at sign-in. No other provider has it',
};
const ISSUER: ApiPropertyOptions = {
  format: 'uri',
  example: 'https://id.example.com/realms/corp',
  description:
    'As the discovery document of the provider states it: `https`, or `http` on this machine. It must be a public address unless the setting `egressAllow` contains it',
};
const CLIENT_ID: ApiPropertyOptions = { minLength: 1, maxLength: TEXT_CHARACTERS_MAX, example: 'posture' };
const CLIENT_SECRET: ApiPropertyOptions = {
  minLength: 1,
  maxLength: SECRET_CHARACTERS_MAX,
  description: 'Stored encrypted, and never returned',
};
const GRANTS = namesByGroup('Roles and scopes by group: at most 30 of each group, which the caller has too');
const ROWS: ApiPropertyOptions[] = ['departments', 'locations'].map((what) => ({
  ...namesByGroup(
    `Names of ${what} by group, to which users are limited; \`["*"]\`: all. null: users are not limited`,
  ),
  nullable: true,
}));
const [DEPARTMENTS, LOCATIONS] = ROWS as [ApiPropertyOptions, ApiPropertyOptions];
const GROUPS_FROM: ApiPropertyOptions = {
  enum: ['claims', 'scim'],
  description: 'Where the groups of a user come from: a claim, or what the provider provisions by SCIM',
};
const claim = (description: string): ApiPropertyOptions => ({
  minLength: 1,
  maxLength: TEXT_CHARACTERS_MAX,
  description,
});
const GROUPS_CLAIM = claim('Claim with the groups; dots lead into objects');
const NAME_CLAIM = claim('Claim with the user name; `sub` if it is missing');
const EXTERNAL_ID_CLAIM = claim('Claim that is the `externalId` of a provisioned user');
const SCOPE: ApiPropertyOptions = {
  description: 'Requested scopes, with spaces between, of which the first is `openid`',
};
const AUDIENCES: ApiPropertyOptions = {
  type: [String],
  maxItems: 20,
  description: 'Audiences that an ID token may have besides the client',
};
const CHECK_SECONDS: ApiPropertyOptions = {
  type: 'integer',
  ...SECONDS,
  description: 'How often the groups of a user are checked',
};

/** The checks are those of `OIDC_PROVIDERS` (`oidcProviderProblems`). */
const Given = (options: ApiPropertyOptions) => (target: object, property: string) => {
  ApiProperty(options)(target, property);
  Allow()(target, property);
};
const MayBeGiven = (options: ApiPropertyOptions, byDefault: string) => (target: object, property: string) => {
  const description = `${options.description}. Default: ${byDefault}`;
  ApiPropertyOptional({ ...options, description } as ApiPropertyOptions)(target, property);
  Allow()(target, property);
};

class IssuerDto {
  @Given(ID)
  id!: string;
  @Given(ISSUER)
  issuer!: string;
}

class ClientDto {
  @Given(LABEL)
  label!: string;
  @Given(CLIENT_ID)
  clientId!: string;
  @Given(CLIENT_SECRET)
  clientSecret!: string;
  @Given(GRANTS)
  grants!: Record<string, string[]>;
}

class MappingDto {
  @MayBeGiven(DEPARTMENTS, 'not limited')
  departments?: Record<string, string[]> | null;
  @MayBeGiven(LOCATIONS, 'not limited')
  locations?: Record<string, string[]> | null;
  @MayBeGiven(GROUPS_CLAIM, '`groups`')
  groupsClaim?: string;
  @MayBeGiven(NAME_CLAIM, '`preferred_username`')
  nameClaim?: string;
  @MayBeGiven(GROUPS_FROM, '`claims`')
  groupsFrom?: 'claims' | 'scim';
  @MayBeGiven(EXTERNAL_ID_CLAIM, '`sub`')
  externalIdClaim?: string;
  @MayBeGiven(SCOPE, '`openid profile email`')
  scope?: string;
  @MayBeGiven(AUDIENCES, 'none')
  audiences?: string[];
  @MayBeGiven(CHECK_SECONDS, '300')
  checkSeconds?: number;
}

/** A new identity provider. */
export class AddIdentityProviderDto extends IntersectionType(IssuerDto, ClientDto, MappingDto) {}

/** Omitted fields are unchanged. */
export class ChangeIdentityProviderDto extends IntersectionType(
  PartialType(ClientDto, { skipNullProperties: false }),
  MappingDto,
) {
  @IsSeenVersion('identity provider')
  version?: number;
}

/** An identity provider without its secret. */
export class IdentityProviderDto {
  @ApiProperty(ID)
  id!: string;
  @ApiProperty(LABEL)
  label!: string;
  @ApiProperty(ISSUER)
  issuer!: string;
  @ApiProperty(CLIENT_ID)
  clientId!: string;
  @ApiProperty({ description: 'Redirect URI to register at the provider; a path if `PUBLIC_URL` is not set' })
  redirectUri!: string;
  @ApiProperty({
    description: 'Address for back-channel logouts to register at the provider; as `redirectUri`',
  })
  logoutUri!: string;
  @ApiProperty(GRANTS)
  grants!: Record<string, string[]>;
  @ApiProperty(DEPARTMENTS)
  departments!: Record<string, string[]> | null;
  @ApiProperty(LOCATIONS)
  locations!: Record<string, string[]> | null;
  @ApiProperty(GROUPS_CLAIM)
  groupsClaim!: string;
  @ApiProperty(NAME_CLAIM)
  nameClaim!: string;
  @ApiProperty(GROUPS_FROM)
  groupsFrom!: 'claims' | 'scim';
  @ApiProperty(EXTERNAL_ID_CLAIM)
  externalIdClaim!: string;
  @ApiProperty(SCOPE)
  scope!: string;
  @ApiProperty(AUDIENCES)
  audiences!: string[];
  @ApiProperty(CHECK_SECONDS)
  checkSeconds!: number;
  @ApiProperty({ description: 'Whether it is one of `OIDC_PROVIDERS`, which the API cannot change' })
  isReadOnly!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why users cannot sign in with it; null if they can',
  })
  problem!: string | null;
  @ApiProperty({ minimum: 0, description: 'Each change increments it; 0 if `isReadOnly`' })
  version!: number;
}

export class IdentityProvidersDto {
  @ApiProperty({ type: [IdentityProviderDto] })
  items!: IdentityProviderDto[];
}
