import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { LINGUI_CONFIG, messages } from './messages-plugin.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Address of `npm start`; `npx vite apps/console` forwards the API paths to it. */
const SERVICE_URL = process.env.POSTURE_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: here('.'),
  base: '/app/',
  // The gateway replaces this with a nonce per response: index-page.ts.
  html: { cspNonce: '{{nonce}}' },
  plugins: [
    messages(),
    lingui({ configPath: LINGUI_CONFIG, failOnCompileError: true }),
    // The gateway serves precompressed files, to save CPU time.
    compression({ algorithms: ['gzip', 'brotliCompress'], exclude: [/\.html$/] }),
  ],
  build: {
    outDir: here('../../dist/apps/console'),
    emptyOutDir: true,
    // The licences of the bundled packages must be included in every copy.
    license: { fileName: 'licenses.md' },
    // Not `assets/`, which is a page of the console.
    assetsDir: 'files',
    // The content security policy blocks data: addresses of inlined files.
    assetsInlineLimit: 0,
    // The first versions that support light-dark(). A replacement would require the colour scheme at build time.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1_000,
    // The modules of the components contain 'use client', which has no effect here.
    rolldownOptions: {
      // One file of what most pages load: each small file costs about 800 bytes of headers.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 22 }] } },
      onLog: (level, log, tell) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && tell(level, log),
    },
  },
  server: { proxy: { '^/(api|integrations?|settings|schemas|subjects|health|docs)': SERVICE_URL } },
});
