import './app/component-styles.ts';
import '@mantine/notifications/styles.layer.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/query-client.ts';
import { router } from './app/router.tsx';
import { styleNonce } from './app/style-nonce.ts';
import { cssVariables, theme } from './app/theme.ts';
import { shareSession } from './session/session.ts';

// What a dialog takes from the page behind it (its scrolling) is a style too: get-nonce looks here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

const root = createRoot(document.getElementById('root')!);
const app = (
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      deduplicateInlineStyles
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
);

// A link that was opened in a new tab: the tab that it was in is signed in. Without `await`, which would keep the pages
// from importing this chunk and split it into some fifty small ones.
void shareSession().then(() => root.render(app));
