import { t } from '@lingui/core/macro';
import { AssignFields, CommentFields, DueFields, TagFields, TicketFields } from './fields.tsx';
import type { TriageAct } from './triage-act.ts';

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

const wordsOf = (form: FormData, name: string): string[] =>
  form
    .getAll(name)
    .flatMap((text) => String(text).split(/[\s,]+/))
    .filter(Boolean);

export const ASSIGN: TriageAct = {
  name: 'assign',
  label: 'Assign',
  title: 'Assign the finding',
  done: ({ assign }) => {
    const { type, name } = assign?.assignee ?? { type: 'none', name: 'nobody' };
    return t`assigned to ${type === 'team' ? t`the team ` : ''}${name}`;
  },
  isReplacing: true,
  Fields: AssignFields,
  bodyOf: (form) => {
    const type = form.get('type') as 'user' | 'team' | 'none';
    return { assign: { assignee: type === 'none' ? null : { type, name: textOf(form, 'name') } } };
  },
};

export const SET_DUE: TriageAct = {
  name: 'due',
  label: 'Set due date',
  title: 'Set the due date',
  done: ({ due }) => (due?.due ? t`given the due date ${due.due}` : t`given no due date`),
  isReplacing: true,
  Fields: DueFields,
  bodyOf: (form) => {
    const reason = textOf(form, 'reason');
    return { due: { due: textOf(form, 'due') || null, ...(reason && { reason }) } };
  },
};

export const TAG: TriageAct = {
  name: 'tags',
  label: 'Tag',
  title: 'Change the tags',
  done: ({ tags: { add = [], remove = [] } = {} }) =>
    [
      ...(add.length > 0 ? [`tagged ${add.join(', ')}`] : []),
      ...(remove.length > 0 ? [`no longer tagged ${remove.join(', ')}`] : []),
    ].join(' and '),
  isReplacing: false,
  Fields: TagFields,
  bodyOf: (form) => ({ tags: { add: wordsOf(form, 'add'), remove: wordsOf(form, 'remove') } }),
};

export const CHANGE_TICKETS: TriageAct = {
  name: 'tickets',
  label: 'Link ticket',
  title: 'Change the tickets',
  done: () => t`linked to the ticket`,
  isReplacing: false,
  Fields: TicketFields,
  bodyOf: (form) => {
    const [url, label] = [textOf(form, 'url'), textOf(form, 'label')];
    const attach = url || label ? [{ url, label }] : [];
    return { tickets: { attach, detach: form.getAll('detach').map(String) } };
  },
};

export const COMMENT: TriageAct = {
  name: 'comments',
  label: 'Comment',
  title: 'Add a comment',
  done: () => 'commented',
  isReplacing: false,
  Fields: CommentFields,
  bodyOf: (form) => ({ comments: { text: textOf(form, 'text') } }),
};

/** In the order of menus. */
export const TRIAGE_ACTS: readonly TriageAct[] = [ASSIGN, SET_DUE, TAG, CHANGE_TICKETS, COMMENT];
