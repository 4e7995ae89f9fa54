/** 128 random bits in hex. Not `crypto.randomUUID`, which requires HTTPS. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
