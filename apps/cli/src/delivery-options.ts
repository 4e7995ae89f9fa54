import { type Command, InvalidArgumentError } from 'commander';

/** Options of every command that sends signals. */
export interface DeliveryOptions {
  url?: string;
  /** How long to wait for the fold at most, seconds; 0: not at all. */
  wait: number;
  json?: boolean;
}

const WAIT_SECONDS_MAX = 86_400;

export function addDeliveryOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the service (POSTURE_URL)')
    .option(
      '--wait <seconds>',
      'wait at most this long for the outcome; 0: do not wait',
      integerBetween(0, WAIT_SECONDS_MAX),
      60,
    )
    .option('--json', 'print one JSON document only');
}

/** Parses an option that is a whole number within bounds. */
export const integerBetween =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
  };
