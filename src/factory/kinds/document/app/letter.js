import { h } from '../../shared/app/lib/dom.js';
import { openDesk } from './desk.js';

openDesk(({ write }) => ({
  parts: [
    write('sender', { look: 'sender', sort: 'lines' }),
    h('div', { 'data-first': true }, write('recipient', { look: 'to', sort: 'lines' })),
    write('date', { look: 'day', sort: 'date' }),
    write('subject', { look: 'subject' }),
    write('text', { look: 'body', sort: 'lines' }),
    h('div', { class: 'signed' }, write('signer', { sort: 'lines' })),
  ],
}));
