import type { Command } from 'commander';

/** A subcommand that works through the service. */
export const serviceSubcommand = (parent: Command, name: string, description: string): Command =>
  parent
    .command(name)
    .description(description)
    .option('--url <address>', 'address of the service (POSTURE_URL)')
    .option('--json', 'print one JSON document only');
