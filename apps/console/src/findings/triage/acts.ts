import { t } from '@lingui/core/macro';
import {
  commentedWords,
  dueWords,
  linkedWords,
  noDueWords,
  retaggedWords,
  taggedWords,
  teamWords,
  unassignedWords,
  untaggedWords,
  userWords,
} from './act-words.tsx';
import { dueValueOf } from './due-value.ts';
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
  label: () => t({ message: 'Assign', context: 'action' }),
  title: () => t`Assign the finding`,
  words: ({ assign }) => {
    const { assignee } = assign ?? {};
    if (!assignee) return unassignedWords();
    return assignee.type === 'team' ? teamWords(assignee.name) : userWords(assignee.name);
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
  label: () => t({ message: 'Set due date', context: 'action' }),
  title: () => t`Set the due date`,
  words: ({ due }) => (due?.due ? dueWords(due.due) : noDueWords()),
  isReplacing: true,
  Fields: DueFields,
  bodyOf: (form, seen) => {
    const reason = textOf(form, 'reason');
    return { due: { due: dueValueOf(textOf(form, 'due'), seen), ...(reason && { reason }) } };
  },
};

export const TAG: TriageAct = {
  name: 'tags',
  label: () => t({ message: 'Tag', context: 'action' }),
  title: () => t`Change the tags`,
  words: ({ tags: { add = [], remove = [] } = {} }) => {
    const [added, removed] = [add.join(', '), remove.join(', ')];
    if (removed === '') return taggedWords(added);
    return added === '' ? untaggedWords(removed) : retaggedWords(added, removed);
  },
  isReplacing: false,
  Fields: TagFields,
  bodyOf: (form) => ({ tags: { add: wordsOf(form, 'add'), remove: wordsOf(form, 'remove') } }),
};

export const CHANGE_TICKETS: TriageAct = {
  name: 'tickets',
  label: () => t({ message: 'Link ticket', context: 'action' }),
  title: () => t`Change the tickets`,
  words: linkedWords,
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
  label: () => t({ message: 'Comment', context: 'action' }),
  title: () => t`Add a comment`,
  words: commentedWords,
  isReplacing: false,
  Fields: CommentFields,
  bodyOf: (form) => ({ comments: { text: textOf(form, 'text') } }),
};

/** In the order of menus. */
export const TRIAGE_ACTS: readonly TriageAct[] = [ASSIGN, SET_DUE, TAG, CHANGE_TICKETS, COMMENT];
