import { plural } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { OutcomeWords } from '../bulk/outcome-words.ts';

export const unassignedWords = (): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be unassigned.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be unassigned.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be unassigned.
        </Trans>
      }
    />
  ),
  done: (count) => plural(count, { one: '# finding unassigned', other: '# findings unassigned' }),
  notDone: (count) => plural(count, { one: '# finding not unassigned', other: '# findings not unassigned' }),
});

export const userWords = (user: string): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be assigned to {user}.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be assigned to {user}.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be assigned to {user}.
        </Trans>
      }
    />
  ),
  done: (count) =>
    plural(count, { one: `# finding assigned to ${user}`, other: `# findings assigned to ${user}` }),
  notDone: (count) =>
    plural(count, { one: `# finding not assigned to ${user}`, other: `# findings not assigned to ${user}` }),
});

export const teamWords = (team: string): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be assigned to the team {team}.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be assigned to the team {team}.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be assigned to the team {team}.
        </Trans>
      }
    />
  ),
  done: (count) =>
    plural(count, {
      one: `# finding assigned to the team ${team}`,
      other: `# findings assigned to the team ${team}`,
    }),
  notDone: (count) =>
    plural(count, {
      one: `# finding not assigned to the team ${team}`,
      other: `# findings not assigned to the team ${team}`,
    }),
});

export const dueWords = (due: string): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be given the due date {due}.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be given the due date {due}.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be given the due date {due}.
        </Trans>
      }
    />
  ),
  done: (count) =>
    plural(count, {
      one: `# finding given the due date ${due}`,
      other: `# findings given the due date ${due}`,
    }),
  notDone: (count) =>
    plural(count, {
      one: `# finding not given the due date ${due}`,
      other: `# findings not given the due date ${due}`,
    }),
});

export const noDueWords = (): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be given no due date.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be given no due date.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be given no due date.
        </Trans>
      }
    />
  ),
  done: (count) =>
    plural(count, { one: '# finding given no due date', other: '# findings given no due date' }),
  notDone: (count) =>
    plural(count, { one: '# finding not given no due date', other: '# findings not given no due date' }),
});

export const taggedWords = (tags: string): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be tagged {tags}.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be tagged {tags}.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be tagged {tags}.
        </Trans>
      }
    />
  ),
  done: (count) => plural(count, { one: `# finding tagged ${tags}`, other: `# findings tagged ${tags}` }),
  notDone: (count) =>
    plural(count, { one: `# finding not tagged ${tags}`, other: `# findings not tagged ${tags}` }),
});

export const untaggedWords = (tags: string): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be no longer tagged {tags}.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be no longer tagged {tags}.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be no longer tagged {tags}.
        </Trans>
      }
    />
  ),
  done: (count) =>
    plural(count, {
      one: `# finding no longer tagged ${tags}`,
      other: `# findings no longer tagged ${tags}`,
    }),
  notDone: (count) =>
    plural(count, {
      one: `# finding not no longer tagged ${tags}`,
      other: `# findings not no longer tagged ${tags}`,
    }),
});

export const retaggedWords = (added: string, removed: string): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={
        <Trans>
          No findings will be tagged {added} and no longer tagged {removed}.
        </Trans>
      }
      one={
        <Trans>
          <b># finding</b> will be tagged {added} and no longer tagged {removed}.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be tagged {added} and no longer tagged {removed}.
        </Trans>
      }
    />
  ),
  done: (count) =>
    plural(count, {
      one: `# finding tagged ${added} and no longer tagged ${removed}`,
      other: `# findings tagged ${added} and no longer tagged ${removed}`,
    }),
  notDone: (count) =>
    plural(count, {
      one: `# finding not tagged ${added} and no longer tagged ${removed}`,
      other: `# findings not tagged ${added} and no longer tagged ${removed}`,
    }),
});

export const linkedWords = (): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be linked to the ticket.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be linked to the ticket.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be linked to the ticket.
        </Trans>
      }
    />
  ),
  done: (count) =>
    plural(count, { one: '# finding linked to the ticket', other: '# findings linked to the ticket' }),
  notDone: (count) =>
    plural(count, {
      one: '# finding not linked to the ticket',
      other: '# findings not linked to the ticket',
    }),
});

export const commentedWords = (): OutcomeWords => ({
  preview: (count) => (
    <Plural
      value={count}
      _0={<Trans>No findings will be commented.</Trans>}
      one={
        <Trans>
          <b># finding</b> will be commented.
        </Trans>
      }
      other={
        <Trans>
          <b># findings</b> will be commented.
        </Trans>
      }
    />
  ),
  done: (count) => plural(count, { one: '# finding commented', other: '# findings commented' }),
  notDone: (count) => plural(count, { one: '# finding not commented', other: '# findings not commented' }),
});
