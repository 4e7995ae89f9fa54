import { hash } from '@node-rs/argon2';

/** The least that Argon2 allows. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * A hash by which a sign-in costs nothing: a check takes its costs from the hash. The costs of the product's own hashes are
 * tested with `PasswordHasher` and `firstAdmin`.
 */
export const cheapHash = (password: string): Promise<string> => hash(password, CHEAP);
