/** What the commands read of GET /api/v3/credentials (api.md); all of it is passed on with `--json`. */
export interface CredentialAnswer {
  id: string;
  username: string;
  role: string;
  createdAt: string;
  /** Null: never. */
  lastUsedAt: string | null;
}

/** Answered once, when the password is made. */
export interface CredentialWithPassword extends CredentialAnswer {
  password: string;
}
