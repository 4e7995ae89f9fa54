/** The only inline styles that the page may have carry this: the gateway draws it anew for each page (its CSP). */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
