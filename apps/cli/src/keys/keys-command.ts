import { Command, Option } from 'commander';
import { KMS, type Kms } from '#libs/key-wrapping';
import type { Terminal } from '../terminal.ts';

interface WrapOptions {
  present?: boolean;
  with?: Kms;
}

interface KeysOptions {
  json?: boolean;
}

const EXAMPLES = `
Stored encrypted with a wrapping key: keys of personal texts, secrets of integrations, webhooks and identity providers,
second factors, report schedules, addresses of notifications, and their mail server. The wrapping key is derived from
POSTURE_SECRET_KEY (or DATA_DIR/secret-key). To change that secret:

  1. give every gateway and collector the new secret, with the old one as POSTURE_PREVIOUS_SECRET_KEY
  2. posture keys rotate        with the same two variables; texts, lookups and ids do not change
  3. posture keys status        says when the old secret can be removed

The commands use the database (DATABASE_URL, or the service on DATA_DIR), as its owner or as the role of the gateway.
The service can be running. rotate can be interrupted and repeated; it names what cannot be decrypted, and exits with 1.

wrap uses the KMS of VAULT_ADDR, VAULT_TOKEN and VAULT_TRANSIT_KEY, or of AWS_KMS_KEY and AWS_REGION. POSTURE_SECRET_KEY
then contains a secret that only this KMS can unwrap, at the start of each program.

Examples:
  posture keys wrap > secret-key.wrapped
  posture keys status --json
  posture keys rotate`;

/** `posture keys status|rotate|wrap`. */
export function keysCommand(terminal: Terminal): Command {
  const command = new Command('keys')
    .description('Show, rotate or wrap the key that encrypts stored keys and secrets')
    .addHelpText('after', EXAMPLES);
  command
    .command('status')
    .description('Show how many stored keys and secrets each wrapping key encrypts')
    .option('--json', 'print one JSON document only')
    .action(async ({ json = false }: KeysOptions) => {
      const { showStatus } = await import('./show-status.ts');
      await showStatus(json, terminal);
    });
  command
    .command('rotate')
    .description('Encrypt stored keys and secrets with the present wrapping key')
    .option('--json', 'print one JSON document only')
    .action(async ({ json = false }: KeysOptions) => {
      const { rotate } = await import('./rotate.ts');
      await rotate(json, terminal);
    });
  command
    .command('wrap')
    .description('Create a secret, wrapped by the KMS, and print it as a value of POSTURE_SECRET_KEY')
    .option('--present', 'wrap the present POSTURE_SECRET_KEY instead, so that nothing needs to be rotated')
    .addOption(new Option('--with <kms>', 'the KMS, if several are configured').choices(KMS))
    .action(async (options: WrapOptions) => {
      const { wrap } = await import('./wrap.ts');
      await wrap(options, terminal);
    });
  return command;
}
