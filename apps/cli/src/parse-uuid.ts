import { InvalidArgumentError } from 'commander';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * An id of a command line, in any case, as the service writes it.
 * @throws InvalidArgumentError (exit 2), naming the format
 */
export function parseUuid(text: string): string {
  const id = text.toLowerCase();
  if (UUID.test(id)) return id;
  throw new InvalidArgumentError('Expected a UUID, such as 4e8a3c0e-6f0e-5a5e-8a53-0d9b8a3f6c21.');
}
