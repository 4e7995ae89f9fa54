/** Texts that users have typed and not sent. They survive a reload and an ended session, and end with the tab. */

const PREFIX = 'posture-draft:';
/** The user who has typed them. */
const OWNER = 'posture-drafts-of';

export const draftOf = (key: string): string => sessionStorage.getItem(PREFIX + key) ?? '';

export function keepDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // The storage of the browser is full or off: the text is still in the page.
  }
}

/** For the user of a session that begins: removes those of another user, whose session has expired before a reload. */
export function claimDrafts(username: string): void {
  if (sessionStorage.getItem(OWNER) !== username) removeDrafts();
  try {
    sessionStorage.setItem(OWNER, username);
  } catch {
    // The storage is full: without an owner, the drafts are removed when the next session begins.
  }
}

/** The next user of the tab must not see them. */
export function removeDrafts(): void {
  sessionStorage.removeItem(OWNER);
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}
