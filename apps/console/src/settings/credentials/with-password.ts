import type { Api } from '../../api/client.ts';

export type WithPassword = Api['CredentialWithPasswordDto'];
