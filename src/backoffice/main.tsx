import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { nonce } from './app/nonce.ts';

// A library that locks the page behind a dialog writes a style of its own, and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById('root');
if (place) createRoot(place).render(<App />);
