import { createRoot } from 'react-dom/client';
import { App } from './app';
import { arrive } from './session/token';
import './style/base.css';
import './style/parts.css';
import './style/fields.css';
import './style/views.css';

// First of all: the token leaves the address bar.
void arrive().then((arrival) => createRoot(document.getElementById('root')!).render(<App arrival={arrival} />));
