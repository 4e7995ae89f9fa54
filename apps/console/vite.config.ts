import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where `npm start` answers; `npx vite apps/console` hands the API's paths on to it. */
const SERVICE_URL = process.env.POSTURE_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: here('.'),
  base: '/app/',
  // The gateway puts a nonce of each answer's own in its place: index-page.ts.
  html: { cspNonce: '{{nonce}}' },
  plugins: [
    // The gateway serves what was compressed here: the pages cost it no CPU.
    compression({ algorithms: ['gzip', 'brotliCompress'], exclude: [/\.html$/] }),
  ],
  build: {
    outDir: here('../../dist/apps/console'),
    emptyOutDir: true,
    // `assets/` is a page of the console: those of the organization.
    assetsDir: 'files',
    // Inlined files would be data: addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    // The first that know light-dark(): what would be put in its place needs the colour scheme known to the build.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1_000,
    // Every module of the components says 'use client', which means nothing here.
    rolldownOptions: {
      onLog: (level, log, tell) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && tell(level, log),
    },
  },
  server: { proxy: { '^/(api|integrations?|settings|schemas|subjects|health|docs)': SERVICE_URL } },
});
