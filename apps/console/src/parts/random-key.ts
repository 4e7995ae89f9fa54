/** 128 random bits in hex. Not `crypto.randomUUID`, which browsers have over HTTPS alone. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
