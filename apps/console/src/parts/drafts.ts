/** Texts that users have typed and not sent. They survive a reload and an ended session, and end with the tab. */

const PREFIX = 'posture-draft:';

export const draftOf = (key: string): string => sessionStorage.getItem(PREFIX + key) ?? '';

export function keepDraft(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // The storage of the browser is full or off: the text is still in the page.
  }
}

/** The next user of the tab must not see them. */
export function removeDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}
