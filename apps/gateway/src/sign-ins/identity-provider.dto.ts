import { ApiProperty } from '@nestjs/swagger';

const namesByGroup = (description: string) =>
  ({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description,
  }) as const;

/** An identity provider of `OIDC_PROVIDERS`, without its secret. */
export class IdentityProviderDto {
  @ApiProperty({ example: 'corp', description: 'Begins the names of its users' })
  id!: string;
  @ApiProperty({ example: 'Corporate account' })
  label!: string;
  @ApiProperty({ format: 'uri', example: 'https://id.example.com/realms/corp' })
  issuer!: string;
  @ApiProperty({ example: 'posture' })
  clientId!: string;
  @ApiProperty({ format: 'uri', description: 'Redirect URI to register at the provider' })
  redirectUri!: string;
  @ApiProperty({ format: 'uri', description: 'Address for back-channel logouts to register at the provider' })
  logoutUri!: string;
  @ApiProperty({ enum: ['claims', 'scim'], description: 'Where the groups of a user come from' })
  groupsFrom!: string;
  @ApiProperty(namesByGroup('Roles and scopes by group'))
  grants!: Record<string, string[]>;
  @ApiProperty({ ...namesByGroup('Departments by group; null: users are not limited'), nullable: true })
  departments!: Record<string, string[]> | null;
  @ApiProperty({ ...namesByGroup('Locations by group; null: users are not limited'), nullable: true })
  locations!: Record<string, string[]> | null;
  @ApiProperty({ type: 'integer', description: 'How often the groups of a user are checked' })
  checkSeconds!: number;
}

export class IdentityProvidersDto {
  @ApiProperty({ type: [IdentityProviderDto] })
  items!: IdentityProviderDto[];
}
