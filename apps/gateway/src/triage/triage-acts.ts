import { BadRequestException } from '@nestjs/common';
import type { FindingAssigned, FindingDueSet, FindingTagged, FindingTicketsChanged } from '#libs/domain';
import type { ActOf } from '../finding-acts/act-of.ts';
import type { AssignmentDto, DueDto, TaggingDto, TicketsDto } from './triage.dto.ts';

/** What users ask for, as events state it. */

export const assigned = ({ assignee }: AssignmentDto): ActOf<FindingAssigned> => ({
  type: 'FindingAssigned',
  user: assignee?.type === 'user' ? assignee.name : null,
  team: assignee?.type === 'team' ? assignee.name : null,
});

/** @throws BadRequestException if it contradicts itself */
export function tagged({ add = [], remove = [] }: TaggingDto): ActOf<FindingTagged> {
  assertApart(add, remove, 'add', 'remove');
  return { type: 'FindingTagged', add: [...new Set(add)], remove: [...new Set(remove)] };
}

export const dueSet = ({ due, reason = '' }: DueDto): ActOf<FindingDueSet> => ({
  type: 'FindingDueSet',
  due,
  reason: reason === '' ? null : reason,
});

/** @throws as `tagged` */
export function ticketsChanged({ attach = [], detach = [] }: TicketsDto): ActOf<FindingTicketsChanged> {
  const urls = attach.map(({ url }) => url);
  assertApart(urls, detach, 'attach', 'detach');
  const repeated = urls.find((url, i) => urls.indexOf(url) < i);
  if (repeated !== undefined) throw new BadRequestException(`attach contains ${repeated} twice`);
  return {
    type: 'FindingTicketsChanged',
    attach: attach.map(({ url, label }) => ({ url, label })),
    detach: [...new Set(detach)],
  };
}

function assertApart(one: string[], other: string[], name: string, otherName: string): void {
  const both = one.find((value) => other.includes(value));
  if (both !== undefined) throw new BadRequestException(`${name} and ${otherName} both contain ${both}`);
}
