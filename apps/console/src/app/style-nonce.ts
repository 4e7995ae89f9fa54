/** Nonce of inline styles. The gateway generates one for each page, and its CSP allows no other inline styles. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
