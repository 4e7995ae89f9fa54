import { isUUID } from 'class-validator';
import { ScimError } from './scim-error.ts';
import { comparisonsOf } from './scim-filter.ts';

const PATH = /^members(?:\[([^\]]*)\])?$/i;

/** One of a PATCH; `path` begins with `members`. */
export interface MembersOperation {
  op?: unknown;
  path: string;
  value?: unknown;
}

/**
 * Changes the ids of members as an operation asks. The library would remove a member only if all that a client states of
 * it (Entra ID: `"$ref": null`) is as here, and would read the whole list again for each operation.
 * @throws ScimError
 */
export function changeMembers(members: Set<string>, { op, path, value }: MembersOperation): void {
  const name = typeof op === 'string' ? op.toLowerCase() : '';
  const [whole, filter] = PATH.exec(path) ?? [];
  if (whole === undefined || (filter !== undefined && name !== 'remove')) {
    throw new ScimError(400, 'path must be members, or to remove one members[value eq "…"]', 'invalidPath');
  }
  switch (name) {
    case 'add':
      for (const id of memberIds(value)) members.add(id);
      return;
    case 'replace': {
      const ids = memberIds(value);
      members.clear();
      for (const id of ids) members.add(id);
      return;
    }
    case 'remove':
      if (filter !== undefined) members.delete(memberIn(filter));
      else if (value === undefined) members.clear();
      else for (const id of memberIds(value)) members.delete(id);
      return;
    default:
      throw new ScimError(400, 'op must be add, remove or replace', 'invalidSyntax');
  }
}

/** Ids of members that a client states as `{ "value": id }` or as text: nothing else of them counts. @throws ScimError */
export const memberIds = (given: unknown): string[] => (Array.isArray(given) ? given : [given]).map(memberId);

function memberId(given: unknown): string {
  const id = typeof given === 'object' && given !== null ? (given as { value?: unknown }).value : given;
  if (isUUID(id)) return (id as string).toLowerCase();
  throw new ScimError(400, 'members must be ids of users of this provider', 'invalidValue');
}

/** Every member has the type User. @throws ScimError */
function memberIn(filter: string): string {
  const [compared, ...more] = (comparisonsOf(filter) ?? []).filter(
    ([name, value]) => name.toLowerCase() !== 'type' || String(value).toLowerCase() !== 'user',
  );
  if (compared?.[0].toLowerCase() === 'value' && more.length === 0) return memberId(compared[1]);
  throw new ScimError(400, 'a member must be named as members[value eq "…"]', 'invalidPath');
}
