export const CACHE: string;
